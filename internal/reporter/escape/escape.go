// Package escape makes text of others harmless for a sink, in one place.
package escape

import (
	"fmt"
	"html"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/qa-action/internal/pattern"

	"net/url"

	"path"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/wording"
)

// This package is the only place where text of others (source, test output, pull
// request text, model replies) is made fit for a sink. [wording.Plain] comes first for
// all of them; the other functions add what their sink needs.

// zwsp is a zero width space: it keeps words apart for the code host's link
// finders and does not show.
const zwsp = "\u200b"

var (
	// Words of which the host would turn those in hex into links to commits. An
	// underscore ends one: it is escaped by what is no part of a word.
	shaWord = pattern.New(`[0-9A-Za-z]{7,}`)
	// Words that become links, mentions, references or pictures on their own.
	// Those of the first kind end where they begin, so that overlapping ones
	// are all found: the two run one after the other.
	opening   = pattern.New(`(?i)[@#][\w-]|://|:[a-z0-9_+-]+:`)
	reference = pattern.New(`(?i)\bgh-\d|\bwww\.|\bmailto:|\bxmpp:`)
)

// Name is s as one line of at most limit characters, cut in the middle: both
// ends of a path or a test name tell it apart.
func Name(s string, limit int) string { return wording.Ends(s, limit) }

// List is s, which may be a list of thousands of entries, as one line of at most
// limit characters: it is cut between two entries and says how many more there
// are.
func List(s string, limit int) string {
	whole := wording.Line(s, limit)
	if !strings.HasSuffix(whole, "…") || utf8.RuneCountInString(whole) < limit {
		return whole
	}
	const room = 20 // for the count
	for _, sep := range []string{"; ", ", "} {
		entries := strings.Count(s, sep) + 1
		if entries == 1 || sep == ", " && entries < 10 { // a sentence has commas, too
			continue
		}
		shown := wording.Line(s, limit-room)
		if i := strings.LastIndex(shown, sep); i > 0 {
			shown = shown[:i]
			entries -= strings.Count(shown, sep) + 1
		} else { // not even the first has room
			first, _, _ := strings.Cut(s, sep)
			shown = Name(first, limit-room)
			entries--
		}
		return shown + sep + "and " + wording.Number(entries) + " more"
	}
	return whole
}

