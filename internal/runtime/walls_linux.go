package runtime

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/stage"
	"github.com/org/qa-action/internal/runtime/user"
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

// raiseWalls finds out, by trying, which layers there are.
func (w *Workspace) raiseWalls(ctx context.Context) {
	say := func(format string, args ...any) { w.levels = append(w.levels, fmt.Sprintf(format, args...)) }
	if w.user != nil {
		say("uid: commands run as %d, without groups", w.user.UID)
	} else {
		say("uid: commands run as ourselves: %s", user.WhyOurselves())
	}
	say("env: allow-list")
	if !stage.Offered() {
		for _, layer := range []string{"namespaces", "landlock", "seccomp", "network", "rlimits"} {
			say("%s: off: this program does not offer the sandbox helper", layer)
		}
		return
	}
	w.walls = walls{helper: true, namespaces: true, landlock: stage.LandlockABI(), seccomp: true, notify: true, duplicate: stage.CanDuplicate()}
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

// probe runs the helper up to the point where it would become the command.
func (w *Workspace) probe(ctx context.Context) error {
	c := Command{Network: NetworkLoopback}
	s := w.spec(c, process.Command{Dir: w.place.Tree})
	s.Probe = true
	return stage.Probed(stage.Start(ctx, s, process.Command{Timeout: stage.ProbeTime}))
}

// spec tells the helper what one command needs.
func (w *Workspace) spec(c Command, pc process.Command) stage.Spec {
	s := stage.Spec{Argv: pc.Argv, Dir: pc.Dir, Env: pc.Env, As: w.user, Threads: stage.ThreadsOf(w.user.ID()),
		Namespaces: w.walls.namespaces, Landlock: w.walls.landlock, Seccomp: w.walls.seccomp,
		Network: stage.Network{Duplicate: w.walls.duplicate}, Limits: w.opts.Limits.On(w.place.Home), Scratch: w.place.Home, GraceMS: stage.InitGrace.Milliseconds()}
	places := []place.Place{w.place}
	if w.parent != nil {
		places = append(places, w.parent.place)
	}
	hide, keep := hidden(w.opts), kept(w.opts, w.homes, places)
	s.Files.Write = append(w.shownAll(w.place.Writable()), "/dev/shm")
	if w.walls.namespaces || w.user != nil && !slices.ContainsFunc(hide, place.InTmp) {
		s.Files.Write = append(s.Files.Write, "/tmp")
	}
	s.Network.Sockets = sockets(w.opts)
	switch {
	case w.walls.namespaces:
		s.Mounts.Masks = masks(hide, keep, s.Network.Sockets, append(w.place.Writable(), w.place.Home), w.place.SlashTmp)
		s.Mounts.Views = w.views()
		s.Network.Loopback = c.Network == NetworkLoopback
	case c.Network == NetworkLoopback && w.walls.notify:
		s.Network.Connect = stage.ConnectLoopback
	case c.Network == NetworkLoopback:
		s.Network.Connect = stage.ConnectDeny
	case w.walls.notify && w.walls.duplicate && w.connectable(s.Network.Sockets):
		s.Network.Connect = stage.ConnectSockets
	}
	s.Files.Read = stage.Readable(hide, keep, stage.ListNames)
	return s
}

// enterable reports whether the code can enter a directory: its user may, or a
// mask shows the directory in place of a home that it may not enter.
func (w *Workspace) enterable(dir string) bool {
	if user.Reachable(dir, w.user) {
		return true
	}
	if !w.walls.namespaces {
		return false
	}
	hide, keep := hidden(w.opts), kept(w.opts, w.homes, []place.Place{w.place})
	for _, k := range keep {
		if _, ok := rooted.Within(k, dir); ok && slices.ContainsFunc(hide, func(h string) bool { _, ok := rooted.Within(h, k); return ok }) {
			return user.ReachableBelow(k, dir)
		}
	}
	return false
}

// sockets lists the engine and agent sockets of this machine.
func sockets(o Options) []string {
	list := append([]string{environ.Lookup(o.Env, "SSH_AUTH_SOCK")}, engineSockets...)
	if path, ok := strings.CutPrefix(environ.Lookup(o.Env, "DOCKER_HOST"), "unix://"); ok {
		list = append(list, path)
	}
	if dir := environ.Lookup(o.Env, "XDG_RUNTIME_DIR"); dir != "" {
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
	defer stage.Begin(w.walls.namespaces, w.user)()
	if !w.walls.helper {
		pc.SysProcAttr = &syscall.SysProcAttr{}
		if w.user != nil {
			pc.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(w.user.UID), Gid: uint32(w.user.GID)}
		}
		return process.Run(ctx, pc)
	}
	res, st, err := stage.Start(ctx, w.spec(c, pc), pc)
	return stage.Outcome(c.Argv[0], res, st, err)
}
