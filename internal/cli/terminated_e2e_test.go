package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestTerminated sends SIGTERM while tests run: long before they would end there
// is a report that says it is not complete, and the exit code is 130.
func TestTerminated(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	for _, n := range []int{0, 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			v := newVictim(t)
			var sent time.Time
			appeared := rewritten(v, []string{"tasks.csv", "scan/scan-results.json"}[n], 1)
			hit, code := until(t, v.start(arguments("run", "sleep 600")...), syscall.SIGTERM, func() bool {
				if appeared() && sent.IsZero() {
					sent = time.Now()
					return true
				}
				return false
			})
			if took := time.Since(sent); !hit || code != 130 || took > time.Minute {
				t.Errorf("hit %t, exit code %d after %v", hit, code, took)
			}
			var report struct {
				Result  string
				Partial bool
			}
			found, err := filepath.Glob(filepath.Join(v.out(), "qa-*", "report.json"))
			mustDo(t, err)
			if len(found) != 1 {
				t.Fatal("no report")
			}
			raw, err := os.ReadFile(found[0])
			mustDo(t, err)
			mustDo(t, json.Unmarshal(raw, &report))
			if report.Result != "INCONCLUSIVE" || !report.Partial {
				t.Errorf("got %+v", report)
			}
		})
	}
}
