package scan

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func TestDismissals(t *testing.T) {
	t.Parallel()
	req := changed(t, "app.go", app, qa.Range{Start: 1, End: 9})
	print := one(t, settled(t, req, at(4, "x/y"))).Fingerprint
	req.Dismissals = []byte("dismissals:\n  - fingerprint: " + print + "\n    reason: measured, it is fine\n    by: alice\n    expires: 2026-06-01\n")

	req.Now = time.Date(2026, 6, 1, 23, 0, 0, 0, time.UTC)
	f := one(t, settled(t, req, at(4, "x/y")))
	want := &qa.Dismissal{Reason: "measured, it is fine", By: "alice", Expires: "2026-06-01"}
	if diff := cmp.Diff(want, f.Dismissal); diff != "" || f.Status != qa.StatusDismissed || f.Counts() {
		t.Errorf("%s %s", f.Status, diff)
	}
	req.Now = time.Date(2026, 6, 2, 0, 0, 1, 0, time.UTC)
	res := settled(t, req, at(4, "x/y"))
	f = one(t, res)
	if f.Status != qa.StatusNew || !f.Dismissal.Expired || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "expired on 2026-06-01") {
		t.Errorf("%+v %q", f, res.Warnings)
	}
}

func TestInlineDismissals(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text   string
		line   int
		status qa.FindingStatus
		reason string
	}{
		"same line":          {"a\nx := f() // qa:ignore gosec/G401 only a cache key\n", 2, qa.StatusDismissed, "only a cache key"},
		"line above":         {"// qa:ignore G401 only a cache key\nx := f()\n", 2, qa.StatusDismissed, "only a cache key"},
		"block comment":      {"/* qa:ignore G401 only a cache key */\nx := f()\n", 2, qa.StatusDismissed, "only a cache key"},
		"one of several":     {"# qa:ignore S105,G401 only a cache key\nx\n", 2, qa.StatusDismissed, "only a cache key"},
		"no reason":          {"// qa:ignore G401\nx := f()\n", 2, qa.StatusNew, ""},
		"another rule":       {"// qa:ignore G402 only a cache key\nx := f()\n", 2, qa.StatusNew, ""},
		"everything at once": {"// qa:ignore * all of it\nx := f()\n", 2, qa.StatusNew, ""},
		"two lines above":    {"// qa:ignore G401 only a cache key\n\nx := f()\n", 3, qa.StatusNew, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := changed(t, "app.go", tc.text, qa.Range{Start: 1, End: 9})
			res := settled(t, req, at(tc.line, "gosec/G401"))
			f := one(t, res)
			if f.Status != tc.status || tc.reason != "" && f.Dismissal.Reason != tc.reason {
				t.Errorf("%s %+v", f.Status, f.Dismissal)
			}
			if warned := len(res.Warnings) > 0; warned != (name == "no reason") {
				t.Errorf("warnings %q", res.Warnings)
			}
		})
	}
}
