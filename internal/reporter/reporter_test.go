package reporter

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/testsupport/fixture"
	"github.com/org/qa-action/internal/wording"
)

// TestConformance is what every member keeps to, in every situation: it does
// not change the report, it says the same thing twice, it needs no option, and
// it emits no terminal escape, no bidi control and no comment marker.
func TestConformance(t *testing.T) {
	t.Parallel()
	all := situations(t)
	delete(all, "flood")
	all["empty"] = &qa.Report{}
	for _, member := range Names() {
		rep, err := For(member)
		assert.NilError(t, err)
		assert.Equal(t, rep.Name, member)
		if rep.File != "" {
			assert.Assert(t, escape.SafePath(rep.File) && !strings.HasPrefix(path.Base(rep.File), "."), rep.File)
		}
		for name, r := range all {
			t.Run(member+"/"+name, func(t *testing.T) {
				t.Parallel()
				before := fmt.Sprintf("%#v", r)
				var one, two, bare bytes.Buffer
				assert.NilError(t, Render(&one, member, r, onHost()))
				assert.NilError(t, Render(&two, member, r, onHost()))
				assert.NilError(t, Render(&bare, member, r, Options{}))
				assert.Assert(t, bytes.Equal(one.Bytes(), two.Bytes()), "not deterministic")
				assert.Equal(t, fmt.Sprintf("%#v", r), before, "the report was changed")
				if !strings.Contains(" annotations check comment console html markdown outputs summary ", " "+member+" ") {
					return // the rest is for people
				}
				for _, out := range []string{one.String(), bare.String()} {
					assert.Assert(t, !strings.ContainsAny(out, "\x1b\u202e\u2066\x07"), "control characters")
					if member != "annotations" && member != "console" {
						assert.Assert(t, !strings.Contains(out, "<!-- qa-action"), "a comment marker")
					}
				}
				if r.Result != "" && member != "annotations" {
					assert.Assert(t, strings.Contains(bare.String(), string(r.Result)) || member == "check" && strings.Contains(bare.String(), "conclusion"), "the verdict is missing")
				}
			})
		}
	}
}

// TestSaysNoModelOnce: the absence of a model is stated once, or, with one,
// not at all.
func TestSaysNoModelOnce(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for name, r := range situations(t) {
		if name == "flood" {
			continue
		}
		for i := range r.Manifest.Tasks {
			r.Manifest.Tasks[i].Detail = ""
		}
		want := 1
		if r.Manifest.Model.Configured {
			want = 0
		}
		for _, member := range []string{"comment", "summary", "markdown", "console", "html"} {
			var out bytes.Buffer
			assert.NilError(t, Render(&out, member, r, onHost()))
			assert.Equal(t, strings.Count(out.String(), "no model configured"), want, "%s/%s", name, member)
		}
	}
}

func TestForListsNames(t *testing.T) {
	t.Parallel()
	_, err := For("fax")
	assert.ErrorContains(t, err, `unknown reporter "fax", valid reporters are annotations, check`)
	rep, err := For("HTML")
	assert.NilError(t, err)
	assert.Equal(t, rep.File, "report.html")
}

func TestColour(t *testing.T) {
	t.Parallel()
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	assert.Assert(t, Colour(env(nil), true))
	assert.Assert(t, !Colour(env(nil), false))
	assert.Assert(t, !Colour(env(map[string]string{"NO_COLOR": "1"}), true))
	assert.Assert(t, !Colour(env(map[string]string{"TERM": "dumb"}), true))
}

// TestConsole: escapes only when told, groups only in a log, and every line
// within the screen.
func TestConsole(t *testing.T) {
	t.Parallel()
	r := situation(t, "failing-new-test.json")
	render := func(o Options) string {
		var out bytes.Buffer
		assert.NilError(t, Render(&out, "console", r, o))
		return out.String()
	}
	plainText := render(Options{})
	assert.Assert(t, !strings.Contains(plainText, "\x1b") && !strings.Contains(plainText, "::group::"))
	coloured := render(Options{Colour: true})
	assert.Assert(t, strings.Contains(coloured, "\x1b["))
	assert.Equal(t, wording.Plain(coloured), plainText, "colour changes more than colour")
	ci := render(Options{CI: true})
	assert.Equal(t, strings.Count(ci, "::group::"), strings.Count(ci, "::endgroup::"))
	assert.Assert(t, strings.Contains(ci, "::group::Coverage 1820/2000 = 91 %\n"))
	assert.Assert(t, strings.Contains(ci, "\n4 tests failed, 1 needs your attention\n"), "what needs a person must not be folded")
	assert.Assert(t, strings.Contains(ci, "$ npx vitest run src/cart.test.ts -t 'applies two discounts one after the other'\n"))
}

// TestConsoleHoldsNoCommand: hostile text never reaches the log as a workflow
// command.
func TestConsoleHoldsNoCommand(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	assert.NilError(t, Render(&out, "console", situation(t, "hostile-text.json"), Options{CI: true}))
	for l := range strings.Lines(out.String()) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "::group::") || l == "::endgroup::" {
			continue
		}
		assert.Assert(t, !strings.HasPrefix(l, "::"), l)
		assert.Assert(t, !strings.Contains(l, "##["), l)
	}
}

// TestExplainIsInert: the answer about a finding is as harmless as the comment, for
// every finding of every situation, and for a mark that nobody gave.
func TestExplainIsInert(t *testing.T) {
	t.Parallel()
	all := situations(t)
	delete(all, "flood")
	for name, r := range all {
		marks := []string{"", "x", "\x1b[31m`</details>@admin"}
		for _, f := range r.Findings {
			marks = append(marks, f.ID, f.Fingerprint)
		}
		for i, mark := range marks {
			text, found := Explain(r, mark, onHost())
			assert.Equal(t, found, i > 2, "%s: %q", name, mark)
			assert.Assert(t, !strings.ContainsAny(text, "\x1b\u202e\u2066\x07"), "%s: control characters", name)
			for _, active := range []string{"<script", "<img", "<!--", "javascript:"} {
				assert.Assert(t, !strings.Contains(strings.ToLower(outsideCode(text)), active), "%s: %s in\n%s", name, active, text)
			}
		}
	}
}

// outsideCode is a text without its fenced blocks, in which everything is text.
func outsideCode(text string) string {
	var out []string
	fence := ""
	for line := range strings.Lines(text) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence == "":
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
