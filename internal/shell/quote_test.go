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
		commands := Words(wording.Command(in))
		if len(commands) != 1 || !slices.Equal(commands[0], in) {
			t.Fatalf("%q became %q, read back as %q", in, wording.Command(in), commands)
		}
	})
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{`a "b c" && d`, `\`, `'`, "a\\", "npm run test -- --x=1 | y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		for _, command := range Words(script) {
			if len(command) == 0 {
				t.Errorf("%q has an empty command", script)
			}
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
