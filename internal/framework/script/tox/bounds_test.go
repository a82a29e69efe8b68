package tox

import (
	"runtime"
	"strings"
	"testing"
)

// What tox.ini costs grows with its length: it comes with the change.
func TestLongValue(t *testing.T) {
	cost := func(n int) uint64 {
		text := []byte("[testenv]\ncommands =\n" + strings.Repeat(" x\n", n))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		values := toxINI(text).sections["testenv"]
		runtime.ReadMemStats(&after)
		if len(values["commands"]) != 2*n-1 {
			t.Errorf("%d bytes of a value, want %d", len(values["commands"]), 2*n-1)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := cost(1000), cost(32000); many > 128*few {
		t.Errorf("%d bytes for 1000 lines, %d for 32000", few, many)
	}
}
