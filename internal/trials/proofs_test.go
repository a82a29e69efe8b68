package trials

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
)

func TestProve(t *testing.T) {
	t.Parallel()
	change := qa.Change{Files: []qa.FileChange{{Path: "a.go", Kind: qa.KindSource, Added: []qa.Range{{Start: 10, End: 12}}}}}
	claim := func(line int, status qa.FindingStatus, evidence qa.Evidence) qa.Finding {
		return qa.Finding{ID: "F1", Path: "a.go", Lines: qa.Range{Start: line, End: line}, Status: status, Evidence: evidence, Severity: qa.High}
	}
	shown := func(finding string, base qa.Status, regression bool) Proof {
		return Proof{Proof: qa.Proof{Test: "TestA", Path: "a_test.go", Base: base, Head: qa.Failed, Regression: regression}, Finding: finding, Source: "a.go", Target: "A"}
	}
	for name, c := range map[string]struct {
		finding  qa.Finding
		proofs   []Proof
		evidence qa.Evidence
		status   qa.FindingStatus
		more     string // rule of a further finding
	}{
		"nothing ran":                        {claim(10, qa.StatusNew, qa.Corroborated), nil, qa.Corroborated, qa.StatusNew, ""},
		"a regression":                       {claim(10, qa.StatusNew, qa.Corroborated), []Proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"a regression of a folded claim":     {claim(10, qa.StatusNew, qa.Suspected), []Proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"a regression on lines left alone":   {claim(40, qa.StatusKnown, qa.Corroborated), []Proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"stood before":                       {claim(40, qa.StatusNew, qa.Corroborated), []Proof{shown("F1", qa.Failed, false)}, qa.Proven, qa.StatusKnown, ""},
		"fails on both, on lines it wrote":   {claim(10, qa.StatusNew, qa.Corroborated), []Proof{shown("F1", qa.Failed, false)}, qa.Corroborated, qa.StatusNew, ""},
		"a folded claim and a test of it":    {claim(10, qa.StatusNew, qa.Suspected), []Proof{shown("F1", qa.Failed, false)}, qa.Suspected, qa.StatusNew, ""},
		"base has nothing like it":           {claim(10, qa.StatusNew, qa.Corroborated), []Proof{shown("F1", qa.BuildFailed, false)}, qa.Corroborated, qa.StatusNew, ""},
		"nobody claimed it":                  {claim(10, qa.StatusNew, qa.Corroborated), []Proof{shown("", qa.Passed, true)}, qa.Corroborated, qa.StatusNew, "qa/regression"},
		"the model alone holds it right":     {claim(10, qa.StatusNew, qa.Corroborated), []Proof{shown("", qa.Failed, false)}, qa.Corroborated, qa.StatusNew, "qa/suspicion"},
		"a weaker proof after a better one":  {claim(10, qa.StatusNew, qa.Corroborated), []Proof{shown("F1", qa.Passed, true), shown("F1", qa.Failed, false)}, qa.Proven, qa.StatusNew, ""},
		"a better proof after a weaker one":  {claim(10, qa.StatusNew, qa.Corroborated), []Proof{shown("F1", qa.Failed, false), shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusNew, ""},
		"dismissed stays dismissed when new": {claim(10, qa.StatusDismissed, qa.Corroborated), []Proof{shown("F1", qa.Passed, true)}, qa.Proven, qa.StatusDismissed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Proofs{Change: change, All: c.proofs, Code: related.New(checkout.Checkout{Change: change})}
			got := r.Show([]qa.Finding{c.finding})
			if got[0].Evidence != c.evidence || got[0].Status != c.status {
				t.Errorf("%s, %s", got[0].Evidence, got[0].Status)
			}
			switch {
			case c.more == "" && len(got) != 1:
				t.Errorf("a further finding: %+v", got[1:])
			case c.more != "" && (len(got) != 2 || got[1].Rule.ID != c.more || got[1].Proof == nil):
				t.Errorf("got %+v", got[1:])
			case c.more == "qa/suspicion" && got[1].Counts():
				t.Error("a model's word counts")
			}
		})
	}
}

// A test that compares with base need not name the finding it shows.
func TestProofsFindTheirClaim(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc A() { b() }\n\nfunc b() {}\n\nfunc C() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	claim := func(id, symbol string, p qa.Perspective) qa.Finding {
		return qa.Finding{ID: id, Path: "a.go", Symbol: symbol, Perspectives: []qa.Perspective{p}, Status: qa.StatusNew, Evidence: qa.Corroborated, Severity: qa.High}
	}
	shown := func(test, target string) Proof {
		return Proof{Proof: qa.Proof{Test: test, Path: "a_test.go", Base: qa.Passed, Head: qa.Failed, Regression: true}, Source: "a.go", Target: target}
	}
	for name, c := range map[string]struct {
		findings []qa.Finding
		proofs   []Proof
		proven   []string
	}{
		"of the function":                 {[]qa.Finding{claim("F1", "A", qa.Bug)}, []Proof{shown("T1", "A")}, []string{"F1"}},
		"of what it calls":                {[]qa.Finding{claim("F1", "b", qa.Security)}, []Proof{shown("T1", "A")}, []string{"F1"}},
		"outside of functions":            {[]qa.Finding{claim("F1", "", qa.Bug)}, []Proof{shown("T1", "C")}, []string{"F1"}},
		"of another function":             {[]qa.Finding{claim("F1", "C", qa.Bug)}, []Proof{shown("T1", "A")}, []string{"PROOF"}},
		"taste":                           {[]qa.Finding{claim("F1", "A", qa.CodeQuality)}, []Proof{shown("T1", "A")}, []string{"PROOF"}},
		"one of two":                      {[]qa.Finding{claim("F1", "A", qa.Bug), claim("F2", "A", qa.Bug)}, []Proof{shown("T1", "A")}, []string{"PROOF"}},
		"two tests of one function":       {nil, []Proof{shown("T1", "A"), shown("T2", "A")}, []string{"PROOF"}},
		"two tests of two functions":      {nil, []Proof{shown("T1", "A"), shown("T2", "C")}, []string{"PROOF", "PROOF"}},
		"one on it, one beneath":          {[]qa.Finding{claim("F1", "A", qa.Bug), claim("F2", "b", qa.Bug)}, []Proof{shown("T1", "A")}, []string{"F1"}},
		"two tests of one claimed defect": {[]qa.Finding{claim("F1", "A", qa.Bug)}, []Proof{shown("T1", "A"), shown("T2", "A")}, []string{"F1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Proofs{All: c.proofs, Code: related.New(checkout.Checkout{Root: root})}
			var proven []string
			for _, f := range r.Show(c.findings) {
				if f.Evidence == qa.Proven {
					id, _, _ := strings.Cut(f.ID, "-")
					proven = append(proven, id)
				}
			}
			if d := cmp.Diff(c.proven, proven); d != "" {
				t.Error(d)
			}
		})
	}
}

// What a test names decides; what follows from the code is for those that name
// nothing.
func TestATestNamesWhatItShows(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nvar limit = 1\n\nfunc A() { b() }\n\nfunc b() { c() }\n\nfunc c() int { return limit }\n\nfunc D() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	claim := func(id, symbol string, line int) qa.Finding {
		return qa.Finding{
			ID: id, Path: "a.go", Symbol: symbol, Lines: qa.Range{Start: line, End: line}, Perspectives: []qa.Perspective{qa.Bug},
			Status: qa.StatusNew, Evidence: qa.Corroborated, Severity: qa.High,
		}
	}
	shown := func(test, target, finding string) Proof {
		return Proof{
			Proof:   qa.Proof{Test: test, Path: "a_test.go", Code: "func " + test + "(t *testing.T) {}", Base: qa.Passed, Head: qa.Failed, Regression: true},
			Finding: finding, Source: "a.go", Target: target,
		}
	}
	asserted := func(test, target, finding string) Proof {
		p := shown(test, target, finding)
		p.Asserted, p.Code = "a_test.go: TestWanted", "func "+test+"(t *testing.T) { wanted() }"
		return p
	}
	called := func(test, target, name string) Proof {
		p := shown(test, target, "")
		p.Code, p.Written.Difference = "func "+test+"(t *testing.T) { t.Log("+target+name+") }", name
		return p
	}
	other := shown("T2", "A", "")
	other.Code = "func T2(t *testing.T) { t.Log() }"
	for name, c := range map[string]struct {
		findings []qa.Finding
		proofs   []Proof
		want     string // finding:test
	}{
		"one of two on a function":            {[]qa.Finding{claim("F1", "A", 5), claim("F2", "A", 5)}, []Proof{shown("T1", "A", "F2")}, "F2:T1"},
		"each its own":                        {[]qa.Finding{claim("F1", "A", 5), claim("F2", "A", 5)}, []Proof{shown("T1", "A", "F2"), shown("T2", "A", "F1")}, "F1:T2 F2:T1"},
		"of what is called further down":      {[]qa.Finding{claim("F1", "c", 9)}, []Proof{shown("T1", "A", "")}, "F1:T1"},
		"of a line outside that is used":      {[]qa.Finding{claim("F1", "", 3)}, []Proof{shown("T1", "c", "")}, "F1:T1"},
		"seen through several functions":      {nil, []Proof{other, shown("T1", "c", ""), shown("T3", "b", "")}, "qa/regression:T1+T3+T2"},
		"wanted, beside a claim":              {[]qa.Finding{claim("F1", "A", 5)}, []Proof{asserted("T1", "A", "")}, "qa/regression:T1 (intended)"},
		"wanted, and not":                     {nil, []Proof{asserted("T1", "c", ""), shown("T3", "c", "")}, "qa/regression:T3 qa/regression:T1 (intended)"},
		"the claim that is wanted":            {[]qa.Finding{claim("F1", "A", 5)}, []Proof{asserted("T1", "A", "F1")}, "F1:T1 (intended)"},
		"the claim, wanted and not":           {[]qa.Finding{claim("F1", "A", 5)}, []Proof{asserted("T1", "A", "F1"), shown("T3", "A", "F1")}, "F1:T3+T1"},
		"of a line outside that is not used":  {[]qa.Finding{claim("F1", "", 3)}, []Proof{shown("T1", "A", "")}, "qa/regression:T1"},
		"the same test for caller and callee": {[]qa.Finding{claim("F1", "c", 9), claim("F2", "c", 9)}, []Proof{shown("T2", "A", ""), shown("T1", "c", "F2")}, "F2:T1+T2"},
		"silent beside one that names":        {[]qa.Finding{claim("F1", "A", 5)}, []Proof{other, shown("T1", "A", "F1")}, "F1:T1 qa/regression:T2"},
		"a finding that is gone":              {[]qa.Finding{claim("F1", "A", 5)}, []Proof{shown("T1", "A", "F7")}, "F1:T1"},
		"one difference of two functions":     {nil, []Proof{called("T1", "A", "zero-is-lost"), called("T2", "D", "zero-is-lost")}, "qa/regression:T1+T2"},
		"two differences of two functions":    {nil, []Proof{called("T1", "A", "zero-is-lost"), called("T2", "D", "empty-fails")}, "qa/regression:T1 qa/regression:T2"},
		"two differences of one function":     {nil, []Proof{called("T1", "A", "zero-is-lost"), called("T2", "A", "empty-fails"), called("T3", "A", "zero-is-lost")}, "qa/regression:T1+T3 qa/regression:T2"},
		"a name, and none":                    {nil, []Proof{called("T1", "A", "zero-is-lost"), shown("T2", "A", "")}, "qa/regression:T1+T2"},
		"not the claim that was shown":        {[]qa.Finding{claim("F1", "A", 5)}, []Proof{called("T1", "A", "zero-is-lost")}, "qa/regression:T1"},
		"the first of two tests is shown":     {[]qa.Finding{claim("F1", "A", 5)}, []Proof{shown("T1", "A", "F1"), shown("T2", "A", "F1")}, "F1:T1+T2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Proofs{All: c.proofs, Code: related.New(checkout.Checkout{Root: root})}
			var got []string
			for _, f := range r.Show(c.findings) {
				id := f.ID
				if f.Rule.ID != "" {
					id = f.Rule.ID
				}
				if f.Evidence == qa.Proven {
					text := id + ":" + f.Proof.Test
					for _, also := range f.Also {
						text += "+" + also.Test
					}
					if f.Status == qa.StatusIntended {
						text += " (intended)"
					}
					got = append(got, text)
				}
			}
			if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}

// What no finding tells is as bad as the test's author says, and high where nothing is
// said that can be believed. Medium is what something counts on.
func TestSeverityOfWhatNobodyClaimed(t *testing.T) {
	t.Parallel()
	for said, want := range map[qa.Severity]qa.Severity{"": qa.High, qa.Low: qa.Low, qa.Medium: qa.Medium, qa.Critical: qa.High, "none": qa.High} {
		p := Proof{Proof: qa.Proof{Test: "TestA", Path: "a_test.go", Base: qa.Passed, Head: qa.Failed, Regression: true}, Source: "a.go", Target: "A"}
		p.Written.Severity, p.Relied = string(said), "README.md: A never forgets"
		got := Proofs{All: []Proof{p}, Code: related.New(checkout.Checkout{})}.Show(nil)
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%q: %+v", said, got)
		}
	}
}

// A difference is as bad as the worst of the tests that show it, whichever comes first
// and whomever it is counted to.
func TestTheWorstTestSpeaks(t *testing.T) {
	t.Parallel()
	claim := qa.Finding{ID: "F1", Path: "a.go", Symbol: "A", Perspectives: []qa.Perspective{qa.Bug}, Status: qa.StatusNew, Evidence: qa.Suspected, Severity: qa.Low}
	shown := func(test, finding string, said qa.Severity, base qa.Status) Proof {
		p := Proof{
			Proof: qa.Proof{Test: test, Path: "a_test.go", Base: base, Head: qa.Failed, Regression: base == qa.Passed}, Finding: finding, Source: "a.go", Target: "A",
		}
		p.Written.Severity = string(said)
		return p
	}
	announced := shown("T2", "", qa.High, qa.Passed)
	announced.Announced = "the change says so"
	for name, c := range map[string]struct {
		findings []qa.Finding
		proofs   []Proof
		want     qa.Severity
	}{
		"low, and one that is announced":     {nil, []Proof{shown("T1", "", qa.Low, qa.Passed), announced}, qa.Low},
		"low, then high":                     {nil, []Proof{shown("T1", "", qa.Low, qa.Passed), shown("T2", "", qa.High, qa.Passed)}, qa.High},
		"high, then low":                     {nil, []Proof{shown("T1", "", qa.High, qa.Passed), shown("T2", "", qa.Low, qa.Passed)}, qa.High},
		"low, then nothing said":             {nil, []Proof{shown("T1", "", qa.Low, qa.Passed), shown("T2", "", "", qa.Passed)}, qa.High},
		"both low":                           {nil, []Proof{shown("T1", "", qa.Low, qa.Passed), shown("T2", "", qa.Low, qa.Passed)}, qa.Low},
		"counted to a low claim":             {[]qa.Finding{claim}, []Proof{shown("T1", "", qa.High, qa.Passed)}, qa.High},
		"counted to it, nothing said":        {[]qa.Finding{claim}, []Proof{shown("T1", "", "", qa.Passed)}, qa.Low},
		"the claim it names":                 {[]qa.Finding{claim}, []Proof{shown("T1", "F1", qa.High, qa.Passed)}, qa.Low},
		"fails on base as well":              {[]qa.Finding{claim}, []Proof{shown("T1", "F1", qa.High, qa.Failed)}, qa.Low},
		"a claim beside one of another sort": {[]qa.Finding{claim}, []Proof{shown("T1", "F1", "", qa.Passed), shown("T2", "", qa.Medium, qa.Passed)}, qa.Low},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Proofs{All: c.proofs, Code: related.New(checkout.Checkout{})}.Show(c.findings)
			if got[0].Severity != c.want {
				t.Errorf("%s, want %s: %+v", got[0].Severity, c.want, got)
			}
		})
	}
}

// What somebody set aside hides no other test of the same name.
func TestDismissedTakesNoOthers(t *testing.T) {
	t.Parallel()
	shown := func(test, code, finding, difference string) Proof {
		p := Proof{Proof: qa.Proof{Test: test, Path: "a_test.go", Code: code, Base: qa.Passed, Head: qa.Failed, Regression: true}, Finding: finding, Source: "a.go", Target: "A"}
		p.Written.Difference = difference
		return p
	}
	set := qa.Finding{ID: "F1", Path: "a.go", Symbol: "A", Perspectives: []qa.Perspective{qa.Bug}, Status: qa.StatusDismissed, Severity: qa.High}
	got := Proofs{All: []Proof{shown("T1", "same()", "F1", ""), shown("T2", "same()", "", "zero-is-lost"), shown("T3", "other()", "", "zero-is-lost")}, Code: related.New(checkout.Checkout{})}.Show([]qa.Finding{set})
	if len(got) != 2 || got[1].Proof.Test != "T3" || !got[1].Counts() {
		t.Errorf("%+v", got)
	}
}
