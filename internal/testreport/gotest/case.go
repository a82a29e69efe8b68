package gotest

import (
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// PackageFailure says of a package that failed what its output tells of the reason.
func PackageFailure(output string) string {
	switch {
	case strings.Contains(output, "[build failed]"):
		return "build"
	case strings.Contains(output, "[setup failed]"):
		return "setup"
	}
	return "crash"
}

// GoLeaves says which tests of a package count: those without sub-tests, and
// parents that are in trouble while nothing below them is, for then their own
// code failed.
func GoLeaves(n int, test func(i int) (name string, status qa.Status)) []bool {
	parents, below := map[string]bool{}, map[string]bool{}
	for i := range n {
		name, status := test(i)
		for up, ok := parentTest(name); ok; up, ok = parentTest(up) {
			parents[up] = true
			if status.Bad() || status == qa.Flaky {
				below[up] = true
			}
		}
	}
	leaf := make([]bool, n)
	for i := range n {
		name, status := test(i)
		leaf[i] = !parents[name] || (status.Bad() || status == qa.Flaky) && !below[name]
	}
	return leaf
}

// cases hands over the tests of a package.
func (g *goRun) cases(p *goPackage) error {
	leaf := GoLeaves(len(p.order), func(i int) (string, qa.Status) { return p.order[i].name, p.order[i].status() })
	for i, t := range p.order {
		if !leaf[i] {
			continue
		}
		c := qa.Case{Suite: p.path, Name: t.name, Status: t.status(), Seconds: t.seconds}
		if len(t.attempts) > 1 {
			c.Attempts = len(t.attempts)
		}
		if c.Status != qa.Passed {
			g.tell(p, t, &c)
		}
		if err := g.c.Add(c, 0); err != nil {
			return err
		}
	}
	return nil
}

// tell fills in what went wrong and where.
func (g *goRun) tell(p *goPackage, t *goTest, c *qa.Case) {
	lines := WithoutMarks(t.failure)
	for up, ok := parentTest(t.name); ok && lines == "" && c.Status != qa.Skipped; up, ok = parentTest(up) {
		if parent := p.tests[up]; parent != nil {
			lines = WithoutMarks(parent.failure) // a panic is printed there
		}
	}
	if c.Status != qa.Skipped {
		c.Output = lines
	}
	c.Message = GoMessage(lines)
	if c.Status == qa.Errored {
		c.Message = "started and never finished: killed or crashed"
		if why := tellingLines(lines + "\n" + p.output.String()); why != "" {
			c.Message += "\n" + why
		}
	}
	if file, line := GoLocation(lines); line > 0 {
		if rel, ok := g.c.Places.GoFile(p.path, file); ok {
			c.File, c.Line = rel, line
		}
	}
}

// GoMessage is what a test says first; of a panic only the reason.
func GoMessage(lines string) string {
	text := Dedent(lines)
	if strings.HasPrefix(text, "panic: ") {
		return collect.FirstLine(text)
	}
	return collect.Heading(text, 3)
}

// WithoutMarks drops the lines that test2json knows: "=== RUN", "--- FAIL:".
func WithoutMarks(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " ")
		if strings.HasPrefix(line, "=== ") || strings.HasPrefix(bare, "--- FAIL: ") || strings.HasPrefix(bare, "--- SKIP: ") || strings.HasPrefix(bare, "--- PASS: ") {
			continue
		}
		out.WriteString(line)
	}
	return strings.TrimRight(out.String(), "\n")
}

// Dedent takes the indentation of the first line off all lines.
func Dedent(text string) string {
	text = strings.TrimLeft(text, "\n")
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	if indent == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], indent)
	}
	return strings.Join(lines, "\n")
}

// GoLocation finds the first "x_test.go:12:" of a failure.
func GoLocation(text string) (file string, line int) {
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		end := strings.Index(l, "_test.go:")
		if end < 0 {
			continue
		}
		file = l[:end+len("_test.go")]
		file = file[strings.LastIndexAny(file, " \t(")+1:]
		if n := collect.LineIn(l, file); n > 0 {
			return file, n
		}
	}
	return "", 0
}

// tellingLines picks what says why a test binary ended: the panic, the signal,
// the time-out, up to three lines.
func tellingLines(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fatal error: "), strings.HasPrefix(line, "signal: "),
			strings.HasPrefix(line, "exit status "), strings.HasPrefix(line, "*** Test killed"), strings.HasPrefix(line, "WARNING: DATA RACE"):
			out = append(out, line)
		}
		if len(out) == 3 {
			break
		}
	}
	return strings.Join(out, "\n")
}

// failedOutside notes a package that plain console output says did not start.
func (g *goRun) failedOutside(kind, pkg string) {
	if g.outside[pkg] {
		return
	}
	if len(g.outside) < collect.MaxProblems {
		g.outside[pkg] = true
	}
	message := kind + " failed"
	if out := g.builds[pkg]; out != nil {
		message = out.String()
	}
	g.c.Problem(kind, collect.CleanName([]byte(pkg)), message)
}

// problem notes a package that failed though none of its tests did.
func (g *goRun) problem(p *goPackage) {
	message := ""
	for _, path := range []string{p.build, p.path} {
		if out := g.builds[path]; out != nil && message == "" {
			message = out.String()
		}
	}
	own := p.output.String()
	if message == "" {
		message = WithoutMarks(own)
		if p.kind == "crash" {
			message = collect.JoinText("the package failed though none of its tests did", collect.JoinText(tellingLines(own), message))
		}
	}
	if title, rest, ok := strings.Cut(message, "\n"); ok && strings.HasPrefix(title, "# ") {
		message = rest // the compiler's "# package" says nothing new
	}
	g.c.Problem(p.kind, p.path, message)
}
