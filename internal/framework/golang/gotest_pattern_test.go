package golang

import (
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
)

func TestRunPattern(t *testing.T) {
	t.Parallel()
	got := runPattern([]adapter.Selected{{Name: "TestA/before_(a/b)"}, {Name: "TestB"}, {Name: "TestB"}})
	if want := `^TestA$/^before_\(a$/^b\)$|^TestB$`; got != want {
		t.Errorf("runPattern = %s, want %s", got, want)
	}
	if got := runPattern([]adapter.Selected{{Name: "TestA"}, {Suite: "example.com/x"}}); got != "" {
		t.Errorf("a whole package is limited to %s", got)
	}
}
