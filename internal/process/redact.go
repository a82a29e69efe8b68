package process

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"
)

// minSecret is the shortest value that is redacted: replacing every "a" would
// destroy the output and protect nothing.
const minSecret = 4

// redacted stands in outputs where a secret was.
const redacted = "***"

// Redactor replaces known secret values. The zero value and nil replace
// nothing. Besides the value itself it knows its base64 (at each of the three
// alignments, so "user:SECRET" is found too), hexadecimal, URL and JSON forms,
// and each line of a value of several lines.
type Redactor struct {
	byFirst [256][]needle // by first byte, longest first
	any     bool
}

// needle is what is looked for, and what is written in its place.
type needle struct{ text, by []byte }

// NewRedactor makes a redactor of the secrets; values under four bytes are
// ignored.
func NewRedactor(secrets []string) *Redactor {
	r := &Redactor{}
	seen := map[string]bool{}
	add := func(s string) {
		if len(s) >= minSecret && !seen[s] {
			seen[s] = true
			r.add(s, redacted)
		}
	}
	for _, secret := range secrets {
		secret = strings.TrimSpace(secret)
		if len(secret) < minSecret {
			continue
		}
		for _, value := range append([]string{secret}, strings.Fields(strings.ReplaceAll(secret, "\n", " "))...) {
			// A word of a passphrase is no secret; a line of a key is.
			if value != secret && (!strings.Contains(secret, "\n") || len(value) < 16) {
				continue
			}
			for _, form := range forms(value) {
				add(form)
			}
		}
	}
	for i := range r.byFirst {
		slices.SortFunc(r.byFirst[i], longestFirst)
	}
	return r
}

// With is a redactor that also writes one text in the place of another, which is
// not empty: a name that a program knows something by and nobody else.
func (r *Redactor) With(text, by string) *Redactor {
	out := &Redactor{}
	if r != nil {
		out.byFirst, out.any = r.byFirst, r.any
	}
	out.byFirst[text[0]] = slices.Clone(out.byFirst[text[0]])
	out.add(text, by)
	slices.SortFunc(out.byFirst[text[0]], longestFirst)
	return out
}

func (r *Redactor) add(text, by string) {
	r.byFirst[text[0]] = append(r.byFirst[text[0]], needle{[]byte(text), []byte(by)})
	r.any = true
}

func longestFirst(a, b needle) int {
	return cmp.Or(cmp.Compare(len(b.text), len(a.text)), bytes.Compare(a.text, b.text))
}

// forms lists the encodings of a secret that tools print.
func forms(s string) []string {
	out := []string{s, url.QueryEscape(s), url.PathEscape(s), hex.EncodeToString([]byte(s)),
		strings.ToUpper(hex.EncodeToString([]byte(s)))}
	if quoted, err := json.Marshal(s); err == nil {
		out = append(out, string(quoted[1:len(quoted)-1]))
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			text := enc.EncodeToString(append(make([]byte, shift), s...))
			// The characters that also hold bits of what stands before or
			// behind the secret are not part of its form.
			start := (shift*8 + 5) / 6
			end := len(text)
			if (shift+len(s))%3 != 0 {
				end--
			}
			if end-start >= 8 {
				out = append(out, text[start:end])
			}
		}
	}
	return out
}

// String gives s without secrets.
func (r *Redactor) String(s string) string { return string(r.Bytes([]byte(s))) }

// Bytes gives p without secrets; p itself is not changed.
func (r *Redactor) Bytes(p []byte) []byte {
	if r == nil || !r.any {
		return p
	}
	out, _ := r.replace(make([]byte, 0, len(p)), p, true)
	return out
}

// Writer redacts what is written and passes it on to w. A secret that is cut
// by the border of two writes is found: up to the length of the longest secret
// is held back until more comes or the writer is closed.
func (r *Redactor) Writer(w io.Writer) io.WriteCloser {
	return &redactWriter{r: r, w: w}
}

// replace appends in to out, redacted, and returns the rest that may be the
// beginning of a secret. At the end of the input there is no rest.
func (r *Redactor) replace(out, in []byte, atEnd bool) (done, rest []byte) {
	plain := 0
	for i := 0; i < len(in); {
		needles := r.byFirst[in[i]]
		if needles == nil {
			i++
			continue
		}
		var found needle
		for _, n := range needles {
			if bytes.HasPrefix(in[i:], n.text) {
				found = n
				break
			}
			if !atEnd && len(n.text) > len(in)-i && bytes.HasPrefix(n.text, in[i:]) {
				return append(out, in[plain:i]...), in[i:]
			}
		}
		if found.text == nil {
			i++
			continue
		}
		out = append(append(out, in[plain:i]...), found.by...)
		i += len(found.text)
		plain = i
	}
	return append(out, in[plain:]...), nil
}

type redactWriter struct {
	r    *Redactor
	w    io.Writer
	held []byte
	buf  []byte
}

func (w *redactWriter) Write(p []byte) (int, error) {
	if w.r == nil || !w.r.any {
		return w.w.Write(p)
	}
	in := p
	if len(w.held) > 0 {
		in = append(w.held, p...)
	}
	out, rest := w.r.replace(w.buf[:0], in, false)
	w.held, w.buf = slices.Clone(rest), out
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close passes on what was held back; it does not close the writer behind.
func (w *redactWriter) Close() error {
	if len(w.held) == 0 {
		return nil
	}
	out, _ := w.r.replace(nil, w.held, true)
	w.held = nil
	_, err := w.w.Write(out)
	return err
}
