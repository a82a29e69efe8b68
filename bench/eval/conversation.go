package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/bench/eval/recording"
	"github.com/org/qa-action/internal/qa"
)

// conversation is what a model was asked in one case and what it answered, told
// to people in the order of a run, with what became of each answer.
type conversation struct {
	strings.Builder
	report *qa.Report
	seen   map[string]bool // kinds of question whose common words stand above
}

// jobs are the kinds of question in the order in which a run asks them.
var jobs = []string{"scout/scan", "scout/refute", "generator/", "repair/", "analyst/recommend"}

func order(e recording.Exchange) int {
	return slices.IndexFunc(jobs, func(job string) bool { return strings.HasPrefix(e.Job, job) })
}

// tell writes the conversation of a case into a file of the folder.
func tell(dir string, s *stage, all []recording.Exchange, r *qa.Report) error {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b recording.Exchange) int { return cmp.Compare(order(a), order(b)) })
	asked, answered := recording.Tokens(all)
	t := &conversation{report: r, seen: map[string]bool{}}
	fmt.Fprintf(t, "# %s\n\n%d questions, %d tokens of four characters each. The change is `testdata/eval/case/%s`.\n", s.ID, len(all), asked+answered, s.ID)
	t.quoted("The change says of itself", s.Title+"\n\n"+s.Body)
	for i, e := range all {
		fmt.Fprintf(t, "\n## %d. %s\n", i+1, e.Job)
		if err := t.exchange(e); err != nil {
			return fmt.Errorf("tell %s: %w", e.Title(), err)
		}
	}
	t.end()
	return errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, s.ID+".md"), []byte(t.String()), 0o644))
}

func (t *conversation) exchange(e recording.Exchange) error {
	if !t.seen[e.Job] {
		t.seen[e.Job] = true
		t.folded("What every question of this kind begins with", e.System)
	}
	if e.Variant > 0 {
		fmt.Fprintf(t, "\nThe same question once more, pass %d: the votes are compared.\n", e.Variant+1)
	} else {
		t.quoted("Question", e.Prompt)
	}
	answer, err := e.Answer()
	if err != nil {
		return err
	}
	t.quoted("Answer", string(answer))
	return t.outcome(e)
}

// outcome says what the run made of an answer.
func (t *conversation) outcome(e recording.Exchange) error {
	var reply struct {
		Findings []struct{ Path, Title, Explanation string }
		Verdicts []struct {
			Number  int
			Refuted bool
		}
		Tests           []struct{ Name string }
		Recommendations []string
	}
	if err := json.Unmarshal(e.Reply, &reply); err != nil {
		return err
	}
	var lines []string
	for _, claim := range reply.Findings {
		at := slices.IndexFunc(t.report.Findings, func(f qa.Finding) bool {
			return f.Path == claim.Path && (f.Rule.ID == "model/"+claim.Title || strings.Contains(f.Message, claim.Explanation))
		})
		if at < 0 {
			lines = append(lines, fmt.Sprintf("%s: no finding of the report has its name or its words", claim.Title))
		} else {
			lines = append(lines, fmt.Sprintf("%s: %s of the report, %s", claim.Title, t.report.Findings[at].ID, t.report.Findings[at].Evidence))
		}
	}
	for _, v := range reply.Verdicts {
		lines = append(lines, fmt.Sprintf("claim %d %s", v.Number, map[bool]string{true: "is refuted", false: "stands"}[v.Refuted]))
	}
	for _, test := range reply.Tests {
		lines = append(lines, t.tests(test.Name)...)
	}
	for _, words := range reply.Recommendations {
		if slices.Contains(t.report.Recommendations, words) {
			lines = append(lines, "a recommendation of the report")
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(t, "\n**What became of it**\n\n- %s\n", strings.Join(lines, "\n- "))
	}
	return nil
}

// tests says what the assurance chain decided about the tests of one name.
func (t *conversation) tests(name string) []string {
	var out []string
	for _, g := range t.report.Generated {
		switch {
		case !sameTest(g.Name, name):
		case g.Kept:
			out = append(out, fmt.Sprintf("`%s` is kept: %s on base, %s on head, mutants that only it notices: %d", name, g.Base, g.Head, g.Kills))
		default:
			out = append(out, fmt.Sprintf("`%s` ends at %s: %s", name, g.Gate, g.Reason))
		}
	}
	if out == nil {
		return []string{fmt.Sprintf("`%s` was not put on trial under this name", name)}
	}
	return out
}

// end is what the report says in the end.
func (t *conversation) end() {
	fmt.Fprintf(t, "\n## The report\n\nResult: %s.\n", t.report.Result)
	for _, f := range t.report.Findings {
		fmt.Fprintf(t, "\n- %s, %s, %s: `%s:%d`", f.ID, f.Severity, f.Evidence, f.Path, f.Lines.Start)
		if f.Proof != nil {
			fmt.Fprintf(t, ", shown by `%s` (%s on base, %s on head, %d runs)", f.Proof.Test, f.Proof.Base, f.Proof.Head, f.Proof.Runs)
		}
	}
	t.WriteString("\n")
}

// quoted shows text of others as it is: no line of it can end its block.
func (t *conversation) quoted(what, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(t, "\n**%s**\n\n%stext\n%s\n%s\n", what, fence, strings.TrimSpace(text), fence)
}

func (t *conversation) folded(what, text string) {
	fmt.Fprintf(t, "\n<details><summary>%s</summary>\n", what)
	t.quoted("System", text)
	t.WriteString("\n</details>\n")
}
