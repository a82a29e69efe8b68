package diagnosis

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{
		"":               "",
		"one\ntwo\n\n":   "two",
		"no error\nlast": "last",
		"Using CPython\nerror: Request failed\n  Caused by: bad certificate\n\nhint: try this":                                        "error: Request failed Caused by: bad certificate hint: try this",
		"npm warn x\nnpm error code ETARGET\nnpm error notarget No matching version":                                                  "No matching version",
		" ERR_PNPM_OUTDATED_LOCKFILE  Cannot install":                                                                                 "ERR_PNPM_OUTDATED_LOCKFILE Cannot install",
		"➤ YN0000: ┌ Resolution step\n➤ YN0035: │ nobody@npm:1.0.0: Package not found\n➤ YN0000: · Failed with errors in 0s":          "nobody@npm:1.0.0: Package not found",
		" ERR_PNPM_FETCH_404  GET nobody: Not Found - 404\n\nNo authorization header was set for the request.":                        "ERR_PNPM_FETCH_404 GET nobody: Not Found - 404",
		"  × No solution found\n  ╰─▶ Because nobody was not found":                                                                   "× No solution found ╰─▶ Because nobody was not found",
		"fatal: unable to read tree 1111":                                                                                             "fatal: unable to read tree 1111",
		"/app/build.js:1\nthrow new Error('no')\n^\n\nError: no\n    at Object.<anonymous> (/app/build.js:1:7)\n\nNode.js v20.20.2\n": "Error: no",
		"src/a.ts(1,7): error TS2322: Type 'string' is not assignable.\n":                                                             "src/a.ts(1,7): error TS2322: Type 'string' is not assignable.",
		"# shop\na_test.go:6:2: missing go.sum entry for module providing package x; to add:\n\tgo get -t shop\n":                     "a_test.go:6:2: missing go.sum entry for module providing package x; to add:",
		"something went wrong here\nNode.js v20.20.2\n":                                                                               "something went wrong here",
	} {
		if got := Line([]byte(out)); got != want {
			t.Errorf("%q: %q, want %q", out, got, want)
		}
	}
}

// What went wrong stands in one output, and the other has the end of something else.
func TestLineOfTwoOutputs(t *testing.T) {
	t.Parallel()
	for want, outs := range map[string][2]string{
		"ERR_PNPM_FETCH_404 nobody": {"warning: old\n", " ERR_PNPM_FETCH_404  nobody\n"},
		"error: of the first":       {"x\nerror: of the first\n", "error: of the second\n"},
		"the end":                   {"", "begin\nthe end\n"},
		"of the first":              {"of the first\n", "of the second\n"},
		"0 candidates":              {"Downloading rich (1.5MiB)\n Downloaded rich\nInstalled 51 packages in 205ms\n + six==1.0\nBytecode compiled 1374 files in 2.32s\n", "  | 0 candidates\n"},
	} {
		if got := Line([]byte(outs[0]), []byte(outs[1])); got != want {
			t.Errorf("%q: %q, want %q", outs, got, want)
		}
	}
}

// A line that is too long keeps its end: there a chain of errors has its cause.
func TestALongLineKeepsItsEnd(t *testing.T) {
	t.Parallel()
	text := "go: download go1.26.11: read \"https://proxy.example/" + strings.Repeat("x", 200) + ".zip\": write /tmp/" + strings.Repeat("y", 60) + ": no space left on device"
	got := Of(1, []byte(text), nil, nil).String()
	if !strings.HasSuffix(strings.TrimRight(got, "”"), ": no space left on device") || !strings.HasPrefix(strings.TrimLeft(got, "“"), "go: download go1.26.11") || utf8.RuneCountInString(got) > maxProof+2 {
		t.Errorf("%q", got)
	}
}
