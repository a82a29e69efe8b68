package testreport

import (
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// goLeaves says which tests of a package count: those without sub-tests, and
// parents that are in trouble while nothing below them is, for then their own
// code failed.
func goLeaves(n int, test func(i int) (name string, status qa.Status)) []bool {
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
	leaf := goLeaves(len(p.order), func(i int) (string, qa.Status) { return p.order[i].name, p.order[i].status() })
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
		if err := g.c.add(c, 0); err != nil {
			return err
		}
	}
	return nil
}

// tell fills in what went wrong and where.
func (g *goRun) tell(p *goPackage, t *goTest, c *qa.Case) {
	lines := withoutMarks(t.failure)
	for up, ok := parentTest(t.name); ok && lines == "" && c.Status != qa.Skipped; up, ok = parentTest(up) {
		if parent := p.tests[up]; parent != nil {
			lines = withoutMarks(parent.failure) // a panic is printed there
		}
	}
	if c.Status != qa.Skipped {
		c.Output = lines
	}
	c.Message = goMessage(lines)
	if c.Status == qa.Errored {
		c.Message = "started and never finished: killed or crashed"
		if why := tellingLines(lines + "\n" + p.output.String()); why != "" {
			c.Message += "\n" + why
		}
	}
	if file, line := goLocation(lines); line > 0 {
		if rel, ok := g.c.places.goFile(p.path, file); ok {
			c.File, c.Line = rel, line
		}
	}
}

// goMessage is what a test says first; of a panic only the reason.
func goMessage(lines string) string {
	text := dedent(lines)
	if strings.HasPrefix(text, "panic: ") {
		return firstLine(text)
	}
	return heading(text, 3)
}

// withoutMarks drops the lines that test2json knows: "=== RUN", "--- FAIL:".
func withoutMarks(text string) string {
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

// dedent takes the indentation of the first line off all lines.
func dedent(text string) string {
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

// goLocation finds the first "x_test.go:12:" of a failure.
func goLocation(text string) (file string, line int) {
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		end := strings.Index(l, "_test.go:")
		if end < 0 {
			continue
		}
		file = l[:end+len("_test.go")]
		file = file[strings.LastIndexAny(file, " \t(")+1:]
		if n := lineIn(l, file); n > 0 {
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
	if len(g.outside) < maxProblems {
		g.outside[pkg] = true
	}
	message := kind + " failed"
	if out := g.builds[pkg]; out != nil {
		message = out.String()
	}
	g.c.problem(kind, cleanName([]byte(pkg)), message)
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
		message = withoutMarks(own)
		if p.kind == "crash" {
			message = joinText("the package failed though none of its tests did", joinText(tellingLines(own), message))
		}
	}
	if title, rest, ok := strings.Cut(message, "\n"); ok && strings.HasPrefix(title, "# ") {
		message = rest // the compiler's "# package" says nothing new
	}
	g.c.problem(p.kind, p.path, message)
}

// goFile finds a file of a package in the repository: by the module path of
// the root's go.mod, else by the longest end of the import path that is a
// folder with that file.
func (p *places) goFile(pkg, file string) (string, bool) {
	if p.tree == nil {
		return "", false
	}
	if path.IsAbs(slashed(file)) {
		return p.relative("", file)
	}
	if dir, ok := strings.CutPrefix(pkg, p.module()); ok && p.module() != "" && (dir == "" || dir[0] == '/') {
		if at := path.Join(strings.TrimPrefix(dir, "/"), file); p.exists(at) {
			return at, true
		}
	}
	for dir, ok := pkg, true; ok; _, dir, ok = strings.Cut(dir, "/") {
		if at := path.Join(dir, file); filepath.IsLocal(at) && p.exists(at) {
			return at, true
		}
	}
	return "", false
}

// module is the module path of the root's go.mod; empty without one.
func (p *places) module() string {
	if p.goModule != nil {
		return *p.goModule
	}
	found := ""
	if f, err := p.tree.Open("go.mod"); err == nil {
		defer f.Close()
		head, _ := io.ReadAll(io.LimitReader(f, headSize))
		for line := range strings.Lines(string(head)) {
			if rest, ok := strings.CutPrefix(line, "module "); ok {
				found = strings.Trim(strings.TrimSpace(rest), `"`)
				break
			}
		}
	}
	p.goModule = &found
	return found
}
