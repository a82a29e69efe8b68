package mode

import (
	"context"
	"testing"
	"time"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/runtime"
)

// TestEnginesMayDownload: on a fresh machine no module of a Go project is there
// yet. Where there is no place behind walls, nothing is downloaded.
func TestEnginesMayDownload(t *testing.T) {
	t.Parallel()
	for _, opened := range []bool{true, false} {
		r := &run{Deps: Deps{Root: t.TempDir(), Config: &config.Config{}, Now: time.Now}, place: &place{err: context.Canceled}}
		if opened {
			r.place.head, r.place.err = &runtime.Workspace{}, nil
		}
		r.place.once.Do(func() {})
		req, err := r.request(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if req.Network != opened {
			t.Errorf("place opened: %t, network: %t", opened, req.Network)
		}
	}
}
