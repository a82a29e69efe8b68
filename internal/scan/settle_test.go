package scan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
)

// changed builds a request for one modified file whose given lines the change
// wrote.
func changed(t testing.TB, path, text string, added ...qa.Range) Request {
	t.Helper()
	root := t.TempDir()
	write(t, root, path, text)
	req := request(t, root)
	req.Change.Files[0].Status, req.Change.Files[0].Added = qa.Modified, added
	return req
}

func settled(t testing.TB, req Request, hits ...Hit) Result {
	t.Helper()
	for i := range hits {
		if hits[i].Engine == "" {
			hits[i].Engine = "oxlint"
		}
	}
	res, err := Settle(req, hits)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func one(t testing.TB, res Result) qa.Finding {
	t.Helper()
	if len(res.Findings) != 1 {
		t.Fatalf("%d findings, want 1: %+v", len(res.Findings), res)
	}
	return res.Findings[0]
}

const app = `package app

func First() int {
	x := 1
	return x
}

func Second() int {
	return 2
}
`

func at(line int, rule string) Hit {
	return Hit{Rule: rule, Path: "app.go", Lines: qa.Range{Start: line, End: line}, Message: "bad"}
}

func TestOnlyTheChangeIsNew(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hit  Hit
		want qa.FindingStatus
	}{
		"on a written line":                    {at(4, "x/y"), qa.StatusNew},
		"elsewhere in a changed function":      {at(5, "x/y"), qa.StatusNew},
		"in an untouched function":             {at(9, "x/y"), qa.StatusKnown},
		"line-only, elsewhere in the function": {func() Hit { h := at(5, "x/y"); h.own = true; return h }(), qa.StatusKnown},
		"stood on base":                        {func() Hit { h := at(4, "x/y"); h.old = true; return h }(), qa.StatusKnown},
		"about the whole of an old file":       {Hit{Rule: "x/y", Path: "app.go"}, qa.StatusKnown},
		"spanning a written line":              {Hit{Rule: "x/y", Path: "app.go", Lines: qa.Range{Start: 3, End: 5}}, qa.StatusNew},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := changed(t, "app.go", app, qa.Range{Start: 4, End: 4})
			if got := one(t, settled(t, req, tc.hit)).Status; got != tc.want {
				t.Errorf("status %s, want %s", got, tc.want)
			}
		})
	}
}

func TestEverythingIsNewInScopeAll(t *testing.T) {
	t.Parallel()
	req := changed(t, "app.go", app)
	req.Change.All = true
	if got := one(t, settled(t, req, at(9, "x/y"))).Status; got != qa.StatusNew {
		t.Errorf("status %s", got)
	}
}

func TestOneProblemInOnePlaceIsOneFinding(t *testing.T) {
	t.Parallel()
	req := changed(t, "app.go", app, qa.Range{Start: 1, End: 9})
	res := settled(t, req,
		Hit{Engine: "govet", Rule: "govet/printf", Path: "app.go", Lines: qa.Range{Start: 4, End: 5}, Message: "vet says", Severity: qa.Low},
		Hit{Engine: "staticcheck", Rule: "staticcheck/SA5009", Path: "app.go", Lines: qa.Range{Start: 5, End: 5}, Message: "staticcheck says", Perspectives: []qa.Perspective{qa.CodeQuality}},
		Hit{Engine: "golangci-lint", Rule: "staticcheck/SA5009", Path: "app.go", Lines: qa.Range{Start: 5, End: 5}, Message: "staticcheck says"},
		Hit{Engine: "staticcheck", Rule: "staticcheck/SA4006", Path: "app.go", Lines: qa.Range{Start: 5, End: 5}, Message: "another problem"},
	)
	if len(res.Findings) != 2 {
		t.Fatalf("%d findings, want 2", len(res.Findings))
	}
	f := res.Findings[0]
	if diff := cmp.Diff([]string{"golangci-lint", "govet", "staticcheck"}, f.Engines); diff != "" {
		t.Error(diff)
	}
	if f.Severity != qa.Medium {
		t.Errorf("severity %s, want the worst of all", f.Severity)
	}
	if diff := cmp.Diff([]qa.Perspective{qa.Bug, qa.CodeQuality}, f.Perspectives); diff != "" {
		t.Error(diff)
	}
}

