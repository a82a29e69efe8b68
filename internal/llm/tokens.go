package llm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens estimates, from above, how many tokens a text has for any model: close
// enough to pack prompts and to keep a budget. Vocabularies are made of pieces
// that nearly all models cut alike: a word with the sign before it, three digits,
// a run of signs, a run of blanks. What a piece of each kind costs was measured
// with the o200k vocabulary, and the test holds the sum to it; 10 % is put on top.
func Tokens(text string) int {
	tenths := 0
	for text != "" {
		size, cost := piece(text)
		tenths += cost
		text = text[size:]
	}
	return (tenths+tenths/10)/10 + 1
}

// piece is the length of the first piece and what it costs, in tenths of a token.
func piece(text string) (size, cost int) {
	switch c := text[0]; {
	case c >= utf8.RuneSelf:
		return foreign(text)
	case letter(c):
		return word(text)
	case digit(c):
		return run(text[:min(3, len(text))], digit), 10
	case blank(c):
		return space(text)
	case c < ' ' || c == 0x7f:
		return 1, 10
	}
	size = run(text, sign)
	if size == 1 && len(text) > 1 && letter(text[1]) {
		size, cost = word(text[1:])
		if strings.IndexByte("._(", text[0]) < 0 {
			cost += 4 // the sign and the word are one token less often
		}
		return size + 1, cost + 2
	}
	return size, 10 + 9*max(0, size-3)
}

// space is a run of blanks: up to its last line break, and what follows. The last
// blank belongs to a word behind it, and a last space to a sign.
func space(text string) (size, cost int) {
	size = run(text, blank)
	breaks := strings.LastIndexAny(text[:size], "\r\n") + 1
	if size < len(text) && size > breaks {
		switch next := text[size]; {
		case letter(next), text[size-1] == ' ' && !digit(next):
			size--
		case digit(next) && size > breaks+1:
			cost = 10 // the last one stands alone
		}
	}
	if size == 0 {
		size, cost = piece(text[1:])
		return size + 1, cost
	}
	changes := 0
	for i := 1; i < size; i++ {
		if text[i] != text[i-1] {
			changes++
		}
	}
	cost += 10
	if breaks > 0 && breaks < size {
		cost += 10
	}
	return size, cost + 6*max(0, changes-1)
}

// word is a run of letters that ends where lower case turns to upper case.
func word(text string) (size, cost int) {
	upper := run(text, func(c byte) bool { return c >= 'A' && c <= 'Z' })
	lower := run(text[upper:], func(c byte) bool { return c >= 'a' && c <= 'z' })
	size = upper + lower
	cost = 10 + max(0, size-5) + 5*max(0, size-9)
	if upper > 1 {
		cost += 3 * (upper - 1)
		if lower > 0 {
			cost += 5
		}
	}
	vowels, rare := count(text[:size], "aeiouy"), count(text[:size], "jqxzkvw")
	if size > 3 && (vowels*4 < size || rare*3 >= size) {
		cost += 7 * (size - 3) // nothing that people say
	}
	return size, cost
}

// foreign is one character outside of ASCII. Those of the great scripts are one
// token or less; what a vocabulary does not know costs a token for each byte.
func foreign(text string) (size, cost int) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case size < 2:
		return size, 20 // no character: it is sent as a replacement
	case size == 2 && unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew):
		return size, 10
	case size == 3 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Devanagari):
		return size, 16
	}
	return size, 10 * size
}

func run(text string, of func(byte) bool) int {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

// count says how many letters of text are among those, whatever their case.
func count(text, those string) int {
	n := 0
	for i := range len(text) {
		if strings.IndexByte(those, text[i]|0x20) >= 0 {
			n++
		}
	}
	return n
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func sign(c byte) bool { return c > ' ' && c < 0x7f && !letter(c) && !digit(c) }
