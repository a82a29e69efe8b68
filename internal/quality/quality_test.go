package quality

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/qa"
)

func ptr[T any](v T) *T { return &v }

// green is a report in which everything was measured and is fine.
func green() *qa.Report {
	return &qa.Report{
		Change: qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Status: qa.Modified}}},
		Tests:  qa.Tests{Head: qa.Tally{Tests: 10, Passed: 10}},
		Coverage: qa.CoverageReport{State: "measured",
			Patch:  &qa.PatchCoverage{Lines: qa.Count{Covered: 18, Total: 20}, Changed: 20},
			Layers: []qa.LayerResult{{Layer: qa.L1, State: "measured", Target: 80, Patch: &qa.Count{Covered: 18, Total: 20}, PassRate: ptr(1.0), Iterations: 1}},
		},
		Manifest: qa.Manifest{Engines: []qa.Engine{{Name: "govet", State: "ran"}}, Targets: []qa.TargetRow{{Name: ".", State: "ran", Tests: qa.Tally{Tests: 10, Passed: 10}}}},
	}
}

func finding(p qa.Perspective, s qa.Severity, e qa.Evidence) qa.Finding {
	return qa.Finding{ID: "SCOUT-ISSUE-1", Perspectives: []qa.Perspective{p}, Severity: s, Evidence: e, Status: qa.StatusNew}
}

func TestScoreTerms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit  func(*qa.Report)
		value int
		terms string
	}{
		"green":                 {func(*qa.Report) {}, 100, "start 100"},
		"effective is clamped":  {func(r *qa.Report) { r.Coverage.Layers[0].Effective = true }, 100, "start 100, effective L1 5"},
		"security critical":     {func(r *qa.Report) { r.Findings = []qa.Finding{finding(qa.Security, qa.Critical, qa.Corroborated)} }, 86, "start 100, findings -14"},
		"proven high is capped": {func(r *qa.Report) { r.Findings = []qa.Finding{finding(qa.Bug, qa.High, qa.Proven)} }, 40, "start 100, findings -5"},
		"suspected is free":     {func(r *qa.Report) { r.Findings = []qa.Finding{finding(qa.Bug, qa.Critical, qa.Suspected)} }, 100, "start 100"},
		"coverage gap":          {func(r *qa.Report) { r.Coverage.Layers[0].Patch = &qa.Count{Covered: 10, Total: 20} }, 85, "start 100, coverage L1 -15"},
		"gap is capped":         {func(r *qa.Report) { r.Coverage.Layers[0].Patch = &qa.Count{Covered: 0, Total: 20} }, 80, "start 100, coverage L1 -20"},
		"few lines are advisory": {func(r *qa.Report) {
			r.Coverage.Patch.Lines = qa.Count{Covered: 0, Total: 9}
			r.Coverage.Layers[0].Patch = &qa.Count{Covered: 0, Total: 9}
		}, 100, "start 100"},
		"unknown is neutral": {func(r *qa.Report) { r.Coverage = qa.CoverageReport{State: "unknown"} }, 100, "start 100"},
		"new failures": {func(r *qa.Report) {
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.NewFailure}, {Triage: qa.PreExisting}, {Triage: qa.FlakyFailure}}
		}, 90, "start 100, new failures -10"},
		"trend": {func(r *qa.Report) {
			r.Trend.Direction = "improving"
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.UnknownFailure}}
		}, 93, "start 100, new failures -10, trend 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := green()
			c.edit(r)
			s := Score(r)
			var terms []string
			for _, term := range s.Terms {
				terms = append(terms, term.Name+" "+trim(term.Points))
			}
			if s.Value == nil || *s.Value != c.value || strings.Join(terms, ", ") != c.terms {
				t.Errorf("got %v with %v, want %d with %s", deref(s.Value), terms, c.value, c.terms)
			}
		})
	}
}

