package scout

import (
	"context"
	"testing"
	"time"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime"
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
// yet. Where there is no sandbox, nothing is downloaded.
func TestEnginesMayDownload(t *testing.T) {
	t.Parallel()
	for _, opened := range []bool{true, false} {
		root := t.TempDir()
		r := Scout{Checkout: checkout.Checkout{Root: root}, Config: &config.Config{}, Now: time.Now, Copies: engines{opened, root}}
		req, err := r.Request(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if req.Network != opened {
			t.Errorf("place opened: %t, network: %t", opened, req.Network)
		}
	}
}