// What a model says of an engine's finding changes its rating in no direction.
func TestAModelDoesNotRateForAnEngine(t *testing.T) {
	t.Parallel()
	says := func(engine string, s qa.Severity) entry {
		return entry{f: qa.Finding{Path: "a.go", Lines: qa.Range{Start: 5, End: 5}, Engines: []string{engine}, Severity: s, Message: engine}, group: "g"}
	}
	for name, c := range map[string]struct {
		all  []entry
		want qa.Severity
	}{
		"raises":          {[]entry{says("govet", qa.Medium), says("model", qa.Critical)}, qa.Medium},
		"lowers":          {[]entry{says("govet", qa.High), says("model", qa.Low)}, qa.High},
		"speaks first":    {[]entry{says("model", qa.Critical), says("staticcheck", qa.Low)}, qa.Low},
		"between engines": {[]entry{says("govet", qa.Low), says("model", qa.Critical), says("staticcheck", qa.Medium)}, qa.Medium},
		"alone":           {[]entry{says("model", qa.High)}, qa.High},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := merge(c.all); len(got) != 1 || got[0].f.Severity != c.want {
				t.Errorf("%+v, want %s", got, c.want)
			}
		})
	}
}

func TestRulesOfOneNameAreOneGroup(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"oxlint/no-debugger", "eslint/no-debugger"},
		{"oxlint/no-debugger", "biome/lint/suspicious/noDebugger"},
		{"oxlint/typescript/no-misused-new", "eslint/@typescript-eslint/no-misused-new"},
		{"oxlint/use-isnan", "esbuild/equals-nan"},
		{"ruff/F401", "pylint/W0611"},
		{"ruff/S602", "bandit/B602"},
		{"ruff/F401", "flake8/F401"},
		{"gosec/G201", "gosec/G701"},
		{"test-smell/focused", "oxlint/vitest/no-focused-tests"},
		{"ruff/syntax", "pylint/E0001"},
	} {
		if a, b := ruleFor(Hit{Rule: pair[0]}).Group, ruleFor(Hit{Rule: pair[1]}).Group; a != b {
			t.Errorf("%s is %s, %s is %s", pair[0], a, pair[1], b)
		}
	}
}

// TestFingerprintStaysWhenLinesShift moves a finding around and edits what is
// around it.
func TestFingerprintStaysWhenLinesShift(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		above := rapid.SliceOf(rapid.SampledFrom([]string{"", "// note", "var z = 1"})).Draw(rt, "above")
		indent := rapid.SampledFrom([]string{"", "\t", "    "}).Draw(rt, "indent")
		text := strings.Join(append(append([]string{"package app"}, above...), indent+"eval( x )", ""), "\n")
		f := newFile(qa.FileChange{Path: "app.go"}, []byte(text), nil)
		e := entry{file: f, group: "js/no-eval", f: qa.Finding{Path: "app.go", Lines: qa.Range{Start: len(above) + 2, End: len(above) + 2}}}
		e.quote(mask{})
		list := []entry{e}
		fingerprint(list)
		if want := digest("js/no-eval\x00app.go\x00eval( x )\x001"); list[0].f.Fingerprint != want {
			rt.Fatalf("fingerprint moved with %q", text)
		}
	})
}

func TestEqualLinesHaveDifferentFingerprints(t *testing.T) {
	t.Parallel()
	req := changed(t, "app.go", "package app\nvar a = f()\nvar a = f()\n", qa.Range{Start: 1, End: 3})
	res := settled(t, req, at(2, "x/y"), at(3, "x/y"))
	if len(res.Findings) != 2 || res.Findings[0].Fingerprint == res.Findings[1].Fingerprint {
		t.Errorf("findings are not told apart: %+v", res.Findings)
	}
}

func TestSecretsAppearNowhere(t *testing.T) {
	t.Parallel()
	const secret = "Zx81kQm42pLw"
	text := "package app\nvar token = \"" + secret + "\"\n"
	req := changed(t, "app.go", text, qa.Range{Start: 1, End: 2})
	res := settled(t, req,
		Hit{Engine: "secrets", Rule: "gitleaks/x", Path: "app.go", Lines: qa.Range{Start: 2, End: 2}, Message: "found " + secret, Secrets: []string{secret}},
		Hit{Engine: "other", Rule: "other/x", Path: "app.go", Lines: qa.Range{Start: 1, End: 2}, Message: "line is " + secret, Suggestion: "remove " + secret},
	)
	if len(res.Findings) != 2 {
		t.Fatalf("%d findings, want 2", len(res.Findings))
	}
	all, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(all), secret) {
		t.Errorf("the secret is in the result: %s", all)
	}
	if !strings.Contains(res.Findings[0].Quote, redacted) {
		t.Errorf("quote %q does not say that something was left out", res.Findings[0].Quote)
	}
}

