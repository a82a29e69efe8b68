package config

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/qa-action/internal/qa"
)

// presets are the named sets of coverage targets.
var presets = map[string]map[qa.Layer]float64{
	"strict":   {qa.L1: 90, qa.L2: 75, qa.L3: 60},
	"standard": {qa.L1: 80, qa.L2: 60, qa.L3: 40},
	"minimum":  {qa.L1: 60, qa.L2: 40, qa.L3: 20},
}

// parser turns texts into typed values and collects what is wrong with them.
type parser struct {
	values   map[string]value
	problems []error
}

func (p *parser) fail(v value, format string, args ...any) {
	p.problems = append(p.problems, fmt.Errorf("%s: %s", v.where, fmt.Sprintf(format, args...)))
}

func (p *parser) text(name string) string { return p.values[name].text }

func (p *parser) config() *Config {
	c := &Config{
		Subject: Subject{
			Task: p.text("task"), Mode: Mode(p.text("mode")), Depth: Depth(p.text("depth")),
			All: p.text("scope") == "all", Base: p.text("base"),
			WorkingDirectory: p.path("working-directory"), File: p.path("config"),
		},
		Model: p.model(),
		Scanning: Scanning{
			Perspectives: p.perspectives(), MinSeverity: qa.Severity(p.text("min-severity")),
			MaxFindings: p.number("max-findings", 1, 100000),
		},
		Suite: Suite{
			Framework: p.text("framework"), TestCommand: p.text("test-command"),
			TestReport: List(p.text("test-report")), CoverageFile: List(p.text("coverage-file")),
			SetupCommand: p.text("setup-command"), E2eCommand: p.text("e2e-command"),
		},
		Place: Place{
			Install: p.text("install"), Runtime: p.text("runtime"), RuntimeImage: p.text("runtime-image"),
			AcceptUntrusted: p.yes("accept-untrusted-event"), AcceptWeak: p.yes("accept-weak-isolation"),
		},
		Judgement: Judgement{Coverage: p.targets(p.values["coverage-targets"]), FailOn: p.failOn()},
		Effort: Effort{
			Concurrency: p.number("concurrency", 1, 64), TargetConcurrency: p.number("target-concurrency", 1, 64), Tests: p.text("tests"), Shard: p.shard("shard"), Timeout: p.duration("timeout"), TaskTimeout: p.duration("task-timeout"),
			MaxRounds: p.number("max-rounds", 0, 20), MaxFixIterations: p.number("max-fix-iterations", 0, 50),
			Repeat: p.number("repeat", 1, 1000), Continue: p.yes("continue"),
		},
		Publishing: Publishing{
			GithubToken: p.text("github-token"), Comment: p.yes("comment"), Annotations: p.yes("annotations"),
			ReviewComments: p.yes("review-comments"),
			Deliver:        p.text("deliver"), OutputDir: p.path("output-dir"), History: p.text("history"),
		},
	}
	if !c.Shard.Whole() { // the merge speaks for all of them
		c.Comment, c.Annotations, c.ReviewComments = false, false, false
	}
	if c.Framework == "command" && c.TestCommand == "" {
		p.fail(p.values["framework"], "framework command needs test-command")
	}
	if c.Runtime == "container" && c.RuntimeImage == "" {
		p.fail(p.values["runtime"], "runtime container needs runtime-image")
	}
	if _, err := inside(p.values["output-dir"].text); err == nil && strings.HasPrefix(path.Base(c.OutputDir), ".") {
		p.fail(p.values["output-dir"], "%q must be a directory of its own that is not hidden (artifact upload skips hidden ones)", c.OutputDir)
	}
	return c
}

func (p *parser) yes(name string) bool { return p.text(name) == "true" }

// path is a clean path inside the repository.
func (p *parser) path(name string) string {
	v := p.values[name]
	clean, err := inside(v.text)
	if err != nil {
		p.fail(v, "%v", err)
	}
	return clean
}

func inside(text string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(text, "\\", "/"))
	if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return ".", fmt.Errorf("path %q leaves the repository, expected a path relative to its root", text)
	}
	return clean, nil
}

func (p *parser) number(name string, low, high int) int {
	v := p.values[name]
	n, err := strconv.Atoi(v.text)
	if err != nil || n < low || n > high {
		p.fail(v, "%q is not a whole number from %d to %d", v.text, low, high)
	}
	return n
}

// shard reads which part of how many is to run.
func (p *parser) shard(name string) Shard {
	v := p.values[name]
	index, of, _ := strings.Cut(v.text, "/")
	i, err := strconv.Atoi(index)
	n, otherErr := strconv.Atoi(of)
	if err != nil || otherErr != nil || n < 1 || n > MaxShards || i < 1 || i > n {
		p.fail(v, "%q is no part of a suite, expected a number up to %d and of how many, as in 2/4", v.text, MaxShards)
		return Shard{1, 1}
	}
	return Shard{i, n}
}

