package gotest

import (
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// goRun follows the events of go test -json.
type goRun struct {
	c        *collect.Collector
	events   int // of tests and packages
	held     int // bytes of outputs, to be judged when their tests end
	packages map[string]*goPackage
	order    []*goPackage
	builds   map[string]*collect.Excerpt // compiler output by import path
	building string                      // import path whose plain build output is being read
	outside  map[string]bool             // packages with a problem of their own
}

// goPackage is one package; test binaries may be run several times.
type goPackage struct {
	path   string
	tests  map[string]*goTest
	order  []*goTest
	begun  []*goTest // that may still be running
	output collect.Excerpt
	open   bool // started, and no end yet
	bad    bool // a test was bad since it started
	failed bool // ended badly without a bad test
	kind   string
	build  string // import path that did not build
}

// goTest is one test, sub-test, example, fuzz target or benchmark.
type goTest struct {
	name     string
	running  bool
	attempts []qa.Status
	seconds  float64
	output   *collect.Excerpt
	failure  string // what failed attempts printed
}

func newGoRun(c *collect.Collector) *goRun {
	return &goRun{c: c, packages: map[string]*goPackage{}, builds: map[string]*collect.Excerpt{}, outside: map[string]bool{}}
}

func (g *goRun) build(path string) *collect.Excerpt {
	if g.builds[path] == nil {
		if len(g.builds) >= collect.MaxProblems {
			return &collect.Excerpt{}
		}
		g.builds[path] = &collect.Excerpt{}
	}
	return g.builds[path]
}

// event takes one line in.
func (g *goRun) event(e *goEvent) error {
	switch string(e.action) {
	case "build-output":
		g.keep(g.build(string(e.importPath)), e.output)
		return nil
	case "build-fail":
		g.events++
		return nil
	}
	if len(e.pkg) == 0 {
		return nil
	}
	g.events++
	p := g.packages[string(e.pkg)]
	if p == nil {
		path := collect.CleanName(e.pkg)
		if !g.c.Room.Take(collect.OfLevels, 1) || !g.c.Room.Take(collect.OfNames, len(path)) {
			return g.c.Room.Err
		}
		p = &goPackage{path: path, tests: map[string]*goTest{}}
		g.packages[string(e.pkg)] = p
		g.order = append(g.order, p)
	}
	if len(e.test) == 0 {
		g.packageEvent(p, e)
		return nil
	}
	return g.testEvent(p, e)
}

func (g *goRun) packageEvent(p *goPackage, e *goEvent) {
	switch string(e.action) {
	case "start":
		p.open, p.bad = true, false
	case "output":
		p.open = true
		g.keep(&p.output, e.output)
	case "pass", "skip":
		g.c.Suite.Seconds += e.elapsed
		g.end(p)
	case "fail":
		g.c.Suite.Seconds += e.elapsed
		p.build = string(e.failedBuild)
		g.end(p)
		if !p.bad {
			p.failed = true
			p.kind = p.classify()
		}
	}
}

// keep adds to an output while all of them together are not too long.
func (g *goRun) keep(e *collect.Excerpt, text []byte) {
	if g.held+len(text) > collect.MaxHeld {
		g.c.TextCut = true
		return
	}
	before := e.Size()
	e.Add(text)
	g.held += e.Size() - before
}

// end closes a run of the package's test binary: what still runs was killed.
func (g *goRun) end(p *goPackage) {
	p.open = false
	for _, t := range p.begun {
		if !t.running {
			continue
		}
		before := t.held()
		if strings.HasPrefix(t.name, "Benchmark") && !p.bad {
			t.end(qa.Passed, 0) // benchmarks have no end event
		} else {
			t.end(qa.Errored, 0)
			p.bad = true
		}
		g.held += t.held() - before
	}
	p.begun = p.begun[:0]
}

// begin takes note of a test that runs. Those that have ended go once in a
// while: one test may run any number of times.
func (p *goPackage) begin(t *goTest) {
	if t.running {
		return
	}
	t.running = true
	if len(p.begun) > 2*len(p.order) {
		p.begun = slices.DeleteFunc(p.begun, func(o *goTest) bool { return !o.running })
	}
	p.begun = append(p.begun, t)
}

// classify says why a package failed though none of its tests did.
func (p *goPackage) classify() string {
	if p.build != "" {
		return "build"
	}
	return PackageFailure(p.output.String())
}

func (g *goRun) testEvent(p *goPackage, e *goEvent) error {
	t := p.tests[string(e.test)]
	if t == nil {
		t = &goTest{name: collect.CleanName(e.test)}
		if !g.c.Room.Take(collect.OfLevels, 1+strings.Count(t.name, "/")) || !g.c.Room.Take(collect.OfNames, len(t.name)) {
			return g.c.Room.Err
		}
		p.tests[string(e.test)] = t
		p.order = append(p.order, t)
	}
	p.open = true
	before := t.held()
	switch string(e.action) {
	case "run":
		p.begin(t)
	case "output":
		if t.output == nil {
			t.output = &collect.Excerpt{}
		}
		g.keep(t.output, e.output)
		return nil
	case "pass", "bench":
		t.end(qa.Passed, e.elapsed)
	case "skip":
		t.end(qa.Skipped, e.elapsed)
	case "fail":
		p.bad = true
		t.end(qa.Failed, e.elapsed)
	}
	g.held += t.held() - before
	return nil
}

// held is how much is kept of what a test printed.
func (t *goTest) held() int {
	n := len(t.failure)
	if t.output != nil {
		n += t.output.Size()
	}
	return n
}

func parentTest(name string) (string, bool) {
	i := strings.LastIndexByte(name, '/')
	return name[:max(i, 0)], i > 0
}

// end closes one attempt. What a good attempt printed is of no use.
func (t *goTest) end(status qa.Status, seconds float64) {
	t.running = false
	if len(t.attempts) < 1000 {
		t.attempts = append(t.attempts, status)
	}
	t.seconds += seconds
	if t.output != nil {
		if status != qa.Passed && len(t.failure) < collect.MaxOutput {
			t.failure = collect.JoinText(t.failure, collect.Clip(t.output.String(), collect.MaxOutput))
		}
		t.output = nil
	}
}

// status joins the attempts.
func (t *goTest) status() qa.Status {
	good := slices.Contains(t.attempts, qa.Passed)
	failed, killed := slices.Contains(t.attempts, qa.Failed), slices.Contains(t.attempts, qa.Errored)
	switch {
	case good && (failed || killed):
		return qa.Flaky
	case failed:
		return qa.Failed
	case killed:
		return qa.Errored
	case good:
		return qa.Passed
	}
	return qa.Skipped
}

// finish closes what is open and hands the tests over.
func (g *goRun) finish() error {
	for _, p := range g.order {
		cutOff := p.open
		if p.open {
			g.end(p)
		}
		if err := g.cases(p); err != nil {
			return err
		}
		switch {
		case p.failed && !g.outside[p.path]:
			g.problem(p)
		case cutOff && !p.failed:
			g.c.Problem("crash", p.path, "the package started and never finished: killed, or the report was cut off\n"+tellingLines(p.output.String()))
		}
	}
	return nil
}
