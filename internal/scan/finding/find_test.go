package finding

import (
	"testing"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/source/outline"
)

const quotedFrom = `package app

func First() int {
	x := 1
	return x
}

func Second() int {
	return 2
}
`

func TestQuotesFindTheirLines(t *testing.T) {
	t.Parallel()
	f := engine.NewFile(qa.FileChange{Path: "app.go"}, []byte(quotedFrom), outline.Parse)
	for quote, want := range map[string]qa.Range{
		"x := 1":                             {Start: 4, End: 4},
		"  x  :=  1\n\n  return x\n":         {Start: 4, End: 5},
		"func Second() int {\n\treturn 2\n}": {Start: 8, End: 10},
		"func First() int":                   {Start: 3, End: 3},
	} {
		if got, ok := find(f, quote); !ok || got != want {
			t.Errorf("find(%q) = %v, %v, want %v", quote, got, ok, want)
		}
	}
}