func (p *parser) duration(name string) time.Duration {
	v := p.values[name]
	if n, err := strconv.Atoi(v.text); err == nil && n > 0 {
		return time.Duration(n) * time.Second
	}
	d, err := time.ParseDuration(v.text)
	if err != nil || d <= 0 {
		p.fail(v, "%q is not a duration, expected seconds or a form like 90s, 15m, 1h30m", v.text)
	}
	return d
}

func (p *parser) perspectives() []qa.Perspective {
	v := p.values["perspectives"]
	var out []qa.Perspective
	for _, name := range List(v.text) {
		if !slices.Contains(qa.Perspectives(), qa.Perspective(name)) {
			p.fail(v, "unknown perspective %q, expected some of %s", name, join(qa.Perspectives()))
			continue
		}
		out = append(out, qa.Perspective(name))
	}
	return out
}

func (p *parser) failOn() []string {
	v := p.values["fail-on"]
	names := List(v.text)
	for _, name := range names {
		if !slices.Contains(qa.OptionalGates(), name) {
			p.fail(v, "unknown gate %q, expected some of %s", name, strings.Join(qa.OptionalGates(), ", "))
		}
	}
	return names
}

// targets reads "L1=80,L2=60" over the standard preset, or a preset's name.
func (p *parser) targets(v value) map[qa.Layer]float64 {
	if preset, ok := presets[v.text]; ok {
		return preset
	}
	out := map[qa.Layer]float64{}
	for layer, percent := range presets["standard"] {
		out[layer] = percent
	}
	for _, part := range List(v.text) {
		name, percent, found := strings.Cut(part, "=")
		layer := qa.Layer(strings.TrimSpace(name))
		f, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
		if !found || !slices.Contains(qa.Layers(), layer) || err != nil || !(f >= 0 && f <= 100) {
			p.fail(v, "%q is not a coverage target, expected a form like L1=80 (layers L1, L2, L3; percent 0 to 100) or a preset: strict, standard, minimum", part)
			continue
		}
		out[layer] = f
	}
	return out
}

func (p *parser) model() Model {
	m := Model{
		BaseURL: p.text("model-base-url"), APIKey: p.text("model-api-key"), Name: p.text("model"),
		Fallback: p.text("model-fallback"), Timeout: p.duration("model-timeout"), MustWork: p.text("on-model-failure") == "fail",
	}
	switch {
	case m.Name == "" && (m.APIKey != "" || m.BaseURL != ""):
		m.Configure = "model is not set: no model name is built in"
	case m.Name != "" && m.APIKey == "" && m.BaseURL == "":
		m.Configure = "neither model-api-key nor model-base-url is set (a pull request from a fork gets no secrets)"
	}
	if v := p.values["model-base-url"]; m.BaseURL != "" {
		u, err := url.Parse(m.BaseURL)
		switch {
		case err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http"):
			p.fail(v, "%q is not a URL, expected a form like https://host/v1", m.BaseURL)
		case u.Hostname() == "models.github.ai" || u.Hostname() == "models.inference.ai.azure.com":
			p.fail(v, "GitHub Models was retired on 2026-07-30 and answers 410; use any other OpenAI-compatible endpoint")
		}
	}
	budget := p.values["model-budget"]
	for _, part := range List(budget.text) {
		if usd, ok := strings.CutPrefix(part, "$"); ok {
			f, err := strconv.ParseFloat(usd, 64)
			if err != nil || !(f > 0) {
				p.fail(budget, "%q is not an amount of USD, expected a form like $1.50", part)
			}
			m.USD = f
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n <= 0 {
			p.fail(budget, "%q is not a number of tokens, expected a form like 200000 or 200000,$1.50", part)
		}
		m.Tokens = n
	}
	return m
}

// checkGlobs refuses patterns of paths that match nothing because they are malformed.
func (p *parser) checkGlobs(c *Config) {
	check := func(key, glob string) {
		if !doublestar.ValidatePattern(glob) {
			p.fail(value{where: fmt.Sprintf("%s: %s", c.File, key)}, "malformed glob %q, expected a path with *, **, ?, [a-z] or {a,b}", glob)
		}
	}
	for i, g := range c.Exclude {
		check(fmt.Sprintf("exclude[%d]", i), g)
	}
	for i, in := range c.Instructions {
		check(fmt.Sprintf("instructions[%d]: paths", i), in.Paths)
	}
	for _, g := range c.TestReport {
		check("test-report", g)
	}
	for _, g := range c.CoverageFile {
		check("coverage-file", g)
	}
}

// checkQuarantine holds that every entry ends: one without a day would switch
// a test off for good.
func (p *parser) checkQuarantine(c *Config) {
	for i, q := range c.Quarantine {
		at := value{where: fmt.Sprintf("%s: quarantine[%d]", c.File, i)}
		if q.Test == "" {
			p.fail(at, "names no test")
		}
		if _, err := time.Parse(time.DateOnly, q.Expires); err != nil {
			p.fail(at, "expires: %q is not a day, expected a form like 2026-12-31", q.Expires)
		}
	}
}

// List splits a comma- or line-separated input.
func List(text string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func join[S ~string](items []S) string {
	out := make([]string, len(items))
	for i, s := range items {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}
