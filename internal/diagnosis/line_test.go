package diagnosis

import "testing"

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
	} {
		if got := Line([]byte(outs[0]), []byte(outs[1])); got != want {
			t.Errorf("%q: %q, want %q", outs, got, want)
		}
	}
}
