package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/scan/credential"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// mask hides every secret that any engine reported, in every finding: another
// linter may quote the same line.
type mask struct{ secrets []string }

func newMask(hits []Reported, files []*engine.File) mask {
	var m mask
	for _, h := range hits {
		for _, s := range h.Secrets {
			m.add(s)
		}
	}
	// A linter quotes lines whether or not the secrets engine was asked for.
	for _, f := range files {
		found, _ := f.Credentials() // what was found before an error still counts
		for _, c := range found {
			m.add(c.Secret)
		}
	}
	// Longest first: a secret may hold another one.
	slices.SortFunc(m.secrets, func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	m.secrets = slices.Compact(m.secrets)
	return m
}

// add takes a secret in; one of several lines is quoted in part, so each line
// counts.
func (m *mask) add(secret string) {
	for line := range strings.Lines(secret) {
		if line = strings.TrimSpace(line); len(line) >= 4 {
			m.secrets = append(m.secrets, line)
		}
	}
}

func (m mask) hide(s string) string {
	for _, secret := range m.secrets {
		s = strings.ReplaceAll(s, secret, credential.Redacted)
	}
	return s
}

// quoteLines bounds what is shown of a finding's code.
const quoteLines = 5

// literal matches the string literals of the languages that are scanned.
var literal = pattern.New("\"[^\"\\n]*\"|'[^'\\n]*'|`[^`]*`")

// quote reads the finding's code from the file and hides what is secret in it.
func (e *entry) quote(m mask) {
	shown, first := "", ""
	if e.f.Lines.Start > 0 {
		shown = e.file.Text(e.f.Lines, quoteLines)
		first = e.file.Line(e.f.Lines.Start)
	}
	hide := m.hide
	if e.group == "hardcoded-credential" {
		hide = func(s string) string {
			return literal.ReplaceAllStringFunc(m.hide(s), func(lit string) string {
				return lit[:1] + credential.Redacted + lit[len(lit)-1:]
			})
		}
	}
	e.f.Quote = wording.Cut(strings.TrimSpace(wording.Plain(dedent(hide(shown)))), 600)
	e.f.Message = wording.Cut(strings.TrimSpace(wording.Plain(hide(e.f.Message))), 1000)
	e.f.Suggestion = wording.Cut(strings.TrimSpace(wording.Plain(hide(e.f.Suggestion))), 1000)
	if e.f.Fix != nil && slices.ContainsFunc(slices.Concat(e.f.Fix.Old, e.f.Fix.New), func(line string) bool { return hide(line) != line }) {
		e.f.Fix = nil // it cannot be shown as it is
	}
	e.f.Rule.Name = wording.Cut(strings.TrimSpace(wording.Plain(e.f.Rule.Name)), 120)
	e.f.Rule.ID = wording.Cut(strings.TrimSpace(wording.Plain(e.f.Rule.ID)), 120)
	if !strings.HasPrefix(e.f.Rule.URL, "https://") {
		e.f.Rule.URL = ""
	}
	e.text = wording.Fold(hide(first))
	// One byte of a digest tells a dismissed secret from the next one in its
	// place, and tells nobody what it is.
	for _, s := range e.mask {
		sum := sha256.Sum256([]byte(s))
		e.text += "#" + hex.EncodeToString(sum[:1])
	}
}

// dedent takes the common indentation away.
func dedent(s string) string {
	lines := strings.Split(s, "\n")
	common := -1
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if n := len(l) - len(strings.TrimLeft(l, " \t")); common < 0 || n < common {
			common = n
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(common, 0), len(l)):]
	}
	return strings.Join(lines, "\n")
}
