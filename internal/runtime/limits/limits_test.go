package limits

import "testing"

// The code's limit is reached before that of the control group, which counts threads
// and us too: 64 are ours.
func TestDefaultProcesses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ processors, group, want int }{
		{2, 0, 192},
		{4, 0, 256},
		{64, 0, 2176},
		{4, 32768, 256},
		{4, 1024, 240},
		{2, 300, 59},
		{2, 65, 16}, // too small for anything
	} {
		if got := defaultProcesses(c.processors, c.group); got != c.want {
			t.Errorf("%d processors, group of %d: %d, want %d", c.processors, c.group, got, c.want)
		}
	}
}
