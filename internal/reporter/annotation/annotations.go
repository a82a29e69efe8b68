// Package annotation makes the remarks that stand at lines of the diff, and the
// workflow commands that carry them.
package annotation

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/sink"
	"github.com/org/qa-action/internal/wording"
)

// Limits of one annotation: the API takes 255 characters of title and 64 KB of
// message and details; the runner cuts a command's message at 4,096 characters.
const (
	titleLimit   = 250
	MessageLimit = 3_500
	RawLimit     = 16_000
)

// PerLevel is how many annotations of each level the runner keeps per step.
const PerLevel = 10

// Of are all remarks worth a line in the diff, best first: those on
// changed lines before others, failures before warnings before notices.
// Suspected, known and dismissed findings make none.
func Of(r *qa.Report, _ sink.Options) []qa.Annotation {
	var all []qa.Annotation
	for _, g := range extract.AttentionGroups(extract.Groups(r.Tests)) {
		if a, ok := failureAnnotation(g); ok {
			all = append(all, a)
		}
	}
	for _, f := range extract.Counting(r.Findings) {
		if !annotatable(f.Path) {
			continue
		}
		message := f.Message
		if f.Suggestion != "" {
			message += "\nFix: " + f.Suggestion
		}
		lines := f.Lines
		if lines.Start <= 0 {
			lines = qa.Range{Start: 1, End: 1}
		}
		all = append(all, bounded(qa.Annotation{Path: f.Path, Lines: lines, Level: findingLevel(f.Severity), Message: message,
			Title: fmt.Sprintf("%s %s (%s): %s", f.Severity, extract.Perspectives(f), f.Evidence, f.Rule.ID)}))
	}
	if c := r.Coverage.Patch; c != nil {
		for _, m := range c.Missing {
			if !annotatable(m.Path) {
				continue
			}
			for _, lines := range m.Ranges {
				all = append(all, bounded(qa.Annotation{Path: m.Path, Lines: lines, Level: qa.LevelNotice, Title: "Not covered",
					Message: wording.Count(lines.Len(), "changed line") + " no test ran"}))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b qa.Annotation) int {
		return cmp.Or(cmp.Compare(outside(r, a), outside(r, b)), cmp.Compare(levelRank(a.Level), levelRank(b.Level)))
	})
	return all
}

// failureAnnotation is one remark for a test, or for a group of tests that fail
// alike at the first of its places that can be named; ok is false without any.
func failureAnnotation(g extract.Group) (qa.Annotation, bool) {
	i := slices.IndexFunc(g.Named, func(t qa.FailingTest) bool { return annotatable(t.Case.File) })
	if i < 0 {
		return qa.Annotation{}, false
	}
	t := g.Named[i]
	title, message := "Test failed: "+t.Case.ID(), extract.FirstText(t.Case.Message, "no message")
	if g.Count > 1 {
		title = wording.Number(g.Count) + " tests fail alike: " + g.Message
		message = escape.Paragraphs(message, MessageLimit/3) + "\n\nFirst of them:\n"
		for _, id := range g.Names() {
			message += "- " + escape.Name(id, extract.NameLimit) + "\n"
		}
		if more := g.Others(); more != "" {
			message += "- " + more + "\n"
		}
	}
	at := max(t.Case.Line, 1)
	return bounded(qa.Annotation{Path: t.Case.File, Lines: qa.Range{Start: at, End: at}, Level: qa.LevelFailure, Title: title,
		Message: message + "\nReproduce: " + wording.Line(t.Reproduce, 600), Raw: t.Case.Output}), true
}

// bounded is an annotation within what GitHub takes.
func bounded(a qa.Annotation) qa.Annotation {
	a.Lines.End = max(a.Lines.End, a.Lines.Start)
	a.Title, a.Message, a.Raw = wording.Line(a.Title, titleLimit), escape.Paragraphs(a.Message, MessageLimit), escape.Paragraphs(a.Raw, RawLimit)
	return a
}

// annotatable reports whether a path can be sent as it is: a changed one would
// name another file.
func annotatable(path string) bool { return escape.SafePath(path) && wording.Plain(path) == path }

// outside is 0 for lines that the change wrote, 1 for others.
func outside(r *qa.Report, a qa.Annotation) int {
	if f, ok := r.Change.File(a.Path); ok && f.Touches(a.Lines) {
		return 0
	}
	return 1
}

func levelRank(l qa.Level) int {
	return slices.Index([]qa.Level{qa.LevelFailure, qa.LevelWarning, qa.LevelNotice}, l)
}

func findingLevel(s qa.Severity) qa.Level {
	switch s {
	case qa.Critical, qa.High:
		return qa.LevelFailure
	case qa.Medium:
		return qa.LevelWarning
	}
	return qa.LevelNotice
}

// Render writes workflow commands, ten per level: more would be
// dropped without a word, so a last notice takes the place of the tenth and
// says how many there are.
func Render(w io.Writer, r *qa.Report, o sink.Options) error {
	byLevel := map[qa.Level][]qa.Annotation{}
	all := Of(r, o)
	for _, a := range all {
		byLevel[a.Level] = append(byLevel[a.Level], a)
	}
	levels := []qa.Level{qa.LevelFailure, qa.LevelWarning, qa.LevelNotice}
	cutting := slices.ContainsFunc(levels, func(l qa.Level) bool { return len(byLevel[l]) > PerLevel })
	shown := 0
	var b strings.Builder
	for _, level := range levels {
		keep := PerLevel
		if cutting && level == qa.LevelNotice {
			keep--
		}
		for _, a := range byLevel[level][:min(len(byLevel[level]), keep)] {
			b.WriteString(command(a))
			shown++
		}
	}
	if cutting {
		fmt.Fprintf(&b, "::notice title=QA::%s\n", escape.CommandData(fmt.Sprintf("%d of %d annotations shown; all of them are in the full report", shown, len(all))))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// command is one workflow command.
func command(a qa.Annotation) string {
	word := map[qa.Level]string{qa.LevelFailure: "error", qa.LevelWarning: "warning", qa.LevelNotice: "notice"}[a.Level]
	return fmt.Sprintf("::%s file=%s,line=%d,endLine=%d,title=%s::%s\n", word, escape.CommandProperty(wording.Line(a.Path, 1000)),
		a.Lines.Start, a.Lines.End, escape.CommandProperty(a.Title), escape.CommandData(a.Message))
}
