package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// maxErrors is how many annotations of one level the runner keeps per step.
const maxErrors = 10

// placed is a problem of a file of the repository, as the configuration names it.
var placed = pattern.New(`^(\S+?)(?: \(base commit\))?:(\d+): `)

// annotate shows what ended a run in the place where a reader of the job looks:
// one error per problem, at its line where it has one.
func annotate(job *gh.Job, err error) {
	var end concluded
	if !job.Active() || err == nil || errors.As(err, &end) || errors.Is(err, context.Canceled) {
		return
	}
	problems := []string{err.Error()}
	if usage := (usageError{}); errors.As(err, &usage) { // a problem on each line
		problems = strings.Split(strings.TrimSpace(err.Error()), "\n")
	}
	for _, p := range problems[:min(len(problems), maxErrors)] {
		file, line := "", ""
		if m := placed.FindStringSubmatch(p); m != nil && filepath.IsLocal(m[1]) {
			file, line = m[1], m[2]
		}
		if job.Error(file, line, "QA did not run", wording.Line(p, 2000)) != nil {
			return // the log is closed
		}
	}
}

// stopped ends a run whose setup failed: with a result, a word in the
// summary and a closed check run. An event that may hold secrets gets no check run.
func (a *actions) stopped(ctx context.Context, env *Env, in config.Inputs, why error) error {
	var end concluded
	if a == nil || errors.As(why, &end) {
		return why
	}
	dir := cmp.Or(in.WorkingDirectory, env.Getenv(config.EnvName("working-directory")))
	token := env.Getenv(config.EnvName("github-token"))
	if a.client == nil && token != "" {
		_ = a.connect(&config.Config{Publishing: config.Publishing{GithubToken: token}}) // without a client there is no check run
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), publishTime)
	defer stop()
	if !a.event.Privileged() {
		a.begin(ctx, dir)
	}
	a.withoutReport(ctx, ctx.Err() != nil, why)
	return why
}

// withoutReport ends what was published of a run that ended before there was
// anything to say: check run, outputs and summary say why.
func (a *actions) withoutReport(ctx context.Context, cancelled bool, why error) {
	out := qa.CheckOutput{Title: "Not run: INCONCLUSIVE", Conclusion: "failure", Summary: "The run ended before there was a report; its log says why.\n"}
	switch {
	case cancelled:
		out.Title, out.Conclusion, out.Summary = "Cancelled", "cancelled", "The run was cancelled before there was a report."
	case why != nil:
		out.Summary = "The run ended before there was a report:\n\n" + blocked(why.Error())
	}
	if a.check != nil {
		if _, err := a.check.Complete(ctx, out); err != nil {
			a.say("check run: %v", err)
		}
	}
	if err := a.job.Outputs(map[string]string{"result": string(qa.Inconclusive)}); err != nil {
		a.say("outputs: %v", err)
	}
	if err := a.job.Summary("# QA: " + out.Title + "\n\n" + out.Summary + "\n"); err != nil {
		a.say("job summary: %v", err)
	}
}

// overwrite makes a comment that stands on the pull request say that this run came
// to no report: what it says is about another one.
func (a *actions) overwrite(ctx context.Context, target string, why error) {
	pull := a.event.Pull
	if a.client == nil || pull == nil || pull.Number == 0 || why == nil {
		return
	}
	if err := a.client.Fresh(ctx, pull.Number, a.event.Head()); err != nil {
		a.say("comment: not changed: %v", err)
		return
	}
	text := fmt.Sprintf("## QA: not run, INCONCLUSIVE\n\nThe run of %.7s ended before there was a report:\n\n%s\n[Its log](%s) says more.\n", a.event.Head(), blocked(why.Error()), a.event.RunURL())
	address, err := a.client.ReplaceComment(ctx, pull.Number, a.place(target), text)
	switch {
	case err != nil:
		a.say("comment: %v", err)
	case address != "":
		a.say("comment: updated %s", address)
	}
}

// blocked is text of others as a block that nothing in it can end.
func blocked(text string) string {
	text = strings.ReplaceAll(wording.Plain(wording.Cut(text, 4000)), "```", "'''")
	return "```text\n" + strings.TrimSpace(text) + "\n```\n"
}
