package framework

import (
	"strings"
	"testing"
)

// texts are checks as people read them.
func texts(all []Check) (out []string) {
	for _, c := range all {
		out = append(out, c.Text)
	}
	return out
}

// TestChecksThatRun: a check is run where its script fails for it, and it can be run here.
func TestChecksThatRun(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"eslint . && vitest run":             "",
		"vitest run && eslint .":             "",
		"vitest run; eslint .":               "",
		"eslint .; vitest run":               "fail for it",
		"eslint . || true; vitest run":       "fail for it",
		"(eslint . || true) && vitest run":   "fail for it",
		"(eslint . && tsc -v); vitest run":   "fail for it",
		"eslint . & vitest run":              "fail for it",
		"vitest run && nyc report":           "coverage",
		"npm audit && vitest run":            "this machine",
		"vitest run && git diff --exit-code": "",
	} {
		found := look(t, map[string]string{"package.json": `{"scripts": {"test": "` + script + `"}, "devDependencies": {"vitest": "1"}}`}, "")
		if len(found.Checks) == 0 {
			t.Errorf("%s: no check", script)
			continue
		}
		if got := found.Checks[0]; (got.Why == "") != (want == "") || !strings.Contains(got.Why, want) || got.Why == "" && len(got.Run.Program) == 0 {
			t.Errorf("%s: %+v, want why %q", script, got, want)
		}
	}
}
