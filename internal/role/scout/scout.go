// Package scout asks a model for findings and keeps those that survive. Start
// at [Scout.Scan].
//
// The model sees one group of changed files per request, for all perspectives at
// once. A claim must quote the code; our code finds the line, and a quote that is
// not in the file drops the claim. Then tests are written and tried, and what none
// of them proves is given to a second reader who tries to refute it, see
// [Scout.Refute]: evidence comes before opinion, and saves it. That reader is shown
// what the claims hang on. The engines of package
// scan are the other half of the scan; both halves are settled by the same rules
// there.
package scout

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
	"golang.org/x/sync/errgroup"
)

// claim is a finding as a model states it.
type claim struct {
	Path        string   `json:"path"`
	Quote       string   `json:"quote"`
	Perspective string   `json:"perspective"`
	Title       string   `json:"title"`
	Severity    string   `json:"severity"`
	Trigger     string   `json:"trigger"`
	Explanation string   `json:"explanation" jsonschema:"at most three sentences"`
	Suggestion  string   `json:"suggestion" jsonschema:"one sentence"`
	CWE         []string `json:"cwe"`
}

// reply is what the model answers to a scan request.
type reply struct {
	Findings []claim `json:"findings"`
	// Risks are words that decide nothing.
	Risks []string `json:"risks" jsonschema:"at most three: what else may go wrong, what to test"`
}

// judgement is what the refuting request answers.
type judgement struct {
	Need     []string     `json:"need" jsonschema:"functions or files without which a claim cannot be decided"`
	Verdicts []refutation `json:"verdicts"`
}

// refutation is the verdict about one claim.
type refutation struct {
	Number  int    `json:"number"`
	Reason  string `json:"reason" jsonschema:"what the code does for the input, step by step, in at most three sentences"`
	Refuted bool   `json:"refuted"`
	// Severity counts where it is lower than the claim's.
	Severity string `json:"severity"`
}

// model is a scan by a model. The functions are the model's, bound to its
// client, so that tests can answer for it.
type model struct {
	Ask    func(context.Context, llm.Request) (reply, error)
	Refute func(context.Context, llm.Request) (judgement, error)
	// Look gives the refuting request what it asks to see, once; nil gives
	// nothing.
	Look func(names []string) string
	// Group is the token budget of one request's files; zero is 6000.
	Group int
}

// shownFile is a changed file as the model is shown it.
type shownFile struct {
	related.Side
	Deleted bool     // Source is empty
	Only    qa.Range // the lines of this piece of a large file; zero is all
	Context string   // callers and callees that are not seen in the file
	Lost    string   // functions that the change took away, and who still says their names
	Twins   []string // files with the same edit and nothing else, which are not shown
	Version string   // of Go, where the file is in Go
	Release string   // of the project, where the text says since which one something is there
	// Instructions are the maintainers' words for this path.
	Instructions string
}

// input is what is scanned.
type input struct {
	Files        []shownFile
	Perspectives []qa.Perspective
	checkout.Words
	Patterns []qa.Pattern
}

// Result are hits for scan.Settle and what was dropped on the way.
type Result struct {
	Hits    []engine.Hit
	Dropped []string // claims without a matching quote
	// Unanswered are files about which nothing was answered, TooLong those of which the
	// model's window does not hold all.
	Unanswered, TooLong []string
	Risks               []string // a model's words: hostile
}

//go:embed prompt/system.md
var systemPrompt string

//go:embed prompt/*.md
var prompts embed.FS

var templates = template.Must(template.New("").Option("missingkey=error").
	Funcs(template.FuncMap{"marked": marked, "data": llm.Data, "name": llm.Name, "around": around, "named": named, "inc": func(i int) int { return i + 1 }}).ParseFS(prompts, "prompt/*.md"))

// around is the file, among those of a request before one, that has the same around it;
// empty where there is none. One edit in many files has.
func around(files []shownFile, at int) string {
	f, _ := each.First(files[:at], func(f shownFile) bool { return f.Context == files[at].Context })
	return f.Path
}

// named are the names of files with the same edit.
func named(files []string) string { return wording.Some(each.Of(files, llm.Name), shownTwins) }

// attempts is how often a group is asked about that was not answered.
const attempts = 2

// Scan asks about every group of files. An error of the model ends the scan of its
// group with what was found until then.
func (m model) Scan(ctx context.Context, in input) (Result, error) {
	parts, err := ofGroups(m.groups(in.Files), func(group []shownFile) (Result, error) { return m.group(ctx, in, group) })
	return joined(parts), err
}

// ofGroups asks about several groups at once; the answers are in the groups' order, and
// the error joins those of all.
func ofGroups[T any](groups [][]shownFile, ask func([]shownFile) (T, error)) ([]T, error) {
	parts, errs := make([]T, len(groups)), make([]error, len(groups))
	var g errgroup.Group
	g.SetLimit(4)
	for i, group := range groups {
		g.Go(func() error {
			parts[i], errs[i] = ask(group)
			return nil
		})
	}
	_ = g.Wait() // errors are in their slots
	return parts, errors.Join(errs...)
}

// group asks about one group of files, once more where the first answer was none.
func (m model) group(ctx context.Context, in input, group []shownFile) (res Result, err error) {
	var answer reply
	var errs []error
	for attempt := range attempts {
		answer, err = m.ask(ctx, in, group, attempt)
		if err == nil {
			break
		}
		if errors.Is(err, llm.ErrTooLong) {
			return m.narrow(ctx, in, group, err)
		}
		errs = append(errs, err)
	}
	if err != nil {
		res.Unanswered = each.Of(group, func(f shownFile) string { return f.Path })
	}
	kept, dropped := placed(answer.Findings, group)
	res.Hits, res.Dropped, res.Risks = hits(kept), dropped, answer.Risks
	return res, errors.Join(errs...)
}

func (m model) groups(files []shownFile) [][]shownFile {
	budget := m.Group
	if budget == 0 {
		budget = 6000
	}
	var out [][]shownFile
	used := 0
	for _, f := range files {
		n := llm.Tokens(marked(f)) + llm.Tokens(f.Context+f.Lost)
		if len(out) == 0 || used+n > budget {
			out, used = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], f)
		used += n
	}
	return out
}

func (m model) ask(ctx context.Context, in input, group []shownFile, attempt int) (reply, error) {
	prompt, err := render("scan.md", map[string]any{
		"Perspectives": in.Perspectives, "Focus": focus, "Files": group, "Said": in.Said, "Tested": in.Tested, "Untested": in.Untested, "Patterns": in.Patterns,
	})
	if err != nil {
		return reply{}, err
	}
	got, err := m.Ask(ctx, llm.Request{Job: "scout/scan", System: systemPrompt, Prompt: prompt, Variant: attempt, Divisible: len(narrower(group)) > 0})
	for i, c := range got.Findings {
		if !slices.Contains(in.Perspectives, qa.Perspective(c.Perspective)) {
			got.Findings[i].Perspective = string(in.Perspectives[0])
		}
	}
	return got, err
}

// focus is what a perspective looks at, where its name alone does not say it.
var focus = map[qa.Perspective]string{
	qa.TestCoverage: "changed behaviour without a test, tests without assertions, untested error paths and boundaries",
	qa.CodeQuality:  "code that works today and misleads or breaks at the next step: swallowed errors, branches that can never run, copies that already disagree, names and comments that say something else than the code does",
	qa.UX:           "what a person using the interface runs into: missing loading, empty and error states, controls that cannot be reached or named, texts that mislead",
}

func render(name string, data any) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("write prompt %s: %w", name, err)
	}
	return b.String(), nil
}
