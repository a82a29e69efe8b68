package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/process"
)

// walls are the layers that a probe found to work on this machine.
type walls struct {
	helper     bool
	namespaces bool
	landlock   int // ABI, 0 for none
	seccomp    bool
	notify     bool
	duplicate  bool // pidfd_getfd is allowed
}

// confines reports whether commands cannot write outside of their workspace though
// they run as ourselves.
func (l walls) confines() bool { return l.landlock > 0 }

const (
	// probeTime is more than any start takes: a wall is not missing because the
	// machine, or the container engine, is busy.
	probeTime   = 2 * time.Minute
	initGrace   = 2 * time.Second // for the command
	outerGrace  = 4 * time.Second // for the helper, which needs the former itself
	maxLandlock = 7
)

// raiseWalls finds out, by trying, which layers there are.
func (w *Workspace) raiseWalls(ctx context.Context) {
	say := func(format string, args ...any) { w.levels = append(w.levels, fmt.Sprintf(format, args...)) }
	if w.user != nil {
		say("uid: commands run as %d, without groups", w.user.uid)
	} else {
		say("uid: commands run as ourselves: %s", whyOurselves())
	}
	say("env: allow-list")
	if !helperWired.Load() {
		for _, layer := range []string{"namespaces", "landlock", "seccomp", "network", "rlimits"} {
			say("%s: off: this program does not offer the sandbox helper", layer)
		}
		return
	}
	w.walls = walls{helper: true, namespaces: true, landlock: landlockABI(), seccomp: true, notify: true, duplicate: canDuplicate()}
	why := w.settle(func() error { return w.probe(ctx) })
	w.levels = append(w.levels, w.walls.describe(why)...)
}

// settle takes down one layer after the other until a probe succeeds, and says
// why each went.
func (w *Workspace) settle(probe func() error) (why map[string]string) {
	why = map[string]string{}
	if w.walls.landlock == 0 {
		why["landlock"] = "not offered by this kernel"
	}
	for {
		err := probe()
		if err == nil {
			return why
		}
		layer, more := w.walls.lower(err)
		why[layer] = err.Error()
		if !more {
			return why
		}
	}
}

// lower takes down the layer that an error speaks of.
func (l *walls) lower(err error) (layer string, more bool) {
	text := err.Error()
	switch {
	case l.landlock > 0 && strings.Contains(text, "landlock"):
		l.landlock, layer = 0, "landlock"
	case l.notify && !l.namespaces && (strings.Contains(text, "seccomp") || strings.Contains(text, "connect")):
		l.notify, layer = false, "notify"
	case l.seccomp && strings.Contains(text, "seccomp"):
		l.seccomp, layer = false, "seccomp"
	case l.namespaces:
		l.namespaces, layer = false, "namespaces"
	default:
		*l = walls{}
		return "helper", false
	}
	return layer, true
}

// describe says what is in force.
func (l walls) describe(why map[string]string) []string {
	off := func(layer string) string {
		if reason, ok := why["helper"]; ok {
			return layer + ": off: " + reason
		}
		return layer + ": off: " + why[layer]
	}
	out := make([]string, 0, 5)
	if l.namespaces {
		out = append(out, "namespaces: own mounts, processes and IPC; engine sockets, homes and runner files masked")
	} else {
		out = append(out, off("namespaces"))
	}
	if l.landlock > 0 {
		out = append(out, fmt.Sprintf("landlock: no writes outside the copy, no reads of runner files; modes and times are not covered (ABI %d)", l.landlock))
	} else {
		out = append(out, off("landlock"))
	}
	if l.seccomp {
		out = append(out, "seccomp: deny list")
	} else {
		out = append(out, off("seccomp"))
	}
	switch {
	case l.namespaces:
		out = append(out, "network: generated tests have a loopback device only (namespace)")
	case l.notify:
		out = append(out, "network: generated tests connect to loopback only (seccomp)")
	case l.seccomp:
		out = append(out, "network: generated tests have no internet sockets, not even loopback ("+why["notify"]+")")
	default:
		out = append(out, "network: off: needs namespaces or seccomp")
	}
	if l.helper {
		return append(out, "rlimits: core, file size, processes, memory, disk")
	}
	return append(out, off("rlimits"))
}

func landlockABI() int {
	const version = 1 // LANDLOCK_CREATE_RULESET_VERSION
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	if errno != 0 {
		return 0
	}
	return min(int(abi), maxLandlock)
}

// probe runs the helper up to the point where it would become the command.
func (w *Workspace) probe(ctx context.Context) error {
	c := Command{Network: NetworkLoopback}
	s := w.spec(c, process.Command{Dir: w.place.tree})
	s.Probe = true
	return probed(w.helper(ctx, s, c, process.Command{Timeout: probeTime}))
}

// probed judges the end of a probe.
func probed(res process.Result, st status, err error) error {
	switch {
	case err != nil:
		return err
	case st.Error != "":
		return errors.New(st.Error)
	case res.TimedOut:
		return fmt.Errorf("the helper did not start within %s", probeTime)
	case !st.Ready || !st.Done || st.Exit != 0:
		return fmt.Errorf("helper ended early: exit %d %s %s", res.ExitCode, res.Signal, oneLine(res.Stderr))
	}
	return nil
}

