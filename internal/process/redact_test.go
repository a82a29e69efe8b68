package process

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRedactForms(t *testing.T) {
	const secret = `p@ss/w+rd "quoted" é`
	r := NewRedactor([]string{secret, "", "abc"})
	for name, text := range map[string]string{
		"plain":        secret,
		"query":        url.QueryEscape(secret),
		"path":         url.PathEscape(secret),
		"json":         `p@ss/w+rd \"quoted\" é`,
		"hex":          hex.EncodeToString([]byte(secret)),
		"base64":       base64.StdEncoding.EncodeToString([]byte(secret)),
		"basic auth 1": base64.StdEncoding.EncodeToString([]byte("x:" + secret)),
		"basic auth 2": base64.StdEncoding.EncodeToString([]byte("xy:" + secret)),
		"basic auth 3": base64.URLEncoding.EncodeToString([]byte("xyz:" + secret + "\n")),
	} {
		got := r.String("before " + text + " after")
		if !strings.Contains(got, redacted) || strings.Contains(got, text) {
			t.Errorf("%s: %q stays", name, got)
		}
		if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
			t.Errorf("%s: %q lost its surroundings", name, got)
		}
	}
	if got := r.String("abc"); got != "abc" {
		t.Errorf("short value redacted: %q", got)
	}
	key := NewRedactor([]string{"-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END KEY-----\n"})
	if got := key.String("  MIIEvQIBADANBgkqhkiG9w0"); got != "  ***" {
		t.Errorf("line of a key stays: %q", got)
	}
}

func TestRedactNothing(t *testing.T) {
	var none *Redactor
	for _, r := range []*Redactor{none, {}, NewRedactor(nil)} {
		if got := r.String("text"); got != "text" {
			t.Errorf("got %q", got)
		}
		var b bytes.Buffer
		w := r.Writer(&b)
		_, _ = w.Write([]byte("text"))
		_ = w.Close()
		if b.String() != "text" {
			t.Errorf("written %q", b.String())
		}
	}
}

// However the text is cut into writes, the result is that of the whole text,
// and no secret is in it.
func TestRedactWriterIsChunkSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(rapid.StringMatching(`[ab]{4,7}`), 1, 3).Draw(t, "secrets")
		text := rapid.StringMatching(`[abc]{0,60}`).Draw(t, "text")
		r := NewRedactor(secrets)
		var b bytes.Buffer
		w := r.Writer(&b)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want := r.String(text); b.String() != want {
			t.Fatalf("chunked %q, whole %q", b.String(), want)
		}
		for _, s := range secrets {
			if strings.Contains(b.String(), s) {
				t.Fatalf("secret %q stays in %q", s, b.String())
			}
		}
	})
}

// A name for another leaves secrets, lengths and the redactor it is made of alone.
func TestRedactWith(t *testing.T) {
	r := NewRedactor([]string{"secret"})
	with := r.With("home-one", "home-two")
	const text = "at home-one, secret, home-two"
	if got := with.String(text); got != "at home-two, ***, home-two" {
		t.Errorf("%q", got)
	}
	if got := r.String(text); got != "at home-one, ***, home-two" {
		t.Errorf("the first redactor changed: %q", got)
	}
	if got := (*Redactor)(nil).With("home-one", "home-two").String(text); got != "at home-two, secret, home-two" {
		t.Errorf("of nothing: %q", got)
	}
}