func trim(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func deref(p *int) any {
	if p == nil {
		return nil
	}
	return *p
}

func TestNothingMeasuredHasNoScore(t *testing.T) {
	t.Parallel()
	if s := Score(&qa.Report{}); s.Value != nil {
		t.Errorf("score %d out of nothing", *s.Value)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit  func(*qa.Report)
		rules Rules
		want  qa.Verdict
		why   string
	}{
		"green":              {func(*qa.Report) {}, Rules{}, qa.Pass, "every gate passed"},
		"zero tests":         {func(r *qa.Report) { r.Tests.Head = qa.Tally{} }, Rules{}, qa.Inconclusive, "no test was executed"},
		"only skipped tests": {func(r *qa.Report) { r.Tests.Head = qa.Tally{Tests: 3, Skipped: 3} }, Rules{}, qa.Inconclusive, "no test was executed"},
		"one target missing": {func(r *qa.Report) {
			r.Manifest.Targets = append(r.Manifest.Targets, qa.TargetRow{Name: "web", State: "inconclusive", Reason: "no framework found"})
		}, Rules{}, qa.Inconclusive, "web: no framework found"},
		"new failure":         {func(r *qa.Report) { r.Tests.Failing = []qa.FailingTest{{Triage: qa.NewFailure}} }, Rules{}, qa.Fail, "1 new"},
		"pre-existing passes": {func(r *qa.Report) { r.Tests.Failing = []qa.FailingTest{{Triage: qa.PreExisting}} }, Rules{}, qa.Pass, ""},
		"flaky passes":        {func(r *qa.Report) { r.Tests.Failing = []qa.FailingTest{{Triage: qa.FlakyFailure}} }, Rules{}, qa.Pass, ""},
		"flaky can be gated":  {func(r *qa.Report) { r.Tests.Failing = []qa.FailingTest{{Triage: qa.FlakyFailure}} }, Rules{FailOn: []string{"flaky"}}, qa.Fail, "flaky"},
		"failure beats unknown": {func(r *qa.Report) {
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.NewFailure}}
			r.Manifest.Targets[0] = qa.TargetRow{Name: "b", State: "inconclusive", Reason: "x"}
		}, Rules{}, qa.Fail, "1 new"},
		"uncovered is advice":    {func(r *qa.Report) { r.Coverage.Patch.Lines.Covered = 0 }, Rules{Target: 80}, qa.Pass, ""},
		"uncovered can gate":     {func(r *qa.Report) { r.Coverage.Patch.Lines.Covered = 0 }, Rules{Target: 80, FailOn: []string{"patch-coverage"}}, qa.Fail, "0/20"},
		"99.99 is not 100":       {func(r *qa.Report) { r.Coverage.Patch.Lines = qa.Count{Covered: 9999, Total: 10000} }, Rules{Target: 100, FailOn: []string{"patch-coverage"}}, qa.Fail, "9999/10000 = 99.99 %"},
		"unmapped gated":         {func(r *qa.Report) { r.Coverage.Patch.Unmapped = []string{"x.go"} }, Rules{Target: 80, FailOn: []string{"patch-coverage"}}, qa.Inconclusive, "1 changed file in no coverage report"},
		"unknown coverage gate":  {func(r *qa.Report) { r.Coverage = qa.CoverageReport{State: "unknown", Reason: "no tool"} }, Rules{FailOn: []string{"patch-coverage"}}, qa.Inconclusive, "no tool"},
		"removed gated, no base": {func(*qa.Report) {}, Rules{FailOn: []string{"removed-tests"}}, qa.Inconclusive, "base was not run"},
		"loop below target":      {func(r *qa.Report) { r.Coverage.Layers[0].Below = true }, Rules{}, qa.Conditional, "the tests written for L1 do not reach the coverage target"},
		"partial never passes":   {func(r *qa.Report) { r.Partial = true }, Rules{}, qa.Inconclusive, "ended before"},
		"model missing":          {func(r *qa.Report) { r.Manifest.Model.Error = "429" }, Rules{}, qa.Pass, ""},
		"model must work":        {func(r *qa.Report) { r.Manifest.Model.Error = "429" }, Rules{MustModel: true}, qa.Inconclusive, "429"},
		"docs only": {func(r *qa.Report) {
			*r = qa.Report{Change: qa.Change{Files: []qa.FileChange{{Path: "README.md", Kind: qa.KindDocs}}}, Tests: qa.Tests{Unneeded: "no test reads README.md"}}
		}, Rules{}, qa.Pass, "no test reads README.md"},
		// The kind of a file says nothing of whether a test reads it.
		"docs only, nothing known of reads": {func(r *qa.Report) {
			*r = qa.Report{Change: qa.Change{Files: []qa.FileChange{{Path: "README.md", Kind: qa.KindDocs}}}}
		}, Rules{}, qa.Inconclusive, "no test was executed"},
		"an exit code and no count": {func(r *qa.Report) {
			r.Tests.Head = qa.Tally{}
			r.Manifest.Targets = []qa.TargetRow{{Name: ".", State: "ran", ExitOnly: true}}
		}, Rules{}, qa.Conditional, "no count of tests"},
		"a browser that is not there, beside a suite": {func(r *qa.Report) {
			r.Manifest.Targets = append(r.Manifest.Targets, qa.TargetRow{Name: "browser", State: "unavailable", Reason: "no browser"})
		}, Rules{}, qa.Pass, "every gate passed"},
		"a browser that is not there, alone": {func(r *qa.Report) {
			r.Tests.Head = qa.Tally{}
			r.Manifest.Targets = []qa.TargetRow{{Name: "browser", State: "unavailable", Reason: "no browser"}}
		}, Rules{}, qa.Inconclusive, "no suite starts here: browser: no browser"},
		"no test passed": {func(r *qa.Report) {
			r.Tests.Head = qa.Tally{Tests: 10, Failed: 10}
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.PreExisting}}
		}, Rules{}, qa.Inconclusive, "no test passed"},
		"no test passed, and base is unknown": {func(r *qa.Report) {
			r.Tests.Head = qa.Tally{Tests: 10, Failed: 10}
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.UnknownFailure}}
		}, Rules{}, qa.Inconclusive, "base could not be judged"},
		"a command failed, and base is unknown": {func(r *qa.Report) {
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.UnknownFailure, Case: qa.Case{Name: "(exit)"}}}
		}, Rules{}, qa.Inconclusive, "only its exit code is known, and base could not be judged"},
		"a test failed beside it": {func(r *qa.Report) {
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.UnknownFailure, Case: qa.Case{Name: "(exit)"}}, {Triage: qa.UnknownFailure, Case: qa.Case{Name: "a"}}}
		}, Rules{}, qa.Fail, "base could not tell"},
		"a command failed that base passes": {func(r *qa.Report) {
			r.Tests.Failing = []qa.FailingTest{{Triage: qa.NewFailure, Case: qa.Case{Name: "(exit)"}}}
		}, Rules{}, qa.Fail, ""},
		"base was lost": {func(r *qa.Report) { r.Manifest.NotDone = []string{"base was killed", "the scan"} }, Rules{}, qa.Pass,
			"every gate passed; not done: base was killed and 1 more"},
		"proven regression":                  {proving(qa.Medium, "", qa.StatusNew), Rules{}, qa.Fail, "1 proven regression"},
		"proven regression of low severity":  {proving(qa.Low, "", qa.StatusNew), Rules{}, qa.Conditional, "1 proven difference to look at"},
		"the same, where it is to fail":      {proving(qa.Low, "", qa.StatusNew), Rules{FailOn: []string{qa.GateRegression}}, qa.Fail, "1 proven difference"},
		"announced, and severe":              {proving(qa.Critical, "every difference is intended", qa.StatusNew), Rules{}, qa.Conditional, "1 proven difference to look at"},
		"announced, where it is to fail":     {proving(qa.High, "half(-3) is -2 now", qa.StatusNew), Rules{FailOn: []string{qa.GateRegression}}, qa.Fail, "1 proven difference"},
		"asserted by a test of the change":   {proving(qa.High, "", qa.StatusIntended), Rules{}, qa.Pass, ""},
		"announced, beside one that was not": {both(proving(qa.High, "half(-3) is -2 now", qa.StatusNew), proving(qa.Medium, "", qa.StatusNew)), Rules{}, qa.Fail, "2 proven regressions"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := green()
			c.edit(r)
			r.Score = Score(r)
			Judge(r, c.rules)
			if r.Result != c.want || !strings.Contains(r.Reason, c.why) {
				t.Errorf("got %s (%s), want %s (%s)", r.Result, r.Reason, c.want, c.why)
			}
		})
	}
}