// spec tells the helper what one command needs.
func (w *Workspace) spec(c Command, pc process.Command) spec {
	s := spec{Argv: pc.Argv, Dir: pc.Dir, Env: pc.Env, UID: -1, GID: -1,
		Namespaces: w.walls.namespaces, Landlock: w.walls.landlock, Seccomp: w.walls.seccomp,
		Duplicate: w.walls.duplicate, Limits: w.limits(), Scratch: w.place.home, GraceMS: initGrace.Milliseconds()}
	if w.user != nil {
		s.UID, s.GID = w.user.uid, w.user.gid
		s.Threads = threadsOf(s.UID)
	} else {
		s.Threads = threadsOf(os.Getuid())
	}
	places := []place{w.place}
	if w.parent != nil {
		places = append(places, w.parent.place)
	}
	hide, keep := hidden(w.opts), kept(w.opts, places)
	s.Write = append(w.shownAll(w.place.writable()), "/dev/shm")
	if w.walls.namespaces || w.user != nil && !slices.ContainsFunc(hide, inTmp) {
		s.Write = append(s.Write, "/tmp")
	}
	s.Sockets = sockets(w.opts)
	switch {
	case w.walls.namespaces:
		s.Masks = masks(hide, keep, s.Sockets, append(w.place.writable(), w.place.home), w.place.slashTmp)
		s.Views = w.views()
		s.Loopback = c.Network == NetworkLoopback
	case c.Network == NetworkLoopback && w.walls.notify:
		s.Connect = connectLoopback
	case c.Network == NetworkLoopback:
		s.Connect = connectDeny
	case w.walls.notify && w.walls.duplicate && w.connectable(s.Sockets):
		s.Connect = connectSockets
	}
	s.Read = readable(hide, keep, listNames)
	return s
}

// limits leaves a quarter of a small disk to us: reports are written on it.
func (w *Workspace) limits() Limits {
	l := w.opts.Limits.orDefault()
	if free := spaceOf(w.place.home).bytes; w.opts.Limits.Disk == 0 && free > 0 {
		l.Disk = min(l.Disk, free/4*3)
	}
	return l
}

// enterable reports whether the code can enter a directory: its user may, or a
// mask shows the directory in place of a home that it may not enter.
func (w *Workspace) enterable(dir string) bool {
	if reachable(dir, w.user) {
		return true
	}
	if !w.walls.namespaces {
		return false
	}
	hide, keep := hidden(w.opts), kept(w.opts, []place{w.place})
	for _, k := range keep {
		if _, ok := within(k, dir); ok && slices.ContainsFunc(hide, func(h string) bool { _, ok := within(h, k); return ok }) {
			return reachableBelow(k, dir)
		}
	}
	return false
}

// sockets lists the engine and agent sockets of this machine.
func sockets(o Options) []string {
	list := append([]string{lookup(o.Env, "SSH_AUTH_SOCK")}, engineSockets...)
	if path, ok := strings.CutPrefix(lookup(o.Env, "DOCKER_HOST"), "unix://"); ok {
		list = append(list, path)
	}
	if dir := lookup(o.Env, "XDG_RUNTIME_DIR"); dir != "" {
		list = append(list, filepath.Join(dir, "docker.sock"), filepath.Join(dir, "podman", "podman.sock"))
	}
	var there []string
	for _, path := range list {
		if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
			there = append(there, path)
		}
	}
	return there
}

// connectable reports whether the code's user could connect to one of them.
func (w *Workspace) connectable(sockets []string) bool {
	for _, path := range sockets {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if info.Mode().Perm()&0o002 != 0 || w.user == nil && unix.Access(path, unix.W_OK) == nil {
			return true
		}
	}
	return false
}

// runWalled runs one command behind the walls.
func (w *Workspace) runWalled(ctx context.Context, c Command, pc process.Command) (process.Result, error) {
	defer w.share()()
	if !w.walls.helper {
		pc.SysProcAttr = &syscall.SysProcAttr{}
		if w.user != nil {
			pc.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(w.user.uid), Gid: uint32(w.user.gid)}
		}
		return process.Run(ctx, pc)
	}
	res, st, err := w.helper(ctx, w.spec(c, pc), c, pc)
	return walled(c, res, st, err)
}

// walled is the result of a command that ran below the helper.
func walled(c Command, res process.Result, st status, err error) (process.Result, error) {
	switch {
	case err != nil:
		return res, err
	case st.NotFound:
		return res, fmt.Errorf("run in workspace: %s: %w", strings.TrimSuffix(st.Error, ": "+errNoProgram.Error()), process.ErrNotFound)
	case st.Error != "":
		return res, fmt.Errorf("run %s in workspace: %s", c.Argv[0], st.Error)
	case !st.Done:
		// Killed from outside, by us at the deadline or by somebody else: the
		// result says so, and never that the command succeeded.
		if res.ExitCode == 0 {
			res.ExitCode = -1
		}
		return res, nil
	}
	res.ExitCode, res.Limit = st.Exit, st.Limit
	if res.Limit != "" && res.ExitCode == 0 {
		res.ExitCode = -1 // it was ended, whatever it said before
	}
	if st.Signal != 0 {
		res.Signal = syscall.Signal(st.Signal).String()
	}
	return res, nil
}
