package shell

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/wording"
)

// A quoted line is read back by our own splitter, which knows quotes as a shell does.
func TestQuotedIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "words")
		words, err := Split(wording.Command(in))
		if err != nil || !slices.Equal(words, in) {
			t.Fatalf("%q became %q, read back as %q, %v", in, wording.Command(in), words, err)
		}
	})
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{`a "b c" && d`, `\`, `'`, "a\\", "npm run test -- --x=1 | y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		words, err := Split(script)
		if again, _ := Split(wording.Command(words)); err == nil && !slices.Equal(again, words) {
			t.Errorf("%q became %q and then %q", script, words, again)
		}
	})
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                               nil,
		"lint --all {files}":             {"lint", "--all", "{files}"},
		`lint "a b" 'c "d"' e\ f ""`:     {"lint", "a b", `c "d"`, "e f", ""},
		"lint --format=%f:%l;%m | tee x": {"lint", "--format=%f:%l;%m", "|", "tee", "x"},
		"lint (x) a#b # what it does":    {"lint", "(x)", "a#b"},
		"lint # one\nmore":               {"lint", "more"},
	} {
		got, err := Split(line)
		assert.NilError(t, err, line)
		assert.DeepEqual(t, got, want)
	}
	for _, line := range []string{`lint "a`, "lint 'a", `lint a\`, `lint \`} {
		_, err := Split(line)
		assert.ErrorContains(t, err, "ends within quotes", line)
	}
}
