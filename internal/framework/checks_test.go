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

// A check of which a part is known to tox or nox alone is said, and not run with the rest.
func TestChecksOfUnreadWords(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"tox": {"tox.ini": "[testenv]\ncommands =\n  pytest\n  mypy {homedir}\n", "test_a.py": ""},
		"nox": {"noxfile.py": "import nox\n\n@nox.session\ndef names(session):\n    session.run(\"mypy\", \"-c\", cleandoc(\"import x\"))\n\n@nox.session\ndef tests(session):\n    session.run(\"pytest\")\n", "test_a.py": ""},
	} {
		found := look(t, files, "")
		if len(found.Checks) != 1 || found.Checks[0].Why != "only the tool that runs it knows all of its words" {
			t.Errorf("%s: %+v", name, found.Checks)
		}
	}
}

// What a script starts with python -m runs so as a check, too: not each module is a program
// of that name.
func TestChecksThatAreModules(t *testing.T) {
	t.Parallel()
	found := look(t, map[string]string{"tox.ini": "[tox]\nenvlist = py, release\n[testenv]\ncommands = pytest\n[testenv:release]\ncommands =\n  python -m build --sdist\n  python -W error -m pep517.check .\n", "test_a.py": ""}, "")
	var got []string
	for _, c := range found.Checks {
		got = append(got, strings.Join(c.Run.Program, " ")+c.Run.Hint.String())
	}
	if want := "python3 -m build --sdist, python3 -m pep517.check ."; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