func TestTriage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		head   []bool
		base   qa.Status
		onBase bool
		want   qa.Triage
	}{
		{[]bool{false, false, false}, qa.Passed, true, qa.NewFailure},
		{[]bool{false, false}, qa.Failed, true, qa.PreExisting},
		{[]bool{false, false}, qa.Errored, true, qa.PreExisting},
		{[]bool{false, true}, qa.Failed, true, qa.FlakyFailure},
		{[]bool{false}, qa.Flaky, true, qa.FlakyFailure},
		{[]bool{false}, "", false, qa.NewFailure},
		{[]bool{false}, qa.NotRun, true, qa.UnknownFailure},
		{[]bool{false}, qa.Skipped, true, qa.NewFailure},
	} {
		if got := TriageOf(c.head, c.base, c.onBase); got != c.want {
			t.Errorf("head %v base %q: got %s, want %s", c.head, c.base, got, c.want)
		}
	}
}

func TestCompareSuites(t *testing.T) {
	t.Parallel()
	suite := func(pairs ...string) (s qa.Suite) {
		for i := 0; i < len(pairs); i += 2 {
			s.Cases = append(s.Cases, qa.Case{Suite: "s", Name: pairs[i], Status: qa.Status(pairs[i+1])})
		}
		return s
	}
	var got qa.Tests
	Compare(&got, suite("a", "passed", "b", "passed", "c", "skipped"), suite("b", "skipped", "c", "skipped", "d", "passed"))
	want := qa.Tests{Base: &qa.Tally{Tests: 3, Passed: 2, Skipped: 1}, Removed: []string{"s > a"}, NewlySkipped: []string{"s > b"}, Added: []string{"s > d"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTrend(t *testing.T) {
	t.Parallel()
	points := func(values ...float64) (out []qa.TrendPoint) {
		for _, v := range values {
			out = append(out, qa.TrendPoint{Coverage: ptr(v)})
		}
		return append(out, qa.TrendPoint{}) // unknown coverage is no point
	}
	for want, p := range map[string][]qa.TrendPoint{
		"insufficient_data": points(0.5), "improving": points(0.5, 0.6), "declining": points(0.6, 0.5), "stable": points(0.6, 0.62),
	} {
		if got := TrendOf(p).Direction; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestPatternsNeedTwo(t *testing.T) {
	t.Parallel()
	r := green()
	r.Findings = []qa.Finding{finding(qa.Bug, qa.High, qa.Corroborated)}
	r.Tests.Failing = []qa.FailingTest{
		{Case: qa.Case{File: "x/a.js", Message: "TypeError: Cannot read properties of undefined"}},
		{Case: qa.Case{File: "x/b.js", Message: "TypeError: Cannot read properties of null"}},
	}
	got := Patterns(r)
	if len(got) != 1 || got[0].Type != "defect/null reference" || got[0].Count != 2 || got[0].Common != "x" {
		t.Errorf("got %+v", got)
	}
}

func TestDefectKindReadsWhatWentWrongBeforeTheStack(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"AssertionError: expected 'a' to be 'b'\n    at withTimeout (runner/index.js:915:26)": "assertion mismatch",
		"boom\n    at withTimeout (runner/index.js:915:26)":                                   "other",
		"Error: \nTimed out in waitFor":                                                       "async",
		"Exceeded timeout of 5000 ms for a test.":                                             "async",
		"\n  x_test.go:12: got 1, want 2":                                                     "assertion mismatch",
		"TypeError: x.map is not a function\n at y":                                           "null reference",
		"ConnectError: [Errno -2] Name or service not known\n    self._timeout = timeout":     "setup",
		"browserType.launch: Executable doesn't exist at /b\n    expected":                    "setup",
		"Error: connect: connection refused\n    timeout":                                     "setup",
	} {
		if got := DefectKind(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// TestNext: what could not be told ends in a command.
func TestNext(t *testing.T) {
	t.Parallel()
	stuck := qa.TargetRow{Name: "web", Dir: "it's", Command: `cd 'it'\''s' && npx vitest run`, State: "inconclusive", Reason: "no framework"}
	for name, c := range map[string]struct {
		edit func(*qa.Report)
		want []string
	}{
		"green":     {func(*qa.Report) {}, nil},
		"failing":   {func(r *qa.Report) { r.Tests.Failing = []qa.FailingTest{{Triage: qa.NewFailure}} }, nil},
		"docs only": {func(r *qa.Report) { r.Tests = qa.Tests{Unneeded: "nothing changed"} }, nil},
		"stuck":     {func(r *qa.Report) { r.Manifest.Targets = []qa.TargetRow{stuck} }, []string{`cd 'it'\''s' && npx vitest run`, "qa doctor"}},
		"no time": {func(r *qa.Report) {
			late := stuck
			late.Reason = "the test command " + NotInTime + " (59 s)"
			r.Manifest.Targets = []qa.TargetRow{late}
		}, []string{`cd 'it'\''s' && npx vitest run`, "qa run --timeout 1h --task-timeout 40m --timings"}},
		"no suite":    {func(r *qa.Report) { r.Tests.Head, r.Manifest.Targets = qa.Tally{}, nil }, []string{"qa doctor"}},
		"ended early": {func(r *qa.Report) { r.Partial = true }, []string{"qa resume"}},
		"low score": {func(r *qa.Report) {
			for range 9 {
				r.Findings = append(r.Findings, finding(qa.Security, qa.Critical, qa.Corroborated))
			}
		}, []string{"qa run --mode full --depth comprehensive"}},
		"low score by a proven finding": {func(r *qa.Report) {
			f := finding(qa.Bug, qa.High, qa.Proven)
			f.Proof = &qa.Proof{Base: qa.Passed, Head: qa.Failed, Regression: true}
			for range 9 {
				r.Findings = append(r.Findings, f)
			}
		}, nil},
		"as deep as it goes": {func(r *qa.Report) {
			r.Depth = "comprehensive"
			for range 9 {
				r.Findings = append(r.Findings, finding(qa.Security, qa.Critical, qa.Corroborated))
			}
		}, nil},
	} {
		r := green()
		c.edit(r)
		r.Score = Score(r)
		Judge(r, Rules{})
		var got []string
		for _, step := range Next(r) {
			got = append(got, step.Command)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestReason: the verdict line names what is wrong and where, in words.
func TestReason(t *testing.T) {
	t.Parallel()
	fails := func(triage qa.Triage, files ...string) func(*qa.Report) {
		return func(r *qa.Report) {
			for _, file := range files {
				r.Tests.Failing = append(r.Tests.Failing, qa.FailingTest{Triage: triage, Case: qa.Case{Name: "t", File: file}})
			}
		}
	}
	found := func(severity qa.Severity, proven bool, places ...string) func(*qa.Report) {
		return func(r *qa.Report) {
			for i, path := range places {
				f := finding(qa.Bug, severity, qa.Corroborated)
				f.Path, f.Lines = path, qa.Range{Start: 4 + i, End: 4 + i}
				if proven {
					f.Evidence, f.Proof = qa.Proven, &qa.Proof{Regression: true}
				}
				r.Findings = append(r.Findings, f)
			}
		}
	}
	for _, c := range []struct {
		edit  func(*qa.Report)
		rules Rules
		want  string
	}{
		{fails(qa.NewFailure, "a_test.go"), Rules{}, "1 new failing test in a_test.go"},
		{fails(qa.NewFailure, "a_test.go", "b_test.go", "a_test.go"), Rules{}, "3 new failing tests in a_test.go and b_test.go"},
		{fails(qa.NewFailure, "a", "b", "c"), Rules{}, "3 new failing tests in 3 files"},
		{func(r *qa.Report) { fails(qa.NewFailure, "a")(r); fails(qa.PreExisting, "b")(r) }, Rules{}, "1 new failing test in a"},
		{found(qa.Medium, true, "src/plugin/minMax/index.js"), Rules{}, "1 proven regression in src/plugin/minMax/index.js:4"},
		{found(qa.High, true, "src/index.js", "src/index.js"), Rules{}, "2 proven regressions in src/index.js"},
		{found(qa.Critical, false, "a", "a", "a", "a", "a", "a"), Rules{}, "score 58 of 100 is below 60"},
		{found(qa.High, false, "a"), Rules{FailOn: []string{qa.GateFindings}}, "1 high new finding in a:4"},
		{func(r *qa.Report) { found(qa.High, false, "a")(r); found(qa.Critical, false, "b")(r) }, Rules{FailOn: []string{qa.GateFindings}}, "1 critical and 1 high new findings in a and b"},
		{fails(qa.FlakyFailure, "a"), Rules{FailOn: []string{qa.GateFlaky}}, "1 flaky in a"},
		{func(r *qa.Report) { r.Tests.Removed = []string{"x", "y"} }, Rules{FailOn: []string{qa.GateRemovedTests}}, "2 tests removed: x and 1 more"},
		{func(r *qa.Report) { r.Tests.NewlySkipped = []string{"x"} }, Rules{FailOn: []string{qa.GateSkippedTests}}, "1 test newly skipped: x"},
		{func(r *qa.Report) { r.Coverage.Patch.Lines.Covered = 0 }, Rules{Target: 80, FailOn: []string{qa.GatePatch}}, "patch coverage 0/20 = 0 %, below 80 %"},
		{func(r *qa.Report) { r.Manifest.CommandChanged = "the change swallows exit codes" }, Rules{}, "the change swallows exit codes"},
	} {
		r := green()
		r.Tests.Base = &qa.Tally{}
		c.edit(r)
		r.Score = Score(r)
		Judge(r, c.rules)
		if r.Reason != c.want {
			t.Errorf("%s: %q, want %q", r.Result, r.Reason, c.want)
		}
	}
}

// When nothing ran nobody knows that nothing failed.
func TestNothingRanLeavesFailuresUnknown(t *testing.T) {
	t.Parallel()
	r := green()
	r.Tests.Head = qa.Tally{}
	Judge(r, Rules{FailOn: []string{qa.GateFlaky}})
	for _, g := range r.Gates {
		if (g.Name == qa.GateNewFailures || g.Name == qa.GateFlaky) && g.Verdict == qa.Pass {
			t.Errorf("gate %s passes although no test ran", g.Name)
		}
	}
}

// The score never leaves 0..100 and a worse finding never raises it.
func TestScoreIsMonotone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := green()
		n := rapid.IntRange(0, 20).Draw(t, "findings")
		for range n {
			r.Findings = append(r.Findings, finding(
				rapid.SampledFrom(qa.Perspectives()).Draw(t, "perspective"),
				rapid.SampledFrom(qa.Severities()).Draw(t, "severity"),
				rapid.SampledFrom([]qa.Evidence{qa.Proven, qa.Corroborated, qa.Suspected}).Draw(t, "evidence")))
		}
		before := *Score(r).Value
		r.Findings = append(r.Findings, finding(qa.Security, qa.Critical, qa.Proven))
		after := *Score(r).Value
		if before < 0 || before > 100 || after > before {
			t.Fatalf("before %d, after %d", before, after)
		}
	})
}

// A test that is known to fail now and then does not excuse every failure.
func TestMayBeChance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate     float64
		failures int
		want     bool
	}{{1.0 / 3, 4, true}, {0.5, 4, true}, {0.1, 4, false}, {0.02, 1, true}, {0.02, 2, false}, {0, 0, false}, {1, 9, true}} {
		if got := MayBeChance(c.rate, c.failures); got != c.want {
			t.Errorf("%v in %d runs: %t", c.rate, c.failures, got)
		}
	}
}

// proving gives a report a finding that a test proves.
func proving(severity qa.Severity, announced string, status qa.FindingStatus) func(*qa.Report) {
	return func(r *qa.Report) {
		f := finding(qa.Bug, severity, qa.Proven)
		f.Status, f.Proof = status, &qa.Proof{Regression: true, Announced: announced}
		r.Findings = append(r.Findings, f)
	}
}

func both(a, b func(*qa.Report)) func(*qa.Report) {
	return func(r *qa.Report) { a(r); b(r) }
}
