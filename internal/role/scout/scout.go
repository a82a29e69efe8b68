// Package scout asks a model for findings and keeps those that survive. Start
// at [Scout.Scan].
//
// The model sees one group of changed files per request and one perspective. A
// claim must quote the code; our code finds the line, and a quote that is not
// in the file drops the claim. Several passes with the files in another order
// vote; an independent request then tries to refute what is left. The engines of
// package scan are the other half of the scan; both halves are settled by the
// same rules there.
package scout

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/sync/errgroup"

	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// claim is a finding as a model states it.
type claim struct {
	Path        string   `json:"path" jsonschema:"path of the file, as given"`
	Quote       string   `json:"quote" jsonschema:"one to three whole lines of the file, copied exactly, that show the problem"`
	Title       string   `json:"title" jsonschema:"short kebab-case name of the kind of problem, for example off-by-one"`
	Severity    string   `json:"severity" jsonschema:"critical, high, medium or low"`
	Trigger     string   `json:"trigger" jsonschema:"one concrete input, call or state that is possible, what happens then and what should happen instead, for example: take([1], 1) reads items[1] and throws, [1] expected"`
	Explanation string   `json:"explanation" jsonschema:"why it goes wrong, in at most three sentences"`
	Suggestion  string   `json:"suggestion" jsonschema:"what to change, in one sentence"`
	CWE         []string `json:"cwe" jsonschema:"CWE ids such as CWE-89, empty when none fits"`
}

// reply is what the model answers to a scan request.
type reply struct {
	Findings []claim `json:"findings"`
}

// judgement is what the refuting request answers.
type judgement struct {
	Need     []string     `json:"need" jsonschema:"names of functions or paths of files of the repository without which a claim cannot be decided; empty when none"`
	Verdicts []refutation `json:"verdicts"`
}

// refutation is the verdict about one claim.
type refutation struct {
	Number  int    `json:"number" jsonschema:"number of the claim"`
	Reason  string `json:"reason" jsonschema:"what the code does for the input of the claim, step by step, in at most three sentences"`
	Refuted bool   `json:"refuted" jsonschema:"true when the code proves the claim wrong, the input cannot occur, or what happens is intended"`
}

// model is a scan by a model. The functions are the model's, bound to its
// client, so that tests can answer for it.
type model struct {
	Ask    func(context.Context, llm.Request) (reply, error)
	Refute func(context.Context, llm.Request) (judgement, error)
	// Look gives the refuting request what it asks to see, once; nil gives
	// nothing.
	Look func(names []string) string
	// Passes vote on every group; zero is 2.
	Passes int
	// Group is the token budget of one request's files; zero is 6000.
	Group int
}

// shownFile is a changed file as the model is shown it.
type shownFile struct {
	Path    string
	Source  string
	Before  string // its text on base, empty when it is new
	Added   []qa.Range
	Around  []qa.Range // the functions that the change touches
	Only    qa.Range   // the lines of this piece of a large file; zero is all
	Context string     // callers and callees outside the file
	// Instructions are the maintainers' words for this path.
	Instructions string
}

// input is what is scanned.
type input struct {
	Files        []shownFile
	Perspectives []qa.Perspective
	Title, Body  string // of the pull request: hostile
	Patterns     []qa.Pattern
	// Unverified is a severity whose claims are not worth a refutation; they
	// stay suspected. Empty verifies all.
	Unverified qa.Severity
}

// Result are hits for scan.Settle and what was dropped on the way.
type Result struct {
	Hits    []engine.Hit
	Dropped []string // claims without a matching quote, and refuted ones
	// Unanswered are files about which no pass of a perspective was answered.
	Unanswered []string
}

//go:embed prompt/scan.md
var scanPrompt string

//go:embed prompt/refute.md
var refutePrompt string

//go:embed prompt/system.md
var systemPrompt string

var prompts = template.Must(template.Must(template.New("scan").Option("missingkey=error").
	Funcs(template.FuncMap{"marked": marked, "data": llm.Data, "name": llm.Name, "inc": func(i int) int { return i + 1 }}).Parse(scanPrompt)).New("refute").Parse(refutePrompt))

