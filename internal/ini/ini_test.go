package ini

import (
	"runtime"
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

// What a file costs grows with its length: it comes with the change.
func TestLongValues(t *testing.T) {
	cost := func(n int) uint64 {
		text := "[a]\nk =\n" + strings.Repeat(" x\n", n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		value := Sections(text)["a"]["k"]
		runtime.ReadMemStats(&after)
		if len(value) != 2*n-1 {
			t.Errorf("%d bytes of a value, want %d", len(value), 2*n-1)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := cost(1000), cost(32000); many > 128*few {
		t.Errorf("%d bytes for 1000 lines, %d for 32000", few, many)
	}
}
