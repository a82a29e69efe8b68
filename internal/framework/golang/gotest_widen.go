package golang

import (
	"bytes"
	"go/build/constraint"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/shell"
)

// byName is the advice for what is not taken over.
const byName = "; name it in test-command to run it"

// widen takes over the race detector, which needs a compiler of C, and build tags, under
// which more tests are built. Tests under a tag of a job with services, or that installs
// packages of the machine, are likely to need those, and would fail here. Neither is taken
// over where a file is built only without it: what people run without the option would not
// run.
func widen(p *project.Project, d *adapter.Detection, told adapter.Detection, needs bool) (lacks string) {
	tags, given := shell.LastOption(told.Args, "-tags"), shell.LastOption(d.Args, "-tags")
	switch file := builtWithout(p, strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' })); {
	case tags == "" || tags == given:
	case given != "":
		lacks = "another command of the workflow has other build tags" + byName
	case needs:
		lacks = "its job has services or installs packages of the machine, which its build tags may need" + byName
	case file != "":
		lacks = file + " is built only without its build tags" + byName
	case slices.Contains(told.Args, "-tags"): // as it is told, so that it is known again
		d.Args = append(d.Args, "-tags", tags)
	default:
		d.Args = append(d.Args, "-tags="+tags)
	}
	repeats(d, told)
	if !slices.Contains(told.Args, "-race") || slices.Contains(d.Args, "-race") {
		return lacks
	}
	if file := builtWithout(p, []string{"race"}); file != "" {
		return file + " is built only without the race detector" + byName
	}
	if !slices.ContainsFunc([]string{"gcc", "cc", "clang"}, func(program string) bool { _, err := p.Machine.LookPath(program); return err == nil }) {
		return "the race detector needs a compiler of C, and there is none on PATH; install gcc"
	}
	d.Args = append(d.Args, "-race")
	return lacks
}

// repeats takes over how often tests run, and on how many processors: what one run leaves
// behind fails the next one. A command that has some of the tests run says nothing of the
// others.
func repeats(d *adapter.Detection, told adapter.Detection) {
	if shell.LastOption(told.Args, "-run")+shell.LastOption(told.Args, "-skip") != "" || slices.Contains(told.Args, "-short") {
		return
	}
	for _, option := range []string{"-count", "-cpu"} {
		value := shell.LastOption(told.Args, option)
		switch {
		case value == "" || value == "1" || shell.LastOption(d.Args, option) != "":
		case slices.Contains(told.Args, option): // as it is told, so that it is known again
			d.Args = append(d.Args, option, value)
		default:
			d.Args = append(d.Args, option+"="+value)
		}
	}
}

// constrained is how much of a file is read for its build constraints, in bytes.
const constrained = 64 << 10

// builtWithout is a file of Go that one of some tags keeps from being built, or what kept
// from looking at all; empty is none.
func builtWithout(p *project.Project, tags []string) (found string) {
	if len(tags) == 0 {
		return ""
	}
	skip := func(folder string) bool {
		base := path.Base(folder)
		return base == "testdata" || strings.HasPrefix(base, "_") || language.IsVendored(base) || language.IsInstalled(base)
	}
	whole := p.Below(p.Dir, skip, func(file string) bool {
		if strings.HasSuffix(file, ".go") && negates(p, file, tags) {
			found = file
		}
		return found == ""
	})
	switch {
	case found != "":
		p.Read(found) // it is one of those that decide how tests run
	case !whole:
		return "one of more files than are looked at"
	}
	return found
}

// negates reports whether a constraint of a file names one of some tags that may not be
// set. What cannot be read may do so.
func negates(p *project.Project, file string, tags []string) bool {
	f, _, err := rooted.Open(p.Root, file)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, constrained))
	if err != nil {
		return true
	}
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "package ") {
			return false // constraints stand before it
		}
		if expr, err := constraint.Parse(text); err == nil && negated(expr, false, tags) {
			return true
		}
	}
	return false
}

// negated reports whether one of some tags stands in an expression that wants it unset.
// not says that the expression itself is negated.
func negated(e constraint.Expr, not bool, tags []string) bool {
	switch e := e.(type) {
	case *constraint.NotExpr:
		return negated(e.X, !not, tags)
	case *constraint.AndExpr:
		return negated(e.X, not, tags) || negated(e.Y, not, tags)
	case *constraint.OrExpr:
		return negated(e.X, not, tags) || negated(e.Y, not, tags)
	case *constraint.TagExpr:
		return not && slices.Contains(tags, e.Tag)
	}
	return true
}
