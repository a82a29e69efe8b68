package sandbox

import (
	"cmp"
	"fmt"
	"strings"
)

// Layers are what a probe found to work on this machine.
type Layers struct {
	Helper     bool
	Namespaces bool
	Landlock   int // ABI, 0 for none
	Seccomp    bool
	Notify     bool
	Duplicate  bool // pidfd_getfd is allowed
}

// Confines reports whether commands cannot write outside of their workspace though
// they run as ourselves.
func (l Layers) Confines() bool { return l.Landlock > 0 }

// Settle takes down one layer after the other until a probe succeeds, and says
// why each went.
func (l *Layers) Settle(probe func() error) (why map[string]string) {
	why = map[string]string{}
	if l.Landlock == 0 {
		why["landlock"] = "not offered by this kernel"
	}
	for {
		err := probe()
		if err == nil {
			return why
		}
		layer, more := l.lower(err)
		why[layer] = err.Error()
		if !more {
			return why
		}
	}
}

// lower takes down the layer that an error speaks of.
func (l *Layers) lower(err error) (layer string, more bool) {
	text := err.Error()
	switch {
	case l.Landlock > 0 && strings.Contains(text, "landlock"):
		l.Landlock, layer = 0, "landlock"
	case l.Notify && !l.Namespaces && (strings.Contains(text, "seccomp") || strings.Contains(text, "connect")):
		l.Notify, layer = false, "notify"
	case l.Seccomp && strings.Contains(text, "seccomp"):
		l.Seccomp, layer = false, "seccomp"
	case l.Namespaces:
		l.Namespaces, layer = false, "namespaces"
	default:
		*l = Layers{}
		return "helper", false
	}
	return layer, true
}

// Describe says what is in force.
func (l Layers) Describe(why map[string]string) []string {
	network := "off: needs namespaces or seccomp"
	switch {
	case l.Namespaces:
		network = "generated tests have a loopback device only (namespace)"
	case l.Notify:
		network = "generated tests connect to loopback only (seccomp)"
	case l.Seccomp:
		network = "generated tests have no internet sockets, not even loopback (" + why["notify"] + ")"
	}
	var out []string
	for _, layer := range []struct {
		name string
		on   bool
		does string
	}{
		{"namespaces", l.Namespaces, "own mounts, processes and IPC; engine sockets, homes and runner files masked"},
		{"landlock", l.Landlock > 0, fmt.Sprintf("no writes outside the copy, no reads of runner files; modes and times are not covered (ABI %d)", l.Landlock)},
		{"seccomp", l.Seccomp, "deny list"},
		{"network", true, network},
		{"rlimits", l.Helper, "core, file size, processes, memory, disk"},
	} {
		says := layer.does
		if !layer.on {
			says = "off: " + cmp.Or(why["helper"], why[layer.name])
		}
		out = append(out, layer.name+": "+says)
	}
	return out
}
