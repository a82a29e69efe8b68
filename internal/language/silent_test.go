package language

import (
	"fmt"
	"testing"
)

func TestSilent(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"a()\n\n  // one\nb() // two\n":                  "[[2 2] [3 3] [5 5]]",
		"/* one */\n/* two */ a()\n/*\n * more\n */\nb":  "[[1 1] [3 3] [4 4] [5 5]]",
		"const s = `\n/*\n`;\na();\nconst t = `\n*/\n`;": "[[2 2] [6 6]]", // texts hide no code
		"a(/*\n x\n*/)\n":                                "[[4 4]]",       // begins behind code
		"/** of a file that is cut off\n a()\n":          "[]",
		"const s = `\n// text\n`;":                       "[[2 2]]", // its statement counts where it begins
	} {
		if got := fmt.Sprint(Of("a.ts").Silent(src)); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
	if got := Of("a.py").Silent("# one\n"); got != nil {
		t.Errorf("Python: %v", got)
	}
}