// Prose is s as inline Markdown of at most limit characters that shows as
// itself: no markup, mention, reference, link, image, emoji code or HTML, and
// safe inside a table cell.
func Prose(s string, limit int) string {
	s = wording.Line(s, limit)
	s = opening.ReplaceAllStringFunc(s, func(m string) string { return m[:1] + zwsp + m[1:] })
	s = reference.ReplaceAllStringFunc(s, func(m string) string { return m[:len(m)-1] + zwsp + m[len(m)-1:] })
	s = shaWord.ReplaceAllStringFunc(s, split)
	var b strings.Builder
	run := 0
	for _, c := range s {
		switch c {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '|', '\\', '`', '$':
			fmt.Fprintf(&b, "&#%d;", c)
		case '*', '_', '[', ']', '~', '#':
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
		if run++; unicode.IsSpace(c) || c == '\u200b' {
			run = 0
		} else if run == 40 { // very long words must not widen a phone's page
			b.WriteString(zwsp)
			run = 0
		}
	}
	return leading(b.String())
}

// split breaks a hex word into parts that are too short for a commit id.
func split(word string) string {
	if len(word) > 64 || strings.Trim(word, "0123456789abcdefABCDEF") != "" {
		return word
	}
	var b strings.Builder
	for len(word) > 6 {
		b.WriteString(word[:6] + zwsp)
		word = word[6:]
	}
	return b.String() + word
}

// leading keeps a line from starting a heading, list, quote or rule.
func leading(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("-+=", rune(s[0])) {
		return `\` + s
	}
	if i := strings.IndexAny(s, ".)"); i > 0 && i < 10 && strings.Trim(s[:i], "0123456789") == "" && (i+1 == len(s) || s[i+1] == ' ') {
		return s[:i] + `\` + s[i:]
	}
	return s
}

// Code is s as a code span of at most limit characters, cut in the middle and
// safe inside a table cell.
func Code(s string, limit int) string {
	s = Name(s, limit)
	if s == "" {
		return ""
	}
	if !strings.ContainsAny(s, "`|\\") && !strings.Contains(s, "<!--") && !strings.Contains(s, "-->") {
		return "`" + s + "`"
	}
	// A back-tick span cannot hold these in a table; entities never become
	// markup and the host looks for no references inside <code>.
	var b strings.Builder
	b.WriteString("<code>")
	for _, c := range s {
		if c < utf8.RuneSelf && !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != ' ' {
			fmt.Fprintf(&b, "&#%d;", c)
			continue
		}
		b.WriteRune(c)
	}
	b.WriteString("</code>")
	return b.String()
}

// Block is s as a fenced code block of at most limit bytes of text and rows
// lines, keeping the start and saying what was cut. The fence is longer than
// any run of back-ticks inside.
func Block(lang, s string, rows, limit int) string {
	s = strings.Trim(wording.Plain(wording.Bound(s, limit)), "\n")
	// A comment marker must never appear in the raw text: the sticky comment
	// is found by one.
	s = strings.ReplaceAll(s, "<!--", "<!"+zwsp+"--")
	lines := strings.Split(s, "\n")
	total := len(lines)
	if len(lines) > rows {
		lines = lines[:rows]
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(wording.Cut(l, 400), " \t")
	}
	size := 0
	for i, l := range lines {
		if size += len(l) + 1; size > limit && i > 0 {
			lines = lines[:i]
			break
		}
	}
	text := strings.Join(lines, "\n")
	if len(lines) < total {
		text += fmt.Sprintf("\n… %d of %d lines", len(lines), total)
	}
	fence := fence(text)
	return fence + lang + "\n" + text + "\n" + fence + "\n"
}

// Link is Markdown for already escaped text; without an address it is the text.
func Link(text, address string) string {
	if address == "" || text == "" {
		return text
	}
	return "[" + text + "](" + address + ")"
}

// Attribute is s for an HTML attribute or element inside Markdown.
func Attribute(s string, limit int) string { return html.EscapeString(wording.Line(s, limit)) }

// CommandData and commandProperty escape values of workflow commands by the
// runner's own rules; after [wording.Plain] nothing else is special there.
func CommandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func CommandProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// Paragraphs is s with its lines kept, at most limit bytes, cut at a line if it can be.
func Paragraphs(s string, limit int) string {
	s = strings.TrimSpace(wording.Plain(wording.Bound(s, limit)))
	if len(s) <= limit {
		return s
	}
	s = wording.Bytes(s, limit-len("\n…"))
	if i := strings.LastIndexByte(s, '\n'); i > limit/2 {
		s = s[:i]
	}
	return s + "\n…"
}

// Terminal is s as one line for a log or screen. Neither form of workflow
// command survives: the runner looks for "::" at the start of a line (spaces
// skipped) and for "##[" anywhere.
func Terminal(s string, limit int) string {
	s = wording.Line(s, limit)
	s = strings.ReplaceAll(s, "##[", "#"+zwsp+"#[")
	if strings.HasPrefix(s, "::") {
		s = ":" + zwsp + s[1:]
	}
	return s
}

// Fenced is text as a code block of at most so many lines: its fence is longer
// than every run of backticks inside, and what opens an HTML comment is broken,
// because our own marks are such comments.
func Fenced(text, path string, lines int) string {
	all := strings.Split(strings.Trim(wording.Plain(text), "\n"), "\n")
	if len(all) > lines {
		all = append(all[:lines:lines], "…")
	}
	for i := range all {
		all[i] = wording.Cut(all[i], 300)
	}
	text = strings.ReplaceAll(strings.Join(all, "\n"), "<!--", "<!"+zwsp+"--")
	fence := fence(text)
	word := language.Of(path).Text.Fences[filepath.Ext(path)]
	return fence + word + "\n" + text + "\n" + fence + "\n"
}

// fence is longer than every run of backticks in a text.
func fence(text string) string {
	out := "```"
	for strings.Contains(text, out) {
		out += "`"
	}
	return out
}

// Suggestion is a block that the code host offers to put in the place of the lines
// that a comment stands at; ok is false for lines that cannot be shown as they are,
// or hold a mark of ours.
func Suggestion(lines []string) (block string, ok bool) {
	text := ""
	for _, line := range lines {
		if wording.Plain(line) != line || strings.Contains(line, "\n") || strings.Contains(line, "<!-- qa-action") {
			return "", false
		}
		text += line + "\n"
	}
	fence := fence(text)
	return "\n" + fence + "suggestion\n" + text + fence + "\n", true
}

// Path keeps the slashes of a path and escapes the rest, round brackets
// included: a Markdown link would end at one.
func Path(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = brackets.Replace(url.PathEscape(p))
	}
	return strings.Join(parts, "/")
}

var brackets = strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", "*", "%2A", "!", "%21")

func IsHex(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

func Short(sha string) string {
	if IsHex(sha) {
		return sha[:7]
	}
	return Name(sha, 12)
}

// SafePath reports whether p stays inside the directory it is relative to.
func SafePath(p string) bool {
	return p != "" && !path.IsAbs(p) && path.Clean(p) == p && p != ".." && !strings.HasPrefix(p, "../") &&
		!strings.ContainsAny(p, "\\\n\r\x00")
}
