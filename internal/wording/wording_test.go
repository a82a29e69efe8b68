package wording

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gotest.tools/v3/assert"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m":                          "red",
		"\x1b]8;;https://x.example\x07link\x1b]8;;\x07": "link",
		"\x1b]0;title\x1b\\after":                       "after",
		"a\r\nb\rc":                                     "a\nb\nc",
		"nul\x00bell\x07":                               "nul\uFFFDbell\uFFFD",
		"bad\xff":                                       "bad\uFFFD",
		"\u202egnp.exe":                                 "[U+202E]gnp.exe",
		"zero\u200bwidth\ufeff":                         "zerowidth",
		"tag\U000E0041":                                 "tag",
		"tab\tstays":                                    "tab\tstays",
		"日本語 é ✅️":                                      "日本語 é ✅️",
	} {
		assert.Equal(t, Plain(in), want, "%q", in)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	assert.Equal(t, Cut("été", 3), "été")
	assert.Equal(t, Cut("étés", 3), "ét…")
	assert.Equal(t, Cut("a", 0), "")
	assert.Equal(t, Bytes("été", 3), "ét")
	assert.Equal(t, Bytes("été", 1), "")
	assert.Equal(t, Line(" a\n\tb\x1b[1m c ", 20), "a b c")
	assert.Equal(t, First("\n\n  error: x \nsecond"), "error: x")
	assert.Equal(t, Some([]string{"a", "b", "c"}, 2), "a, b and 1 more")
	assert.Equal(t, Some([]string{"a", "b"}, 2), "a, b")
}

// TestSentence: what is bounded ends where a reader expects an end.
func TestSentence(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"One. Two.":             "One. Two.",
		"One two. Three four.":  "One two. …",
		"One.\nTwo. Three four": "One. Two. …",
		"One two three four":    "One two …",
		"Abcdefghijklmnopq":     "Abcdefghij…",
	} {
		assert.Equal(t, Sentence(in, 12), want, "%q", in)
	}
	assert.Equal(t, Excerpt("a line\nanother one", 10), "a line\n…")
	assert.Equal(t, Excerpt("a\nanother one", 8), "a\nanothe\n…")
}

func TestCount(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"0": Number(0), "999": Number(999), "1,000": Number(1000), "1,234,567": Number(1234567), "-123": Number(-123), "-1,234": Number(-1234),
		"1 entry": Count(1, "entry"), "2,000 entries": Count(2000, "entry"), "0 tests": Count(0, "test"), "2 keys": Count(2, "key"),
	} {
		assert.Equal(t, got, want)
	}
}

// FuzzLine: what is shown on one line is one, however hostile the text, and no
// longer than it may be.
func FuzzLine(f *testing.F) {
	f.Add("\x1b]8;;https://x.example\x07link\u202e\xff\r\nb", 10)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = max(limit%200, 0)
		got := Line(s, limit)
		assert.Assert(t, utf8.ValidString(got) && utf8.RuneCountInString(got) <= limit && !strings.ContainsAny(got, "\n\t"), "%q", got)
		assert.Assert(t, strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) < 0, "%q", got)
	})
}

// What is simple is shown as it stands.
func TestSimpleTextIsLogged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a", "src/a-b_c.d@2.ts", strings.Repeat("x", 500), "\"'`<>|&$;()[]{}~!"} {
		if !simple(text) || Logged(text) != text || Line(strings.ReplaceAll(First(text), "##[", "## ["), 500) != text {
			t.Errorf("%q: simple is %v, logged %q", text, simple(text), Logged(text))
		}
	}
	for _, text := range []string{" a", "a\n", "##[group]", "\x1b[1m", "größe", "a\x7f", "a\tb"} {
		if simple(text) {
			t.Errorf("%q is simple", text)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		limit int
		want  string
	}{
		"fits":         {"One. Two.", 9, "One. Two."},
		"a sentence":   {"The first one. The second one is longer.", 30, "The first one.\n…"},
		"a line":       {"- the first one\n- the second one is longer", 30, "- the first one\n…"},
		"one word":     {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 10, "aaaaaa\n…"},
		"far too long": {"No. " + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 20, "No. bbbbbbbbbbbb\n…"},
		"characters":   {"äääääääää", 11, "äää\n…"},
	} {
		if got := Sentences(c.text, c.limit); got != c.want || len(got) > c.limit {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
