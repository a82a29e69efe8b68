package extract

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
)

// Of a runner that ended the last lines tell why, and they are told once.
func TestTheLastWordsOfARunnerAreShownOnce(t *testing.T) {
	t.Parallel()
	ended := qa.Case{Suite: ".", Name: "(start)"}
	if got, want := LastWords(ended, "no report\n a\n\n b\n c\nTypeError: d\n", 4), "no report\n…\n c\nTypeError: d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	build := qa.Case{Suite: "p", Name: "(build)"}
	if text := "a\nb\nc\nd"; LastWords(build, text, 3) != text {
		t.Error("a compiler's first words are what matters")
	}
	r := &qa.Report{}
	r.Manifest.Targets = []qa.TargetRow{{Name: ".", State: "inconclusive", Tail: "d"}, {Name: "b", State: "inconclusive", Tail: "e"}}
	r.Tests.Failing = []qa.FailingTest{{Case: ended}}
	if got := Unnamed(r); len(got) != 1 || got[0].Where != "b" {
		t.Errorf("got %+v", got)
	}
}
