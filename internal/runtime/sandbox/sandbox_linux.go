package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/stage"
	"github.com/org/qa-action/internal/runtime/user"
)

// Raise finds out, by trying, which layers there are, and says of each whether it is
// in force.
func (b *Sandbox) Raise(ctx context.Context) (levels []string) {
	say := func(format string, args ...any) { levels = append(levels, fmt.Sprintf(format, args...)) }
	if b.User != nil {
		say("uid: commands run as %d, without groups", b.User.UID)
	} else {
		say("uid: commands run as ourselves: %s", user.WhyOurselves())
	}
	say("env: allow-list")
	if !stage.Offered() {
		for _, layer := range []string{"namespaces", "landlock", "seccomp", "network", "rlimits"} {
			say("%s: off: this program does not offer the sandbox helper", layer)
		}
		return levels
	}
	b.Layers = Layers{Helper: true, Namespaces: true, Landlock: stage.LandlockABI(), Seccomp: true, Notify: true, Duplicate: stage.CanDuplicate()}
	why := b.Layers.Settle(func() error { return b.Probe(ctx) })
	return append(levels, b.Layers.Describe(why)...)
}

// Probe runs the helper up to the point where it would become the command.
func (b *Sandbox) Probe(ctx context.Context) error {
	s := b.Spec(process.Command{Dir: b.Place.Tree}, true)
	s.Probe = true
	return stage.Probed(stage.Start(ctx, s, process.Command{Timeout: stage.ProbeTime}))
}

// Spec tells the stages what one command needs, which may talk to the loopback device
// alone or to everybody.
func (b *Sandbox) Spec(pc process.Command, loopback bool) stage.Spec {
	s := stage.Spec{Argv: pc.Argv, Dir: pc.Dir, Env: pc.Env, As: b.User, Threads: stage.ThreadsOf(b.User.ID()),
		Namespaces: b.Layers.Namespaces, Landlock: b.Layers.Landlock, Seccomp: b.Layers.Seccomp,
		Network: stage.Network{Duplicate: b.Layers.Duplicate}, Limits: b.Limits.On(b.Place.Home), Scratch: b.Place.Home, GraceMS: stage.InitGrace.Milliseconds()}
	places := []place.Place{b.Place}
	if b.Head != nil {
		places = append(places, *b.Head)
	}
	hide, keep := b.Machine.Hidden(), b.Machine.kept(places...)
	s.Files.Write = b.ShownAll(b.Place.Writable())
	if b.Layers.Namespaces || !slices.ContainsFunc(append(slices.Clone(hide), b.Place.Home), inSharedMemory) {
		s.Files.Write = append(s.Files.Write, sharedMemory)
	}
	if b.Layers.Namespaces || b.User != nil && !slices.ContainsFunc(hide, place.InTmp) {
		s.Files.Write = append(s.Files.Write, "/tmp")
	}
	s.Network.Sockets = b.Machine.Sockets()
	switch {
	case b.Layers.Namespaces:
		s.Mounts.Masks = masks(hide, keep, s.Network.Sockets, append(b.Place.Writable(), b.Place.Home), b.Place.SlashTmp)
		s.Mounts.Views = b.views()
		if b.User != nil {
			s.Mounts.Accounts = b.Place.Home
		}
		s.Network.Loopback = loopback
	case loopback && b.Layers.Notify:
		s.Network.Connect = stage.ConnectLoopback
	case loopback:
		s.Network.Connect = stage.ConnectDeny
	case b.Layers.Notify && b.Layers.Duplicate && b.connectable(s.Network.Sockets):
		s.Network.Connect = stage.ConnectSockets
	}
	s.Files.Hide, s.Files.Keep = hide, keep
	return s
}

// Enterable reports whether the code can enter a directory: its user may, or a
// mask shows the directory in place of a home that it may not enter.
func (b *Sandbox) Enterable(dir string) bool {
	if user.Reachable(dir, b.User) {
		return true
	}
	if !b.Layers.Namespaces {
		return false
	}
	hide, keep := b.Machine.Hidden(), b.Machine.kept(b.Place)
	for _, k := range keep {
		if _, ok := rooted.Within(k, dir); ok && slices.ContainsFunc(hide, func(h string) bool { _, ok := rooted.Within(h, k); return ok }) {
			return user.ReachableBelow(k, dir)
		}
	}
	return false
}

// connectable reports whether the code's user could connect to one of them.
func (b *Sandbox) connectable(sockets []string) bool {
	for _, path := range sockets {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if info.Mode().Perm()&0o002 != 0 || b.User == nil && unix.Access(path, unix.W_OK) == nil {
			return true
		}
	}
	return false
}

// Run runs one command behind all layers.
func (b *Sandbox) Run(ctx context.Context, pc process.Command, loopback bool) (process.Result, error) {
	defer stage.Begin(b.Layers.Namespaces, b.User)()
	if !b.Layers.Helper {
		pc.SysProcAttr = &syscall.SysProcAttr{}
		if b.User != nil {
			pc.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(b.User.UID), Gid: uint32(b.User.GID)}
		}
		return process.Run(ctx, pc)
	}
	res, st, err := stage.Start(ctx, b.Spec(pc, loopback), pc)
	return stage.Outcome(pc.Argv[0], res, st, err)
}

// inSharedMemory reports whether a path lies there. Where something hidden or the
// workspace does, the code cannot have all of it without mounts of its own.
func inSharedMemory(path string) bool {
	_, ok := rooted.Within(sharedMemory, path)
	return ok
}

// sharedMemorySize is that of the command's own; browsers want some.
const sharedMemorySize = "1g"

// masks turns hidden paths into mounts, for a namespace of the command's own.
func masks(hide, keep, sockets, writable []string, tmp string) []stage.Mask {
	var out []stage.Mask
	add := func(m stage.Mask) {
		for _, k := range keep {
			if _, ok := rooted.Within(m.Path, k); ok && k != m.Path {
				m.Keep = append(m.Keep, k)
				if !slices.ContainsFunc(writable, func(w string) bool { _, ok := rooted.Within(w, k); return ok }) {
					m.ReadOnly = append(m.ReadOnly, k)
				}
			}
		}
		out = append(out, m)
	}
	own := []string{"/tmp"}
	if info, err := os.Lstat("/var/tmp"); err == nil && info.IsDir() {
		own = append(own, "/var/tmp")
	}
	for _, dir := range own {
		add(stage.Mask{Path: dir, Place: tmp})
	}
	if info, err := os.Stat(sharedMemory); err == nil && info.IsDir() {
		add(stage.Mask{Path: sharedMemory, Memory: sharedMemorySize})
		own = append(own, sharedMemory)
	}
	for _, path := range hide {
		if !slices.Contains(own, path) && !slices.Contains(keep, path) {
			add(stage.Mask{Path: path})
		}
	}
	for _, socket := range sockets {
		add(stage.Mask{Path: socket})
	}
	return out
}

// ProbeViews finds out whether base can be shown where head stands.
func (b *Sandbox) ProbeViews(ctx context.Context) error {
	if !b.Moves() {
		return nil
	}
	if err := b.Hand(); err != nil {
		return err
	}
	return b.Probe(ctx)
}

// views are what the workspace's commands see at another path: base's home in the place of head's,
// and head's, for reading, below it.
func (b *Sandbox) views() []stage.View {
	if !b.Moves() {
		return nil
	}
	seen := b.Head.Home
	return []stage.View{{From: b.Place.Home, At: seen}, {From: seen, At: filepath.Join(seen, place.HeadDir), ReadOnly: true}}
}
