package qa

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/wording"
)

// GroupFailures puts failing tests together that fail for the same reason as far
// as their messages tell: by triage, quarantine and the normalised message. Every
// test is in exactly one group. The largest group comes first, groups of one size
// in the order of their first tests.
func GroupFailures(failing []FailingTest) []FailureGroup {
	type key struct {
		triage  Triage
		held    bool
		message string
	}
	var out []FailureGroup
	at := map[key]int{}
	for _, f := range failing {
		k := key{f.Triage.known(), f.Quarantine != "", f.Case.reason()}
		i, seen := at[k]
		if !seen {
			i = len(out)
			at[k] = i
			out = append(out, FailureGroup{Message: k.message, Triage: k.triage})
		}
		g := &out[i]
		g.Count++
		if len(g.Tests) < GroupNames {
			g.Tests = append(g.Tests, f.Case.ID())
		}
	}
	slices.SortStableFunc(out, func(a, b FailureGroup) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// known is t, or unknown for a word that is no label.
func (t Triage) known() Triage {
	switch t {
	case NewFailure, PreExisting, FlakyFailure:
		return t
	}
	return UnknownFailure
}

// Bounds of what is looked at of a message, in bytes, and of the normalised one,
// in characters.
const (
	messageBytes = 4096
	lineBytes    = 320
	reasonRunes  = 200
)

// reason is the first meaningful line of the failure, normalised: two tests that
// fail in the same way have the same.
func (c Case) reason() string {
	for _, text := range []string{c.Message, c.Output} {
		if said := normalMessage(firstWords(text[:min(len(text), messageBytes)])); said != "" {
			return said
		}
	}
	return "no message"
}

var (
	escapes = pattern.New("\x1b\\[[0-?]*[ -/]*[@-~]")
	// What stands before the reason in the output of test runners: rules, the
	// name of the test, where the failure is.
	preamble = pattern.New(`^(?:[\W_]*|--- FAIL: .*|=== .*|Error Trace:.*|Test:.*|Traceback \(most recent call last\):|File ".*", line \d+.*|at .*:\d+\)?)$`)
	// A matcher's signature says how it was compared and not what.
	matcher = pattern.New(`expect\(.*\bexpected\b`)
)

// firstWords is the first line that says something; lines that only announce
// what follows take that along.
func firstWords(text string) string {
	text = escapes.ReplaceAllString(text, "")
	var said []string
	traced := false
	for l := range strings.Lines(text) {
		indented := strings.HasPrefix(l, " ") || strings.HasPrefix(l, "\t")
		l = strings.TrimSpace(l[:min(len(l), lineBytes)])
		if strings.HasPrefix(l, "Traceback (") {
			traced = true // the reason follows the frames, which are indented
			continue
		}
		if preamble.MatchString(l) || traced && indented {
			continue
		}
		said = append(said, l)
		if len(said) == 4 || !announces(said[0], len(said)) {
			break
		}
	}
	return strings.Join(said, " ")
}

// announces reports whether a message of n lines so far needs another one.
func announces(first string, n int) bool {
	return strings.HasSuffix(first, ":") && n < 2 || matcher.MatchString(first) && n < 3
}

// variables are the parts of a message that differ from run to run, or from test
// to test, with what is put in their place; the order matters.
var variables = []struct {
	needs string // one of these characters; most messages have few of them
	what  *pattern.Pattern
	with  string
}{
	// pytest wraps the message of a fixture's failure in its own.
	{"\"", pattern.New(`^(failed on (?:setup|teardown)) with "(.*)"$`), "$1: $2"},
	{":", pattern.New(`^[\w./\\@+-]+\.\w{1,4}:\d+(?::\d+)?: *`), ""},
	{"-", pattern.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "<uuid>"},
	{"-", pattern.New(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d\b)?`), "<time>"},
	{":", pattern.New(`\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`), "<time>"},
	{"xX", pattern.New(`\b0[xX][0-9a-fA-F]+\b`), "<address>"},
	{":", pattern.New(`(\blocalhost|\b\d{1,3}(?:\.\d{1,3}){3}|\[?::1?\]?):\d{2,5}\b`), "$1:<port>"},
	{"0123456789", pattern.New(`(?i)\b(port|pid|process)([ =:#]+)\d+\b`), "$1$2<number>"},
	{"0123456789", pattern.New(`(?i)\b\d+(?:\.\d+)? ?(?:ms|msec|milliseconds?|µs|us|ns|s|secs?|seconds?)\b`), "<duration>"},
	{"/", pattern.New(`(?:file://)?(?:/[\w.@+~%-]+)+/([\w@+~%-][\w.@+~%-]*\.[A-Za-z]\w{0,4})\b`), "<dir>/$1"},
	{"/", pattern.New(`(^|[\s'"(=:,\x60])(?:file://)?(?:/[\w.@+~%-]+){2,}/?`), "$1<dir>"},
	{"\\", pattern.New(`(?i)\b[a-z]:\\(?:[^\\\s'"]+\\)*`), `<dir>/`},
	{":", pattern.New(`(\.[A-Za-z]\w{0,4}):\d+(?::\d+)?\b`), "$1"},
	{"\"'`", pattern.New(`(^|[\s(=:,\[{])(?:"[^"]{60,}"|'[^']{60,}'|\x60[^\x60]{60,}\x60)`), "$1<text>"},
	{"0123456789", pattern.New(`(?i)\b(?:[0-9a-f]{12,}|\d{9,})\b`), "<id>"},
}

// normalMessage is a message as one line of bounded length without what differs
// between runs.
func normalMessage(s string) string {
	s = wording.Fold(strings.ToValidUTF8(s, "\uFFFD"))
	for _, v := range variables {
		if strings.ContainsAny(s, v.needs) {
			s = v.what.ReplaceAllString(s, v.with)
		}
	}
	return strings.TrimSpace(wording.Cut(s, reasonRunes))
}
