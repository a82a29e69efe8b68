package collect

import (
	"bytes"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/org/qa-action/internal/wording"
)

// Bounds of what is kept of a report's text, in bytes.
const (
	MaxName    = 2 << 10  // a test, suite or file name
	MaxMessage = 4 << 10  // Case.Message, Problem.Message
	MaxOutput  = 64 << 10 // Case.Output
)

const CutMark = "… (cut)"

// Clean makes text printable: escape sequences and control characters are
// taken out, line ends become "\n", invalid UTF-8 becomes U+FFFD, and no more
// than limit bytes are kept.
func Clean(text []byte, limit int) string {
	if len(text) <= limit && isPlain(text) {
		return string(text)
	}
	var out strings.Builder
	out.Grow(min(len(text), limit) + len(CutMark))
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == 0x1b:
			i += escapeLen(text[i:])
			continue
		case c == '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
				continue
			}
			c = '\n'
		case c < ' ' && c != '\n' && c != '\t', c == 0x7f:
			i++
			continue
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(text[i:])
			i += n
			if 0x80 <= r && r < 0xa0 { // C1 controls
				continue
			}
			if out.Len()+utf8.RuneLen(r) > limit {
				out.WriteString(CutMark)
				return out.String()
			}
			out.WriteRune(r)
			continue
		}
		if out.Len() == limit {
			out.WriteString(CutMark)
			return out.String()
		}
		out.WriteByte(c)
		i++
	}
	return out.String()
}

// isPlain reports ASCII without controls other than line feed and tab.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// escapeLen is the length of the ANSI escape sequence that text begins with:
// CSI (ESC [ … letter), OSC (ESC ] … BEL or ESC \) or two bytes.
func escapeLen(text []byte) int {
	if len(text) < 2 {
		return len(text)
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			if c := text[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 || c > 0x3f {
				return i
			}
		}
		return len(text)
	case ']':
		for i := 2; i < len(text) && i < MaxName; i++ {
			if text[i] == 0x07 {
				return i + 1
			}
			if text[i] == 0x1b && i+1 < len(text) && text[i+1] == '\\' {
				return i + 2
			}
		}
		return 2
	}
	return 2
}

// CleanName is clean for names: one line, and a cut name keeps a digest of
// what was cut so that two long names stay different.
func CleanName(text []byte) string {
	if len(text) > MaxName {
		return Clean(text[:MaxName-32], MaxName) + "…" + digest(text)
	}
	name := Clean(text, 2*MaxName)
	if strings.ContainsAny(name, "\n\t") {
		name = wording.Fold(name)
	}
	return strings.TrimSpace(name)
}

func digest(text []byte) string {
	sum := fnv.New64a()
	_, _ = sum.Write(text) // never fails
	return strconv.FormatUint(sum.Sum64(), 16)
}

// FirstLine is the first line that is not blank.
func FirstLine(text string) string {
	text = strings.TrimLeft(text, " \t\n")
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(line, " \t")
}

// Heading is up to lines leading lines of text, without blank ones before.
func Heading(text string, lines int) string {
	text = strings.TrimLeft(text, "\n")
	end := 0
	for range lines {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return strings.TrimSpace(text)
		}
		end += i + 1
	}
	return strings.TrimSpace(text[:end])
}

// Excerpt keeps the beginning and the end of a long text: a failure is told
// in one of them. The zero value is ready.
type Excerpt struct {
	head, tail []byte
	lost       int
}

// The parts of an excerpt.
const (
	excerptHead = MaxOutput / 4
	excerptTail = MaxOutput - excerptHead - 64
)

func (e *Excerpt) Add(text []byte) {
	if room := excerptHead - len(e.head); room > 0 && len(e.tail) == 0 {
		n := min(room, len(text))
		e.head = append(e.head, text[:n]...)
		text = text[n:]
	}
	e.tail = append(e.tail, text...)
	if over := len(e.tail) - excerptTail; over > excerptTail {
		e.lost += over
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
}

func (e *Excerpt) Size() int { return len(e.head) + len(e.tail) }

func (e *Excerpt) String() string {
	tail, lost := e.tail, e.lost
	if over := len(tail) - excerptTail; over > 0 {
		tail, lost = tail[over:], lost+over
	}
	if lost == 0 {
		return Clean(append(bytes.Clone(e.head), tail...), MaxOutput)
	}
	return Clean(e.head, excerptHead) + "\n… (" + strconv.Itoa(lost) + " bytes cut)\n" + Clean(tail, excerptTail)
}
