// Package reporter turns a [qa.Report] into what people and machines read: the
// pull request comment, the check run, workflow annotations, the job summary,
// step outputs, the console, and the files of the session directory.
//
// Every member is a pure renderer: it reads the report and [Options], writes
// to an [io.Writer] and touches nothing else. Start reading at [For]; each kind of
// output has a room of its own below. A sink that is more than a stream of bytes
// has its own function there ([markdown.Check]) or here ([Outputs]).
//
// Three promises hold for every member that people read:
//
//   - text from the repository, its tests or a model is made harmless in one
//     place, package escape;
//   - a size limit never costs the verdict, a gate, or the number and first name
//     of tests that fail alike (extract/groups.go), and every cut says "k of n"
//     (package fit);
//   - a percentage is cut, never rounded up, and stands beside its fraction
//     (package number), so that what is shown agrees with the gate.
package reporter

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/annotation"
	"github.com/org/qa-action/internal/reporter/cobertura"
	"github.com/org/qa-action/internal/reporter/console"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/html"
	"github.com/org/qa-action/internal/reporter/junit"
	"github.com/org/qa-action/internal/reporter/markdown"
	"github.com/org/qa-action/internal/reporter/sarif"
	"github.com/org/qa-action/internal/reporter/sink"
)

// Reporter is one way to render a report.
type Reporter struct {
	// Name is the key for [For].
	Name string
	// File is the path of the output inside the session directory, slash
	// separated; empty for a sink that is not a file there.
	File string
	// Budget is the most bytes the sink takes; 0 is no limit.
	Budget int
	// Render writes the whole output, or nothing useful and an error.
	Render func(w io.Writer, r *qa.Report, o sink.Options) error
}

// Options are what a rendering depends on beside the report, Links the addresses
// on the code host.
type (
	Options = sink.Options
	Links   = sink.Links
)

// Check gives the text and annotations of a check run, see [markdown.Check].
func Check(r *qa.Report, o Options) qa.CheckOutput { return markdown.Check(r, o) }

// Explain is everything that a report knows of one finding, see [markdown.Explain].
func Explain(r *qa.Report, mark string, o Options) (text string, found bool) {
	return markdown.Explain(r, mark, o)
}

// Proposal is the body of the pull request that offers the kept tests.
func Proposal(r *qa.Report, o Options) string { return markdown.Proposal(r, o) }

// Reasons say of each kept test in plain text why it is there. Names are as they are in
// the report: who shows them elsewhere takes care.
func Reasons(r *qa.Report) []string {
	var out []string
	for _, t := range r.Generated {
		if why := extract.NonEmpty(append([]string{t.Class}, extract.Earned(t)...)); t.Kept && len(why) > 0 {
			out = append(out, fmt.Sprintf("%s (%s): %s", t.Name, t.Path, strings.Join(why, ", ")))
		} else if t.Kept {
			out = append(out, fmt.Sprintf("%s (%s)", t.Name, t.Path))
		}
	}
	return out
}

// Budgets of the sinks, in bytes, with room left for what the sender adds.
// GitHub stores longer comments than it documents (65,536 characters), but
// 60,000 bytes are safe under every reading; a job summary above 1 MiB is refused as a whole.
const (
	commentBudget = 60_000
	summaryBudget = 900_000
)

// reporters is the closed table of members, in alphabetical order; one file each.
func reporters() []Reporter {
	return []Reporter{
		{Name: "annotations", Render: annotation.Render},
		{Name: "check", Render: markdown.CheckJSON},
		{Name: "cobertura", File: "coverage.cobertura.xml", Render: cobertura.Render},
		{Name: "comment", Budget: commentBudget, Render: markdown.Comment},
		{Name: "console", Render: console.Render},
		{Name: "html", File: "report.html", Render: html.Render},
		{Name: "json", File: "report.json", Render: renderJSON},
		{Name: "junit", File: "junit.xml", Render: junit.Render},
		{Name: "markdown", File: "analysis/quality-report.md", Render: markdown.Report},
		{Name: "outputs", Render: renderOutputs},
		{Name: "patch", File: "generated-tests.patch", Render: renderPatch},
		{Name: "sarif", File: "report.sarif", Render: sarif.Render},
		{Name: "summary", Budget: summaryBudget, Render: markdown.Summary},
	}
}

// For gives the reporter called name; the error lists the valid names.
func For(name string) (Reporter, error) {
	for _, r := range reporters() {
		if r.Name == strings.ToLower(name) {
			return r, nil
		}
	}
	return Reporter{}, fmt.Errorf("unknown reporter %q, valid reporters are %s", name, strings.Join(Names(), ", "))
}

// Names lists all reporters in alphabetical order.
func Names() []string { return each.Of(reporters(), func(r Reporter) string { return r.Name }) }

// Render writes the report with the reporter called name.
func Render(w io.Writer, name string, r *qa.Report, o sink.Options) error {
	rep, err := For(name)
	if err != nil {
		return err
	}
	o.Budget = cmp.Or(o.Budget, rep.Budget)
	if err := rep.Render(w, r, o); err != nil {
		return fmt.Errorf("render %s: %w", rep.Name, err)
	}
	return nil
}

// Text is the report as the reporter called name writes it.
func Text(name string, r *qa.Report, o sink.Options) (string, error) {
	var b strings.Builder
	err := Render(&b, name, r, o)
	return b.String(), err
}

// Colour decides whether a terminal gets colours: never when NO_COLOR is set to
// anything (no-color.org), on a dumb terminal, or when out is no terminal.
func Colour(getenv func(string) string, terminal bool) bool {
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
