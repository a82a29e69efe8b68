package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

func TestDefaultsAreValid(t *testing.T) {
	t.Parallel()
	c, err := Load(Sources{Getenv: env()})
	if err != nil {
		t.Fatal(err)
	}
	if c.Mode != Auto || c.Coverage[qa.L1] != 80 || c.TaskTimeout != 15*time.Minute || c.Model.Timeout != 2*time.Minute || c.Model.Configured() || c.OutputDir != "qa-report" {
		t.Errorf("unexpected defaults: %+v", c)
	}
}

func TestPrecedenceIsFlagInputFileDefault(t *testing.T) {
	t.Parallel()
	file := []byte("mode: discovery\ndepth: targeted\nrepeat: 7\n")
	c, err := Load(Sources{
		Flags:  Inputs{AboutInputs: AboutInputs{Mode: "full"}},
		Getenv: env("INPUT_MODE", "testing", "INPUT_DEPTH", "standard", "INPUT_COVERAGE-TARGETS", "strict", "INPUT_BASE", ""),
		File:   file, FileName: ".github/qa.yml",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Mode, c.Depth, c.Repeat, c.Coverage[qa.L1], c.Concurrency}
	if diff := cmp.Diff([]any{Full, Standard, 7, 90.0, 3}, got); diff != "" {
		t.Error(diff)
	}
}

func TestEveryProblemIsReportedAtOnceWithItsPlace(t *testing.T) {
	t.Parallel()
	file := `mode: fulll
coverage-target: 80
targets:
  - dir: ../outside
    framwork: jest
max-findings: many
model-api-key: abc
`
	_, err := Load(Sources{Flags: Inputs{EffortInputs: EffortInputs{Repeat: "often"}}, Getenv: env("INPUT_FAIL-ON", "everything"), File: []byte(file), FileName: ".github/qa.yml"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`.github/qa.yml:1: mode: unknown value "fulll", expected one of auto, discovery, testing, full`,
		`.github/qa.yml:2: unknown key "coverage-target" (did you mean "coverage-targets"?)`,
		`.github/qa.yml:5: unknown key "framwork" (did you mean "framework"?)`,
		`.github/qa.yml:6: max-findings: "many" is not a whole number`,
		`.github/qa.yml:7: model-api-key is a secret`,
		`flag --repeat: "often" is not a whole number`,
		`input fail-on: unknown gate "everything"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("missing %q in:\n%v", want, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flags Inputs
		file  string
		want  string
	}{
		"retired endpoint":     {flags: Inputs{ModelInputs: ModelInputs{ModelBaseURL: "https://models.github.ai/inference"}}, want: "retired on 2026-07-30"},
		"output everywhere":    {flags: Inputs{EffortInputs: EffortInputs{OutputDir: "."}}, want: "a directory of its own"},
		"hidden output":        {flags: Inputs{EffortInputs: EffortInputs{OutputDir: ".qa"}}, want: "not hidden"},
		"escaping output":      {flags: Inputs{EffortInputs: EffortInputs{OutputDir: "../x"}}, want: "leaves the repository"},
		"container w/o image":  {flags: Inputs{SuiteInputs: SuiteInputs{Runtime: "container"}}, want: "needs runtime-image"},
		"not a mapping":        {file: "- a\n", want: "expected keys and values"},
		"broken yaml":          {file: "a: [1\n", want: ".github/qa.yml: line"},
		"duplicate key":        {file: "mode: full\nmode: full\n", want: "stands twice"},
		"bad target":           {flags: Inputs{GateInputs: GateInputs{CoverageTargets: "L4=10"}}, want: "not a coverage target"},
		"nan target":           {flags: Inputs{GateInputs: GateInputs{CoverageTargets: "L1=NaN"}}, want: "not a coverage target"},
		"same target twice":    {file: "targets: [{name: a, dir: x}, {name: a, dir: y}]\n", want: "used twice"},
		"negative duration":    {flags: Inputs{EffortInputs: EffortInputs{Timeout: "-5m"}}, want: "not a duration"},
		"boolean":              {flags: Inputs{AboutInputs: AboutInputs{Comment: "yes"}}, want: "not a boolean"},
		"model-timeout":        {flags: Inputs{ModelInputs: ModelInputs{ModelTimeout: "soon"}}, want: "flag --model-timeout: \"soon\" is not a duration"},
		"budget":               {flags: Inputs{ModelInputs: ModelInputs{ModelBudget: "$x"}}, want: "not an amount of USD"},
		"unknown perspectives": {flags: Inputs{ScanInputs: ScanInputs{Perspectives: "bug,speed"}}, want: "unknown perspective"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(Sources{Flags: c.flags, Getenv: env(), File: []byte(c.file), FileName: ".github/qa.yml"})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want it to contain %q", err, c.want)
			}
			if n := strings.Count(err.Error(), "\n"); n > 0 {
				t.Errorf("one mistake, %d problems:\n%v", n+1, err)
			}
		})
	}
}

func TestDigestIgnoresSecretsAndPublishing(t *testing.T) {
	t.Parallel()
	load := func(in Inputs) string {
		c, err := Load(Sources{Flags: in, Getenv: env()})
		if err != nil {
			t.Fatal(err)
		}
		return c.Digest()
	}
	plain := load(Inputs{})
	if plain != load(Inputs{AboutInputs: AboutInputs{GithubToken: "t", Comment: "false"}, EffortInputs: EffortInputs{Continue: "true"}}) {
		t.Error("digest depends on token, comment or continue")
	}
	if plain == load(Inputs{GateInputs: GateInputs{CoverageTargets: "L1=81"}}) {
		t.Error("digest does not depend on coverage targets")
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte("mode: full\ntargets:\n  - dir: a\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := Load(Sources{Getenv: env(), File: raw, FileName: "qa.yml"}); err != nil && !strings.Contains(err.Error(), "qa.yml") {
			// Every problem of a file names the file; defaults alone are valid.
			t.Errorf("error does not name the file: %v", err)
		}
	})
}

func TestQuarantineMustEnd(t *testing.T) {
	t.Parallel()
	load := func(file string) (*Config, error) {
		return Load(Sources{Getenv: env(), File: []byte(file), FileName: ".github/qa.yml"})
	}
	c, err := load("history: none\nquarantine:\n  - test: a > b\n    reason: '#12'\n    expires: 2026-12-31\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Quarantine{{Test: "a > b", Reason: "#12", Expires: "2026-12-31"}}, c.Quarantine); diff != "" || c.History != "none" {
		t.Errorf("history %q, quarantine %s", c.History, diff)
	}
	_, err = load("quarantine:\n  - reason: no\n    expires: never\n")
	for _, want := range []string{"quarantine[0]: names no test", `quarantine[0]: expires: "never" is not a day, expected a form like 2026-12-31`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("missing %q in: %v", want, err)
		}
	}
}
