package scan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

func TestPlacesAreNotBelieved(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hit  engine.Hit
		want string
	}{
		"climbs out":        {engine.Hit{Rule: "x/y", Path: "../../etc/passwd", Lines: qa.Range{Start: 1}}, "outside the working copy"},
		"absolute":          {engine.Hit{Rule: "x/y", Path: "/etc/passwd", Lines: qa.Range{Start: 1}}, "outside the working copy"},
		"not in the change": {engine.Hit{Rule: "x/y", Path: "other.go", Lines: qa.Range{Start: 1}}, "outside the change"},
		"line too high":     {at(4000, "x/y"), "line does not exist"},
		"negative line":     {at(-1, "x/y"), "line does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := settled(t, changed(t, "app.go", app, qa.Range{Start: 1, End: 9}), tc.hit)
			if diff := cmp.Diff(map[string]int{tc.want: 1}, res.Folded); diff != "" || len(res.Findings) > 0 {
				t.Errorf("%v\n%s", res.Findings, diff)
			}
		})
	}
}

func TestTextIsHarmless(t *testing.T) {
	t.Parallel()
	req := changed(t, "app.go", app, qa.Range{Start: 1, End: 9})
	h := at(4, "x/y")
	h.Message = "red \x1b[31m and \u202eback\x00wards " + strings.Repeat("long ", 1000)
	h.URL = "javascript:alert(1)"
	f := one(t, settled(t, req, h))
	if strings.ContainsAny(f.Message, "\x1b\x00\u202e") || len([]rune(f.Message)) > 1001 || f.Rule.URL != "" {
		t.Errorf("%+v", f)
	}
}

func TestOwnersAndPatterns(t *testing.T) {
	t.Parallel()
	req := changed(t, "app.go", app, qa.Range{Start: 1, End: 9})
	req.Codeowners = []byte("*.go @org/gophers\n")
	req.KnownPatterns = []qa.Pattern{{Type: "null_reference", Files: []string{"app.go"}}}
	f := one(t, settled(t, req, at(4, "x/y")))
	if diff := cmp.Diff([]string{"@org/gophers"}, f.Owners); diff != "" || f.KnownPattern != "null_reference" || f.Symbol != "First" {
		t.Errorf("%+v %s", f, diff)
	}
	req.Codeowners = []byte("*.go not an owner\n")
	if res := settled(t, req, at(4, "x/y")); len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "CODEOWNERS") {
		t.Errorf("warnings %q", res.Warnings)
	}
}
