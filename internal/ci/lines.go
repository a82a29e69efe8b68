package ci

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// Lines are the test commands of a directory's job, each as a shell line with its
// variables, but for those that the job may not run, or of which more than a variable is
// known to the workflow's own run alone: the others are then not the whole suite.
func Lines(workflows map[string][]byte, dir string) (lines []Line) {
	job, ok := Read(workflows, func(string) string { return "" }).For(dir)
	if !ok {
		return nil
	}
	part := false
	needs := len(job.Services) > 0 || slices.ContainsFunc(job.Commands, func(c Command) bool { return c.Kind == System })
	afar := job.container || !job.linux || job.deploys || len(job.Before(Outward)) > 0 || slices.ContainsFunc(job.Env, func(v Variable) bool { return !v.Known() })
	for i, c := range slices.Concat(job.Commands, job.Rows) {
		row := i >= len(job.Commands)
		if c.Kind != Test || c.Dir != path.Clean("./"+dir) {
			continue
		}
		if !c.Certain {
			part = true
			continue
		}
		text, bare, less := "", "", false
		for _, v := range c.Env {
			if less = less || !v.Known(); !v.Known() {
				continue
			}
			set := v.Name + "=" + wording.Quote(v.Value) + " "
			if text += set; !Harmless(v.Name, v.Value) && strings.HasPrefix(v.Value, "-") {
				bare += set
			}
		}
		lines = append(lines, Line{text + wording.Command(c.Argv), bare + wording.Command(c.Argv), c.Source, needs, less, afar || less, row})
	}
	for i := range lines {
		lines[i].Less = lines[i].Less || part
	}
	return lines
}

// Line is a command as a shell line, with where it stands; Needs says that its job has
// services, or installs packages of the machine. Bare has of its variables only those that
// are options for a program: the others are set for the tests, or say nothing of what is
// run. Less says that neither has a variable whose value only the workflow's run knows, or
// that the job may have other test commands. Afar says that the job has what only its own run
// has: a secret, an image, another kind of machine, something that it puts in place first.
// Row says that it is of a row of the matrix beside the nearest one.
type Line struct {
	Text, Bare, Source     string
	Needs, Less, Afar, Row bool
}