// TestAnotherLinterMustNotQuoteASecret: the secrets engine need not have been
// asked for its rules to hide what others quote.
func TestAnotherLinterMustNotQuoteASecret(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_x7Kq2mW9vRt4Yb8Zn3Lc6Dh1Jf5Gs0PaUeT2"
	req := changed(t, "app.go", "package app\nvar t = \""+token+"\"\n", qa.Range{Start: 1, End: 2})
	f := one(t, settled(t, req, Hit{Engine: "staticcheck", Rule: "staticcheck/U1000", Path: "app.go", Lines: qa.Range{Start: 2, End: 2}, Message: "unused"}))
	if strings.Contains(f.Quote, token) {
		t.Errorf("quote %q", f.Quote)
	}
}

// TestOnlySeverityLeavesFindingsOut: a limit of display changes no count.
func TestOnlySeverityLeavesFindingsOut(t *testing.T) {
	t.Parallel()
	const n = 400
	var text strings.Builder
	var hits []Hit
	for i := range n {
		text.WriteString("line\n")
		h := at(i+1, "x/y")
		h.Severity = qa.Severities()[i%4]
		hits = append(hits, h)
	}
	req := changed(t, "app.go", text.String(), qa.Range{Start: 1, End: n})
	req.Outline, req.MinSeverity = nil, qa.Medium
	res := settled(t, req, hits...)
	count := map[qa.Severity]int{}
	for _, f := range res.Findings {
		count[f.Severity]++
	}
	if diff := cmp.Diff(map[qa.Severity]int{qa.Critical: n / 4, qa.High: n / 4, qa.Medium: n / 4}, count); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"below min-severity medium": n / 4}, res.Folded); diff != "" {
		t.Error(diff)
	}
	if got, want := res.Summary(), "300 new findings (100 critical, 100 high, 100 medium)"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	if res.Findings[0].ID != "SCOUT-ISSUE-1" || res.Findings[299].ID != "SCOUT-ISSUE-300" {
		t.Error("ids are not in rank order")
	}
	for limit, want := range map[int]int{0: 300, 1: 200, 200: 200, 250: 250, 1000: 300} {
		if got := qa.InFull(res.Findings, limit); got != want {
			t.Errorf("with a limit of %d, %d are shown in full, want %d", limit, got, want)
		}
	}
}

func TestAHundredThousandFindingsAreCounted(t *testing.T) {
	t.Parallel()
	const n = 100_000
	hits := make([]Hit, n)
	for i := range hits {
		hits[i] = at(i+1, "x/y")
	}
	req := changed(t, "app.go", strings.Repeat("call()\n", n), qa.Range{Start: 1, End: n})
	req.Outline = nil
	res := settled(t, req, hits...)
	if got, want := Join(req, res, res).Summary(), "100,000 new findings (100,000 medium)"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
}

func TestJoinDecidesAgain(t *testing.T) {
	t.Parallel()
	req := changed(t, "app.go", app, qa.Range{Start: 1, End: 10})
	req.MinSeverity = qa.High
	first := settled(t, req, at(3, "x/a"), at(4, "x/b"))
	later := at(9, "x/c")
	later.Severity = qa.High
	second := settled(t, req, later, Hit{Engine: "model", Rule: "x/a", Path: "app.go", Lines: qa.Range{Start: 3, End: 3}, Message: "bad"})
	joined := Join(req, first, second)
	if len(joined.Findings) != 1 || joined.Findings[0].Rule.ID != "x/c" || len(joined.Cut) != 2 || joined.Folded["below min-severity high"] != 2 {
		t.Fatalf("%+v", joined)
	}
	if diff := cmp.Diff([]string{"model", "oxlint"}, joined.Cut[0].Engines); diff != "" {
		t.Error(diff)
	}
}
