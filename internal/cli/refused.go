package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/gh"
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
	if a.Client == nil && token != "" {
		_ = a.connect(&config.Config{Publishing: config.Publishing{GithubToken: token}}) // without a client there is no check run
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), publishTime)
	defer stop()
	if !a.Event.Privileged() {
		a.Begin(ctx, dir)
	}
	a.WithoutReport(ctx, ctx.Err() != nil, why)
	return why
}
