// Package process is the sole user of os/exec: it runs one program, caps what
// it prints, and leaves nothing of its process tree behind. Start at [Run].
//
// It never uses a shell. Who is allowed to run, as whom and behind which walls
// is decided by package runtime; this package only carries it out.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// DefaultMaxOutput is the number of bytes kept of each stream.
const DefaultMaxOutput = 16 << 20

// Command is one program to run.
type Command struct {
	Argv []string
	Dir  string   // absolute
	Env  []string // the whole environment; nil is an empty one, never ours
	// Stdin may be nil.
	Stdin io.Reader
	// Timeout of zero is none beyond the context's.
	Timeout time.Duration
	// MaxOutput caps the bytes kept of each stream; zero is DefaultMaxOutput.
	// The head and the tail are kept, the middle is dropped.
	MaxOutput int64
	// Live, when set, sees both streams as they come, uncapped.
	Live io.Writer
	// SysProcAttr is filled in by package runtime (uid, namespaces).
	SysProcAttr *syscall.SysProcAttr
}

// Result is what a finished program left.
type Result struct {
	ExitCode  int // -1 when killed by a signal
	Signal    string
	Stdout    []byte
	Stderr    []byte
	Truncated bool
	TimedOut  bool
	Seconds   float64
}

// ErrNotFound is returned, wrapped, when the program does not exist.
var ErrNotFound = exec.ErrNotFound

// LookPath finds a program on PATH.
func LookPath(name string) (string, error) { return exec.LookPath(name) }

// Run runs c to its end. A non-zero exit code, a signal or a timeout is a
// Result, not an error; an error means that the program could not be started
// or that ctx was cancelled.
func Run(ctx context.Context, c Command) (Result, error) {
	if len(c.Argv) == 0 {
		return Result{}, errors.New("run program: empty command")
	}
	runCtx := ctx
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		runCtx, cancel = context.WithTimeout(ctx, c.Timeout)
		defer cancel()
	}
	cmd := exec.CommandContext(runCtx, c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Stdin = c.Dir, c.Stdin
	cmd.Env = c.Env
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	attr := c.SysProcAttr
	if attr == nil {
		attr = &syscall.SysProcAttr{}
	}
	attr.Setpgid = true
	cmd.SysProcAttr = attr
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	limit := c.MaxOutput
	if limit == 0 {
		limit = DefaultMaxOutput
	}
	stdout, stderr := &capped{limit: limit, live: c.Live}, &capped{limit: limit, live: c.Live}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	start := time.Now()
	err := cmd.Run()
	res := Result{
		Stdout: stdout.bytes(), Stderr: stderr.bytes(),
		Truncated: stdout.dropped > 0 || stderr.dropped > 0,
		Seconds:   time.Since(start).Seconds(),
	}
	if cmd.ProcessState != nil {
		res.ExitCode = cmd.ProcessState.ExitCode()
		if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			res.Signal = ws.Signal().String()
		}
	}
	if ctx.Err() != nil {
		return res, fmt.Errorf("run %s: %w", c.Argv[0], context.Cause(ctx))
	}
	if runCtx.Err() != nil {
		res.TimedOut = true
		return res, nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return res, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	return res, nil
}

// capped keeps the head and the tail of a stream.
type capped struct {
	limit      int64
	head, tail []byte
	dropped    int64
	live       io.Writer
}

func (w *capped) Write(p []byte) (int, error) {
	n := len(p)
	if w.live != nil {
		if _, err := w.live.Write(p); err != nil {
			w.live = nil
		}
	}
	half := int(w.limit / 2)
	if room := half - len(w.head); room > 0 {
		take := min(room, len(p))
		w.head = append(w.head, p[:take]...)
		p = p[take:]
	}
	w.tail = append(w.tail, p...)
	if over := len(w.tail) - half; over > half {
		w.dropped += int64(over)
		w.tail = append(w.tail[:0], w.tail[over:]...)
	}
	return n, nil
}

func (w *capped) bytes() []byte {
	half := int(w.limit / 2)
	if over := len(w.tail) - half; over > 0 {
		w.dropped += int64(over)
		w.tail = w.tail[over:]
	}
	if w.dropped == 0 {
		return append(w.head, w.tail...)
	}
	out := append([]byte{}, w.head...)
	out = append(out, fmt.Sprintf("\n[... %d bytes dropped ...]\n", w.dropped)...)
	return append(out, w.tail...)
}
