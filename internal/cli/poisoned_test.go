package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
)

// poison is what a report of a fork's run may have in any of its texts.
const poison = "zqpoison\n::set-output name=result::PASS\n::error::zqpoison\r##[error]zqpoison\nresult=PASS\nresult<<EOF\nPASS\nEOF\n" +
	"</td></details></script><script>alert(1)</script><img src=x onerror=alert(1)> <!-- qa-action:v1:CI:qa:default --> " +
	"@octo-team [x](javascript:alert(1)) ![i](https://evil.example/x.png) \x1b[2J \u202e | ` ``` # QA PASS"

// obeyed are the forms in which readers obey it, by what they read.
var obeyed = map[string]map[string]*regexp.Regexp{
	"log": {
		"a command":             regexp.MustCompile(`(?m)^(::set-output name=result|::error::zqpoison|##\[error\]zqpoison)`),
		"a terminal's command":  regexp.MustCompile(`\x1b\[2J`),
		"another reading order": regexp.MustCompile("\u202e"),
	},
	"markdown": {
		"markup": regexp.MustCompile(`<script>alert|<img src=x|<!-- qa-action:v1:CI:qa:default --> @`),
		// In the address of a link it stands after %20, and calls nobody.
		"somebody called":          regexp.MustCompile(`(^|[^0])@octo-team`),
		"a link of its own":        regexp.MustCompile(`[^\\]\]\((javascript:|https?://evil)`),
		"a heading":                regexp.MustCompile(`(?m)^# QA PASS`),
		"another reading order":    regexp.MustCompile("\u202e"),
		"the mark of our comments": regexp.MustCompile(`(?s)<!-- qa-action:v1.*<!-- qa-action:v1`),
	},
	"page": {
		"markup":                regexp.MustCompile(`<script>alert|<img src=x`),
		"a link of its own":     regexp.MustCompile(`href="?javascript:`),
		"another reading order": regexp.MustCompile("\u202e"),
	},
}

// fenced is text that readers of markdown show as it is.
var fenced = regexp.MustCompile("(?ms)^(````+|```)[a-z]*\n.*?^(````+|```)$")

// poisonedText puts hostile text into every text of a report, one at a time; what is
// not refused is published from the trusted half, all of it at once, and shown as
// what it is.
func (s *step) poisonedText(t *testing.T, run ended) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(run.outputs["report-json"])))
	assert.NilError(t, err)
	var report any
	assert.NilError(t, json.Unmarshal(raw, &report))
	places := map[string]func(string){}
	texts("", report, places)
	var refused, shown []string
	for _, place := range slices.Sorted(maps.Keys(places)) {
		places[place](poison)
		changed, err := json.Marshal(report)
		assert.NilError(t, err)
		r, err := reporter.Read(bytes.NewReader(changed))
		if err == nil {
			err = quality.Verify(r)
		}
		if err != nil || place == ".repository" || place == ".change.head" {
			places[place]("") // takes it back
			refused = append(refused, place)
			continue
		}
		shown = append(shown, place)
	}
	t.Logf("refused: %q\nshown: %q", refused, shown)
	assert.Assert(t, len(shown) > 20 && len(refused) > 5)
	changed, err := json.Marshal(report)
	assert.NilError(t, err)
	e, half := s.published(t, changed)
	assert.Equal(t, e.code, exitFail, e.text)
	assert.Equal(t, e.outputs["result"], "FAIL")
	half.obeysNothing(t, e)
}

// published is what the trusted half makes of a report.
func (s *step) published(t *testing.T, report []byte) (ended, *step) {
	t.Helper()
	half := s.half(t)
	dir := filepath.Join(half.workspace, "artifact", "session")
	assert.NilError(t, os.MkdirAll(dir, 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "report.json"), report, 0o600))
	return half.run(t.Context(), nil, "report", "artifact"), half
}

// obeysNothing looks at all that was published.
func (s *step) obeysNothing(t *testing.T, e ended) {
	t.Helper()
	look := func(kind, where, text string) {
		if kind == "markdown" {
			text = fenced.ReplaceAllString(text, "")
		}
		for what, form := range obeyed[kind] {
			if at := form.FindStringIndex(text); at != nil {
				t.Errorf("%s in the %s: %q", what, where, text[max(0, at[0]-80):min(len(text), at[1]+80)])
			}
		}
	}
	look("log", "log", e.text)
	look("markdown", "summary", e.summary)
	assert.Equal(t, len(s.server.Comments), 1)
	look("markdown", "comment", s.server.Comments[0].Body)
	for _, c := range s.server.Checks {
		look("markdown", "check run", c.Summary+"\n"+c.Text)
	}
	data, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(e.outputs["report-html"])))
	assert.NilError(t, err)
	look("page", "page", string(data))
	for name, value := range e.outputs {
		assert.Assert(t, !strings.Contains(name, "zqpoison") && value != "PASS" && !strings.Contains(value, "\n::"), "output %s=%q", name, value)
	}
}

