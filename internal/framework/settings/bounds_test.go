package settings

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What a file costs grows with its length: it comes with the change.
func TestLongFiles(t *testing.T) {
	cost := func(n int) uint64 {
		text := []byte("[a]\nk =\n" + strings.Repeat(" x\n", n))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		values, _ := INI(text, "a")
		runtime.ReadMemStats(&after)
		if len(values["k"]) != 2*n-1 {
			t.Errorf("%d bytes of a value, want %d", len(values["k"]), 2*n-1)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := cost(1000), cost(32000); many > 128*few {
		t.Errorf("%d bytes for 1000 lines, %d for 32000", few, many)
	}
}

// Of a name that stands there twice the last one counts, where it stands.
func TestDotenv(t *testing.T) {
	got := Dotenv([]byte("A=1\nexport B='2' # x\nA=3\nC=a # b\nno\nB=4\n"))
	if want := []string{"A=3", "C=a", "B=4"}; !slices.Equal(got, want) {
		t.Errorf("Dotenv = %q, want %q", got, want)
	}
	var all strings.Builder
	for i := range 100_000 {
		_, _ = fmt.Fprintf(&all, "N%d=\n", i)
	}
	if n := len(Dotenv([]byte(all.String()))); n != 100_000 {
		t.Errorf("%d settings", n)
	}
}
