package settings

import "testing"

func FuzzINI(f *testing.F) {
	f.Add("[pytest]\naddopts = -q\n  --cov=a\n; x\n[run]\nsource=\n", "pytest")
	f.Add("[a\n = b\n\t c", "a")
	f.Fuzz(func(t *testing.T, text, section string) {
		values, ok := INI([]byte(text), section)
		if !ok && values != nil || ok && values == nil {
			t.Errorf("ini = %v, %v", values, ok)
		}
	})
}
