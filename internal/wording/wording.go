// Package wording fits words of others, and counts of our own, into the places that
// show them. It is the only one that cuts, folds and cleans text; what a sink
// needs beyond that (Markdown, HTML, workflow commands) is in package reporter.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/pattern"
)

// Cut is at most limit characters of s; where some are missing the last is "…".
func Cut(s string, limit int) string {
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit-1 {
			return s[:i] + "…"
		}
		n++
	}
	return ""
}

// Sentences is at most limit bytes of s, up to the end of a line or of a sentence where the
// second half has one, and then "…" in a line of its own.
func Sentences(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const sign = "\n…"
	s = Bytes(s, limit-len(sign))
	if end := max(strings.LastIndexByte(s, '\n'), strings.LastIndex(s, ". ")+1); end > len(s)/2 {
		s = s[:end]
	}
	return strings.TrimRight(s, " \n") + sign
}

// Bytes is at most limit bytes of s, cut where a character ends. It shows no
// sign of being cut, for sinks that count bytes.
func Bytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:max(limit, 0)]
}

// Excerpt bounds a text that is shown to a model, with a sign of what is missing: at the end
// of a line, where the second half has one.
func Excerpt(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = Bytes(text, n)
	if end := strings.LastIndexByte(text, '\n'); end > len(text)/2 {
		text = text[:end]
	}
	return text + "\n…"
}

// Sentence is s as one clean line of at most limit characters, up to the end of a sentence
// where one ends there, else of a word, with a sign of what is missing.
func Sentence(s string, limit int) string {
	line := Fold(Plain(Bound(s, limit)))
	if utf8.RuneCountInString(line) <= limit {
		return line
	}
	line = Cut(line, limit-1) // room for the sign
	line = strings.TrimSuffix(line, "…")
	end := strings.LastIndex(line, ". ") + 1
	if end == 0 {
		end = strings.LastIndexByte(line, ' ')
	}
	if end <= 0 {
		return Cut(line+"…", limit)
	}
	return line[:end] + " …"
}

// Fold joins the words of s by single spaces, on one line.
func Fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// First is the first line of s that is not blank, without the space around it.
func First(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimRightFunc(s, unicode.IsSpace)
}

// Line is s as one clean line of at most limit characters: [Plain], [Fold] and
// [Cut].
func Line(s string, limit int) string { return Cut(Fold(Plain(Bound(s, limit))), limit) }

// Ends is a text in one line of at most limit characters. Of a longer one both ends are
// kept: what went wrong stands at the beginning or at the end.
func Ends(s string, limit int) string {
	if most := limit*16 + 1024; len(s) > 2*most {
		s = s[:most] + s[len(s)-most:]
	}
	s = Fold(Plain(s))
	n := utf8.RuneCountInString(s)
	if n <= limit || limit < 5 {
		return Cut(s, limit)
	}
	runes := []rune(s)
	front := (limit - 1) / 2
	return string(runes[:front]) + "…" + string(runes[n-(limit-1-front):])
}

// Logged is the first line of text from a report, without what a terminal or the
// log of a workflow would obey.
func Logged(text string) string {
	const most = 500
	if len(text) <= most && simple(text) {
		return text // most paths, of which a table may have hundreds of thousands
	}
	return Line(strings.ReplaceAll(First(text), "##[", "## ["), most)
}

// simple reports whether a text consists of letters, digits and signs of ASCII that mean
// nothing to anybody.
func simple(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c > '~' || c == '#' {
			return false
		}
	}
	return true
}

// Bound takes a generous prefix of a text of which limit characters are shown,
// before the costly steps: escapes and invisible characters may make up most of
// it.
func Bound(s string, limit int) string { return s[:min(len(s), limit*16+1024)] }

// ansi are the sequences CSI, OSC (up to BEL or ST), two-character and
// single-shift.
var ansi = pattern.New("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]")

// Plain removes what no reader should meet: terminal escapes, invalid bytes,
// control and invisible characters. Characters that reorder text (bidi) are
// shown by their number, because hiding them is how source code lies. Tabs and
// line feeds stay.
func Plain(s string) string {
	if strings.IndexFunc(s, unusual) < 0 {
		return s // almost all there is, and this is called for every word of a report
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = ansi.ReplaceAllString(s, "")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s))
	for _, c := range s {
		switch {
		case c == '\n' || c == '\t':
			b.WriteRune(c)
		case c == '\r' || c == '\u2028' || c == '\u2029' || c == '\u0085':
			b.WriteByte('\n')
		case bidi(c):
			fmt.Fprintf(&b, "[U+%04X]", c)
		case invisible(c):
		case unicode.IsControl(c):
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// unusual is everything that Plain has to look at; an invalid byte is U+FFFD.
func unusual(c rune) bool { return (c < ' ' && c != '\n' && c != '\t') || c > '~' }

func bidi(c rune) bool {
	return c == 0x061C || c == 0x200E || c == 0x200F || (0x202A <= c && c <= 0x202E) || (0x2066 <= c && c <= 0x2069)
}

// invisible covers zero width characters, soft hyphen, byte order mark, tag and
// private use characters; variation selectors stay for emoji.
func invisible(c rune) bool {
	return c == 0x00AD || c == 0x180E || (0x200B <= c && c <= 0x200D) || (0x2060 <= c && c <= 0x2065) ||
		c == 0xFEFF || (0xE0000 <= c && c <= 0xE007F) || unicode.Is(unicode.Co, c)
}

// Count is a number with its noun, which is given for one: "1 test",
// "1,200 tests", "2 entries".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if base, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(base, "e") {
		return Number(n) + " " + base + "ies"
	}
	return Number(n) + " " + noun + "s"
}

// Number groups digits: 12,345.
func Number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Some lists the first few of names and how many more there are: "a, b and 3
// more".
func Some(names []string, few int) string {
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %s more", strings.Join(names[:few], ", "), Number(len(names)-few))
}

// Command joins words into a line that a POSIX shell reads back as the same words.
func Command(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = Quote(word)
	}
	return strings.Join(out, " ")
}

// Quote is a word as a POSIX shell reads it back.
func Quote(word string) string {
	if bare.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// bare is a word that no shell reads otherwise.
var bare = pattern.New(`^[A-Za-z0-9_@%+=:,./-][A-Za-z0-9_@%+=:,./~^-]*$`)

// Unmarked is a text without the signs with which lines of comments begin.
func Unmarked(text string) string { return marking.ReplaceAllString(text, "") }

var marking = pattern.New(`(?m)^[ \t]*(?://+!?|#+|/\*+|\*+/?|"""|''')`)
