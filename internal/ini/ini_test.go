package ini

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSections(t *testing.T) {
	t.Parallel()
	got := Sections("lost = 1\n[testenv]\r\ndeps =\r\n  pytest\n\n  ; not this\n\tcov = 2\ncommands = pytest {posargs}\n" +
		"[tool:pytest] ; what pytest reads\naddopts = -q\n   --strict\nno value\n[testenv]\nextras = dev\n[open\n")
	want := map[string]map[string]string{
		"testenv":     {"deps": "pytest\ncov = 2", "commands": "pytest {posargs}", "extras": "dev"},
		"tool:pytest": {"addopts": "-q\n--strict"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzSections(f *testing.F) {
	f.Add("[pytest]\naddopts = -q\n  --cov=a\n; x\n[run]\nsource=\n")
	f.Add("[a\n = b\n\t c]\n d")
	f.Fuzz(func(t *testing.T, text string) {
		for name, keys := range Sections(text) {
			for key, value := range keys {
				for line := range strings.SplitSeq(value, "\n") {
					if line != strings.TrimSpace(line) {
						t.Errorf("[%s] %s = %q", name, key, value)
					}
				}
			}
		}
	})
}
