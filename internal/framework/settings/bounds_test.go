package settings

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

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
