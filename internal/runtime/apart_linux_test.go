package runtime

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Commands of one workspace run as one user, at the same time: test code must not
// look into an engine's process, nor into ours.
func TestCommandsAreApart(t *testing.T) {
	for _, layers := range []string{"all layers", "no namespaces"} {
		t.Run(layers, func(t *testing.T) {
			machine := newMachine(t)
			w := open(t, machine.options())
			if layers == "no namespaces" {
				without(t, w, "no namespaces")
			}
			if w.box.Layers.Landlock == 0 && !w.box.Layers.Namespaces {
				t.Skip("neither Landlock nor namespaces on this machine")
			}
			ctx, cancel := context.WithCancel(t.Context())
			victim, ended := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = w.Run(ctx, Command{Argv: []string{"sh", "-c", "echo up; exec sleep 600"}, Env: []string{"VICTIM=" + secret}, Live: notice{victim}})
			}()
			defer func() { cancel(); <-ended }()
			select {
			case <-victim:
			case <-time.After(2 * time.Minute):
				t.Fatal("the victim does not start")
			}
			res, err := w.Run(t.Context(), Command{Argv: []string{"python3", "attacks/memory_of_parents.py"}, Timeout: 2 * time.Minute})
			said := string(res.Stdout) + string(res.Stderr)
			if err != nil || res.ExitCode != 0 || strings.Contains(said, "ESCAPED") || !strings.Contains(said, "held") {
				t.Errorf("exit %d, %v\n%s", res.ExitCode, err, said)
			}
			if layers == "no namespaces" && strings.Count(said, "held") < 5 {
				t.Errorf("the attack saw nobody:\n%s", said)
			}
		})
	}
}

// notice closes a channel at the first output.
type notice struct{ up chan struct{} }

func (n notice) Write(p []byte) (int, error) {
	select {
	case <-n.up:
	default:
		close(n.up)
	}
	return len(p), nil
}
