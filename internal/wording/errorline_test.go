package wording

import "testing"

func TestErrorLine(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{
		"":               "",
		"one\ntwo\n\n":   "two",
		"no error\nlast": "last",
		"Using CPython\nerror: Request failed\n  Caused by: bad certificate\n\nhint: try this": "error: Request failed Caused by: bad certificate hint: try this",
		"npm warn x\nnpm error code ETARGET\nnpm error notarget":                               "npm error code ETARGET npm error notarget",
		" ERR_PNPM_OUTDATED_LOCKFILE  Cannot install":                                          "ERR_PNPM_OUTDATED_LOCKFILE Cannot install",
		"fatal: unable to read tree 1111":                                                      "fatal: unable to read tree 1111",
	} {
		if got := ErrorLine([]byte(out)); got != want {
			t.Errorf("%q: %q, want %q", out, got, want)
		}
	}
}
