package scan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/credential"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/testsupport/fixture"
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

func settled(t testing.TB, req Request, hits ...engine.Hit) finding.Result {
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

// judged settles hits of which the run found out more.
func judged(t testing.TB, req Request, hits ...finding.Reported) finding.Result {
	t.Helper()
	_, settle, err := prepare(req.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return settle(hits)
}

func one(t testing.TB, res finding.Result) qa.Finding {
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

func at(line int, rule string) engine.Hit {
	return engine.Hit{Rule: rule, Path: "app.go", Lines: qa.Range{Start: line, End: line}, Message: "bad"}
}

func TestOnlyTheChangeIsNew(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		hit  finding.Reported
		want qa.FindingStatus
	}{
		"on a written line":                    {finding.Reported{Hit: at(4, "x/y")}, qa.StatusNew},
		"elsewhere in a changed function":      {finding.Reported{Hit: at(5, "x/y")}, qa.StatusNew},
		"in an untouched function":             {finding.Reported{Hit: at(9, "x/y")}, qa.StatusKnown},
		"line-only, elsewhere in the function": {finding.Reported{Hit: at(5, "x/y"), Own: true}, qa.StatusKnown},
		"stood on base":                        {finding.Reported{Hit: at(4, "x/y"), Old: true}, qa.StatusKnown},
		"about the whole of an old file":       {finding.Reported{Hit: engine.Hit{Rule: "x/y", Path: "app.go"}}, qa.StatusKnown},
		"spanning a written line":              {finding.Reported{Hit: engine.Hit{Rule: "x/y", Path: "app.go", Lines: qa.Range{Start: 3, End: 5}}}, qa.StatusNew},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := changed(t, "app.go", app, qa.Range{Start: 4, End: 4})
			if got := one(t, judged(t, req, tc.hit)).Status; got != tc.want {
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
		engine.Hit{Engine: "govet", Rule: "govet/printf", Path: "app.go", Lines: qa.Range{Start: 4, End: 5}, Message: "vet says", Severity: qa.Low},
		engine.Hit{Engine: "staticcheck", Rule: "staticcheck/SA5009", Path: "app.go", Lines: qa.Range{Start: 5, End: 5}, Message: "staticcheck says", Perspectives: []qa.Perspective{qa.CodeQuality}},
		engine.Hit{Engine: "golangci-lint", Rule: "staticcheck/SA5009", Path: "app.go", Lines: qa.Range{Start: 5, End: 5}, Message: "staticcheck says"},
		engine.Hit{Engine: "staticcheck", Rule: "staticcheck/SA4006", Path: "app.go", Lines: qa.Range{Start: 5, End: 5}, Message: "another problem"},
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
		if a, b := engine.RuleFor(engine.Hit{Rule: pair[0]}).Group, engine.RuleFor(engine.Hit{Rule: pair[1]}).Group; a != b {
			t.Errorf("%s is %s, %s is %s", pair[0], a, pair[1], b)
		}
	}
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
		engine.Hit{Engine: "secrets", Rule: "gitleaks/x", Path: "app.go", Lines: qa.Range{Start: 2, End: 2}, Message: "found " + secret, Secrets: []string{secret}},
		engine.Hit{Engine: "other", Rule: "other/x", Path: "app.go", Lines: qa.Range{Start: 1, End: 2}, Message: "line is " + secret, Suggestion: "remove " + secret},
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
	if !strings.Contains(res.Findings[0].Quote, credential.Redacted) {
		t.Errorf("quote %q does not say that something was left out", res.Findings[0].Quote)
	}
}

// TestAnotherLinterMustNotQuoteASecret: the secrets engine need not have been
// asked for its rules to hide what others quote.
func TestAnotherLinterMustNotQuoteASecret(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_x7Kq2mW9vRt4Yb8Zn3Lc6Dh1Jf5Gs0PaUeT2"
	req := changed(t, "app.go", "package app\nvar t = \""+token+"\"\n", qa.Range{Start: 1, End: 2})
	f := one(t, settled(t, req, engine.Hit{Engine: "staticcheck", Rule: "staticcheck/U1000", Path: "app.go", Lines: qa.Range{Start: 2, End: 2}, Message: "unused"}))
	if strings.Contains(f.Quote, token) {
		t.Errorf("quote %q", f.Quote)
	}
}

// TestOnlySeverityLeavesFindingsOut: a limit of display changes no count.
func TestOnlySeverityLeavesFindingsOut(t *testing.T) {
	t.Parallel()
	const n = 400
	var text strings.Builder
	var hits []engine.Hit
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
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	const n = 100_000
	hits := make([]engine.Hit, n)
	for i := range hits {
		hits[i] = at(i+1, "x/y")
	}
	req := changed(t, "app.go", strings.Repeat("call()\n", n), qa.Range{Start: 1, End: n})
	req.Outline = nil
	res := settled(t, req, hits...)
	if got, want := finding.Join("", res, res).Summary(), "100,000 new findings (100,000 medium)"; got != want {
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
	second := settled(t, req, later, engine.Hit{Engine: "model", Rule: "x/a", Path: "app.go", Lines: qa.Range{Start: 3, End: 3}, Message: "bad"})
	joined := finding.Join(qa.High, first, second)
	if len(joined.Findings) != 1 || joined.Findings[0].Rule.ID != "x/c" || len(joined.Cut) != 2 || joined.Folded["below min-severity high"] != 2 {
		t.Fatalf("%+v", joined)
	}
	if diff := cmp.Diff([]string{"model", "oxlint"}, joined.Cut[0].Engines); diff != "" {
		t.Error(diff)
	}
}
