package scout

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/runtime"

	"gotest.tools/v3/assert"
)

// engines run in a copy that opens, or does not.
type engines struct {
	opens bool
	root  string
}

func (p engines) Open(ctx context.Context) (*runtime.Workspace, error) {
	if !p.opens {
		return nil, context.Canceled
	}
	return runtime.Open(ctx, runtime.Options{Root: p.root, Driver: "host", Install: "never"})
}

func (engines) Exec(context.Context, process.Command) (process.Result, error) {
	return process.Result{}, nil
}

// TestEnginesMayDownload: on a fresh machine no module of a Go project is there
// yet. Where there is no sandbox, nothing is downloaded, and without a change nothing is
// opened.
func TestEnginesMayDownload(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ opens, changed bool }{{true, true}, {false, true}, {true, false}} {
		root := t.TempDir()
		in := checkout.Checkout{Root: root}
		if c.changed {
			in.Change.Files = []qa.FileChange{{Path: "a.go"}}
		}
		r := Scout{Checkout: in, Code: related.New(in), Config: &config.Config{}, Now: time.Now, Copies: engines{c.opens, root}}
		req, err := r.Request(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := c.opens && c.changed; req.Network != want {
			t.Errorf("%+v: network: %t", c, req.Network)
		}
	}
}

// TestUX: the perspective is there when its words stand in the task, whole, or a file
// that people see changed; and what the engines look for, the model looks for.
func TestUX(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		task, file string
		want       bool
	}{
		"asked for":       {"check the UI of the cart", "a.go", true},
		"in small":        {"ux of the form", "a.go", true},
		"part of a word":  {"run it on linux, mux and builds", "a.go", false},
		"a file of it":    {"", "src/Cart.TSX", true},
		"nothing of it":   {"", "a.go", false},
		"words of people": {"accessibility", "a.go", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Scout{
				Checkout: checkout.Checkout{Change: qa.Change{Files: []qa.FileChange{{Path: c.file}}}},
				Config:   &config.Config{Subject: config.Subject{Task: c.task}},
			}
			assert.Equal(t, slices.Contains(s.perspectives(), qa.UX), c.want)
			assert.Equal(t, slices.Contains(s.modelPerspectives(), qa.UX), c.want, "what the model is asked for")
		})
	}
}