// Scan asks for every perspective and group of files. An error of the model
// ends the scan with what was found until then.
func (m model) Scan(ctx context.Context, in input) (Result, error) {
	passes := m.Passes
	if passes == 0 {
		passes = 2
	}
	groups := m.groups(in.Files)
	type slot struct {
		claims []claim
		err    error
	}
	slots := make([]slot, len(groups)*len(in.Perspectives)*passes)
	var g errgroup.Group
	g.SetLimit(4)
	for i := range slots {
		pass, rest := i%passes, i/passes
		perspective, group := in.Perspectives[rest%len(in.Perspectives)], groups[rest/len(in.Perspectives)]
		g.Go(func() error {
			slots[i].claims, slots[i].err = m.pass(ctx, in, perspective, group, pass)
			return nil
		})
	}
	_ = g.Wait() // errors are in the slots
	var (
		res  Result
		errs []error
	)
	for i := 0; i < len(slots); i += passes {
		rest := i / passes
		perspective, group := in.Perspectives[rest%len(in.Perspectives)], groups[rest/len(in.Perspectives)]
		var all [][]claim
		answers := 0
		for _, s := range slots[i : i+passes] {
			all = append(all, s.claims)
			errs = append(errs, s.err)
			if s.err == nil {
				answers++
			}
		}
		if answers == 0 {
			res.Unanswered = append(res.Unanswered, paths(group)...)
		}
		kept, dropped := vote(all, group)
		res.Dropped = append(res.Dropped, dropped...)
		hits, refuted, err := m.refute(ctx, in, perspective, group, kept)
		errs = append(errs, err)
		res.Hits, res.Dropped = append(res.Hits, hits...), append(res.Dropped, refuted...)
	}
	return res, errors.Join(errs...)
}

func paths(files []shownFile) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

func (m model) groups(files []shownFile) [][]shownFile {
	budget := m.Group
	if budget == 0 {
		budget = 6000
	}
	var out [][]shownFile
	used := 0
	for _, f := range files {
		n := llm.Tokens(marked(f)) + llm.Tokens(f.Context)
		if len(out) == 0 || used+n > budget {
			out, used = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], f)
		used += n
	}
	return out
}

func (m model) pass(ctx context.Context, in input, p qa.Perspective, group []shownFile, pass int) ([]claim, error) {
	files := slices.Clone(group)
	if pass > 0 {
		// Another order for every vote; fixed, so that replies can be cached.
		r := rand.New(rand.NewPCG(uint64(pass), 1)) //nolint:gosec // an order, not a secret
		r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	}
	prompt, err := render("scan", map[string]any{"Perspective": p, "Focus": focus[p], "Files": files, "Title": in.Title, "Body": in.Body, "Patterns": in.Patterns})
	if err != nil {
		return nil, err
	}
	reply, err := m.Ask(ctx, llm.Request{Job: "scout/" + string(p), System: systemPrompt, Prompt: prompt, Variant: pass})
	return reply.Findings, err
}

// focus is what a perspective looks at.
var focus = map[qa.Perspective]string{
	qa.Bug:          "what the change makes the code do wrong: wrong or inverted conditions, off-by-one, lost cases and checks, wrong operators, arguments or defaults, unhandled nil/null/undefined and empty input, unchecked errors, changed results that callers rely on, races, leaks",
	qa.Security:     "input from outside that reaches SQL, a command, a path, HTML or a deserialiser unchecked; missing or removed authentication and authorisation; exposed secrets and personal data; weak cryptography and randomness",
	qa.TestCoverage: "changed behaviour without a test, tests without assertions, untested error paths and boundaries",
	qa.CodeQuality:  "code that works today and misleads or breaks at the next step: swallowed errors, branches that can never run, copies that already disagree, names and comments that say something else than the code does",
	qa.UX:           "what a person using the interface runs into: missing loading, empty and error states, controls that cannot be reached or named, texts that mislead",
}

func render(name string, data any) (string, error) {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("write prompt %s: %w", name, err)
	}
	return b.String(), nil
}
