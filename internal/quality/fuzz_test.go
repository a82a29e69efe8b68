package quality

import (
	"encoding/json"
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// A report that is held against itself may be from anybody.
func FuzzVerify(f *testing.F) {
	for _, r := range []*qa.Report{judged(), newFailure()} {
		raw, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r qa.Report
		if json.Unmarshal(raw, &r) != nil || Verify(&r) != nil {
			return
		}
		if r.Result == qa.Pass && r.Tests.Head.Failed > 0 && len(r.Tests.Failing) == 0 {
			t.Errorf("passes with %d failed tests, of which nothing is said", r.Tests.Head.Failed)
		}
	})
}