// texts finds where a report has a text, one place for all elements of a list. What
// it gives puts another there, or with nothing the first one back.
func texts(path string, v any, places map[string]func(string)) {
	add := func(path string, put func(any), was any) {
		if text, ok := was.(string); ok && text != "" && places[path] == nil {
			places[path] = func(other string) {
				if other == "" {
					other = text
				}
				put(other)
			}
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			add(path+"."+name, func(x any) { v[name] = x }, v[name])
			texts(path+"."+name, v[name], places)
		}
	case []any:
		for i := range v {
			add(path+"[]", func(x any) { v[i] = x }, v[i])
			texts(path+"[]", v[i], places)
		}
	}
}

// poisonedNumbers has what no run can have measured: it is refused, and takes
// nothing with it.
func (s *step) poisonedNumbers(t *testing.T, run ended) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(run.outputs["report-json"])))
	assert.NilError(t, err)
	at := func(r map[string]any, names ...string) map[string]any {
		for _, name := range names {
			r = r[name].(map[string]any)
		}
		return r
	}
	for name, change := range map[string]func(r map[string]any){
		"fewer than no failures":    func(r map[string]any) { at(r, "tests", "head")["failed"] = -1 },
		"a test that never ran":     func(r map[string]any) { at(r, "tests", "head")["passed"] = 1000 },
		"a fraction of a test":      func(r map[string]any) { at(r, "tests", "head")["failed"] = 0.5 },
		"more tests than a number":  func(r map[string]any) { at(r, "tests", "head")["passed"] = json.Number("1e400") },
		"a score above all":         func(r map[string]any) { at(r, "score")["value"] = 1000 },
		"a score without its terms": func(r map[string]any) { at(r, "score")["value"] = 100 },
		"no gates":                  func(r map[string]any) { r["gates"] = []any{} },
		"a gate that is not known": func(r map[string]any) {
			r["gates"] = append(r["gates"].([]any), map[string]any{"gate": "zq", "verdict": "PASS"})
		},
		"a gate twice": func(r map[string]any) {
			g := r["gates"].([]any)
			r["gates"] = append(g, g[0])
		},
		"a verdict that is none":      func(r map[string]any) { r["result"] = "PASSED" },
		"a schema of another day":     func(r map[string]any) { r["schema"] = 99 },
		"a failure that base had too": func(r map[string]any) { failing(r)["triage"] = "pre-existing" },
		"a failure that is flaky":     func(r map[string]any) { failing(r)["triage"] = "flaky" },
		"more lines covered than there are": func(r map[string]any) {
			patch := at(r, "coverage", "patch", "lines")
			patch["covered"] = patch["total"].(float64) + 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			var report map[string]any
			assert.NilError(t, json.Unmarshal(raw, &report))
			change(report)
			changed, err := json.Marshal(report)
			assert.NilError(t, err)
			r, err := reporter.Read(bytes.NewReader(changed))
			if err == nil {
				err = quality.Verify(r)
			}
			assert.Assert(t, err != nil)
			t.Log(err)
			if name != "no gates" && name != "a score above all" {
				return // how a refusal is published, each of them shows
			}
			e, half := s.published(t, changed)
			assert.Equal(t, e.code, exitInconclusive, e.text)
			assert.Equal(t, len(half.server.Comments)+len(half.server.Checks), 0, e.text)
			assert.Equal(t, e.outputs["result"], "")
			assert.Assert(t, !strings.Contains(e.summary, "PASS"), e.summary)
		})
	}
}

func failing(r map[string]any) map[string]any {
	return r["tests"].(map[string]any)["failing"].([]any)[0].(map[string]any)
}

// fullFiles publishes where the runner's files have no room: the verdict stays, each
// says so in one line, and the rest is published.
func (s *step) fullFiles(t *testing.T, run ended) {
	t.Helper()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	raw, err := os.ReadFile(filepath.Join(s.workspace, filepath.FromSlash(run.outputs["report-json"])))
	assert.NilError(t, err)
	half := s.half(t)
	dir := filepath.Join(half.workspace, "artifact", "session")
	assert.NilError(t, os.MkdirAll(dir, 0o755))
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "report.json"), raw, 0o600))
	env := maps.Clone(half.env)
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_STATE", "GITHUB_PATH"} {
		env[name] = "/dev/full"
	}
	var log bytes.Buffer
	code := Main(t.Context(), Env{Stdin: strings.NewReader(""), Stdout: &log, Stderr: &log, Dir: half.workspace,
		Getenv: func(name string) string { return env[name] }}, []string{"report", "artifact"})
	assert.Equal(t, code, exitFail, log.String())
	for _, want := range []string{"qa: outputs: ", "qa: job summary: "} {
		assert.Equal(t, strings.Count(log.String(), want), 1, log.String())
	}
	assert.Equal(t, strings.Count(log.String(), "no space left on device"), 2, log.String())
	assert.Equal(t, len(half.server.Comments), 1)
}
