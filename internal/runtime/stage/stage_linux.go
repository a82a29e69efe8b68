// Package stage is the two short lives of our own program below which a command runs:
// they enter namespaces, arrange mounts, raise Landlock and seccomp, keep limits, and
// end all that the command left. Start at [Main] and [Start].
package stage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/runtime/limits"
	"github.com/org/qa-action/internal/runtime/user"
)

// Layers like Landlock and seccomp cannot be taken down again, so a process
// raises them around itself only right before it becomes the command. Every
// sandboxed command therefore runs below two short lives of our own program:
//
//	qa ── qa __sandbox init ── qa __sandbox exec → command
//
// init enters the namespaces, arranges the mounts, becomes the sandbox user,
// starts exec, answers its connect calls (see notify), watches limits, reaps,
// and in the end kills all that is left. exec sets resource limits, Landlock
// and seccomp, and becomes the command. Neither has an environment or argument
// that would tell the command anything.
const Arg = "__sandbox"

// Descriptors of the helper.
const (
	specFD   = 3 // the spec, in memory
	statusFD = 4 // status lines go up here; never reaches the command
	lifeFD   = 5 // init: ends when our process is gone
	parentFD = 5 // exec: where the notify descriptor goes
)

// Spec is what the stages are told.
type Spec struct {
	Argv []string `json:"argv"`
	Dir  string   `json:"dir"`
	Env  []string `json:"env"`
	// As is whom the command runs as; nil stays who we are.
	As *user.User `json:"as,omitempty"`

	Namespaces bool    `json:"namespaces"` // init was started in new ones
	Mounts     mounts  `json:"mounts"`
	Landlock   int     `json:"landlock"` // ABI to use, 0 for none
	Files      access  `json:"files"`
	Seccomp    bool    `json:"seccomp"`
	Network    Network `json:"network"`

	Limits limits.Limits `json:"limits"`
	// Threads are those that the user has anyway, counted where all are seen.
	Threads int    `json:"threads"`
	Scratch string `json:"scratch"` // where disk use is measured
	GraceMS int64  `json:"grace_ms"`
	Probe   bool   `json:"probe"` // exec only says that it got that far
}

// mounts are what a command sees otherwise than the machine does, where it has
// mounts of its own.
type mounts struct {
	Masks []Mask `json:"masks,omitempty"`
	Views []View `json:"views,omitempty"`
	// Accounts is a directory with [Accounts] to show in the place of the machine's.
	Accounts string `json:"accounts,omitempty"`
}

// Accounts are the files of /etc in which users and groups have names.
func Accounts() []string { return []string{"passwd", "group"} }

// access says what a command may read and write where Landlock is in force.
type access struct {
	// Hide and Keep say what is readable among the files that the command sees,
	// see readable. What else lies there is listed by the stage: a full /tmp
	// would make a spec of any size.
	Hide  []string `json:"hide,omitempty"`
	Keep  []string `json:"keep,omitempty"`
	Write []string `json:"write,omitempty"`
}

// Network says whom a command may connect to.
type Network struct {
	Loopback bool `json:"loopback"` // bring the loopback device up
	// Connect is what becomes of connect calls, see seccomp.
	Connect string `json:"connect,omitempty"`
	// Duplicate says that the caller's socket can be had: see notify.
	Duplicate bool `json:"duplicate,omitempty"`
	// Sockets are UNIX sockets that must not be connected to.
	Sockets []string `json:"sockets,omitempty"`
}

// Status is one line from the helper.
type Status struct {
	Ready    bool   `json:"ready,omitempty"` // all layers are up
	Error    string `json:"error,omitempty"` // a layer could not be raised, or no such program
	NotFound bool   `json:"not_found,omitempty"`
	Done     bool   `json:"done,omitempty"`
	Exit     int    `json:"exit,omitempty"`
	Signal   int    `json:"signal,omitempty"`
	Limit    string `json:"limit,omitempty"`
	PID      int    `json:"pid,omitempty"` // of init, as itself sees it
}

// wired is set once the main program has offered its arguments.
var wired atomic.Bool

// Offered reports whether the main program calls [Main]: one that never does cannot
// be its own helper.
func Offered() bool { return wired.Load() }

// A stage begins here and not in the main program: tables, schemas and clients of all
// other packages would be made first, twice for every command, which took more time
// than what the stages do. What this package imports is ready by now.
func init() {
	if len(os.Args) < 3 || os.Args[1] != Arg {
		return
	}
	_, code := Main(os.Args)
	syscall.Exit(code) // os.Exit waits for a second under the race detector
}

// Main is the entry of the stages. The main program calls it with its arguments
// before anything else, and exits with the code when it was handled.
func Main(args []string) (handled bool, exit int) {
	wired.Store(true)
	if len(args) < 3 || args[1] != Arg {
		return false, 0
	}
	if args[2] == InsideArg {
		return true, sandboxInside(args[3:])
	}
	out := os.NewFile(statusFD, "status")
	unix.CloseOnExec(specFD)
	unix.CloseOnExec(statusFD)
	unix.CloseOnExec(parentFD)
	s, err := readSpec()
	if err == nil {
		switch args[2] {
		case "init":
			err = sandboxInit(s, out)
		case "exec":
			err = sandboxExec(s, out)
		default:
			err = fmt.Errorf("unknown stage %q", args[2])
		}
	}
	if err != nil {
		say(out, failure(err))
		return true, 125
	}
	return true, 0
}

func readSpec() (Spec, error) {
	var s Spec
	var st unix.Stat_t
	if err := unix.Fstat(specFD, &st); err != nil {
		return s, fmt.Errorf("read sandbox spec: %w", err)
	}
	data := make([]byte, st.Size)
	// Not through an os.File: the garbage collector would close the descriptor
	// with it, and the next stage needs it.
	for at := 0; at < len(data); {
		n, err := unix.Pread(specFD, data[at:], int64(at))
		if err != nil || n == 0 {
			return s, fmt.Errorf("read sandbox spec: %d of %d bytes: %w", at, len(data), errors.Join(err, io.ErrUnexpectedEOF))
		}
		at += n
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("read sandbox spec: %w", err)
	}
	return s, nil
}

// say writes one status line; a reader that is gone is no concern of ours.
func say(out io.Writer, s Status) {
	if line, err := json.Marshal(s); err == nil {
		_, _ = out.Write(append(line, '\n'))
	}
}

func LandlockABI() int {
	const version = 1 // LANDLOCK_CREATE_RULESET_VERSION
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	if errno != 0 {
		return 0
	}
	return min(int(abi), maxLandlock)
}

const maxLandlock = 7
