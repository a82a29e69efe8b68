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

func TestMalformedDismissalsSayWhere(t *testing.T) {
	t.Parallel()
	_, err := parseDismissals([]byte(`dismissals:
  - fingerprint: 0123456789abcdef
    reason: fine
  - fingerprint: 0123456789abcdef
    reason: again
  - fingerprint: nonsense
    reason: fine
  - fingerprint: 1123456789abcdef
  - fingerprint: 2123456789abcdef
    reason: fine
    expires: tomorrow
  - fingerprint: 3123456789abcdef
    reasno: typo
`))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"line 4: fingerprint 0123456789abcdef is dismissed twice",
		`line 6: fingerprint "nonsense" is not 16 hexadecimal digits`,
		"line 8: dismissing 1123456789abcdef needs a reason",
		`line 9: expires "tomorrow" is not a date`,
		`line 12: unknown key "reasno", valid keys are`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
	if _, err := parseDismissals([]byte("dismissed: []\n")); err == nil {
		t.Error("an unknown key at the top is accepted")
	}
}

func FuzzParseDismissals(f *testing.F) {
	f.Add([]byte("dismissals:\n  - {fingerprint: 0123456789abcdef, reason: x}\n"))
	f.Add([]byte("dismissals: {a: b}"))
	f.Add([]byte("- [\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := parseDismissals(data)
		for print, d := range found {
			if err == nil && (len(print) != 16 || strings.TrimSpace(d.Reason) == "") {
				t.Errorf("accepted %q: %+v", print, d)
			}
		}
	})
}
