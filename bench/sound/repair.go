package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
)

// nextStep finds a command in the words of a report. Only known programs are
// started, and never by a shell.
var nextStep = regexp.MustCompile(`(?:cd \S+ && )?(?:npm (?:ci|install|run)\b|python3? -m (?:pip|venv)\b|(?:\S*/)?pip install\b|go (?:mod|work) \w+\b)[^\n;:,()` + "`" + `]*`)

// repair carries the report's next step out and asks the product again.
func (b *bench) repair(ctx context.Context, s *stage, r *row) error {
	r.step = strings.TrimRight(strings.TrimSpace(nextStep.FindString(r.answer.words())), ".")
	if r.step == "" {
		r.found, r.why = badStep, "the report names no command: "+short(r.answer.reason())
		return nil
	}
	dir := s.Repo
	for part := range strings.SplitSeq(r.step, " && ") {
		argv := strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(part))
		if len(argv) == 2 && argv[0] == "cd" {
			dir = filepath.Join(dir, argv[1])
			continue
		}
		if filepath.IsLocal(argv[0]) && strings.Contains(argv[0], "/") {
			argv[0] = filepath.Join(dir, argv[0])
		}
		env := append(s.bareEnv(), "PIP_DISABLE_PIP_VERSION_CHECK=1", "VIRTUAL_ENV="+filepath.Join(dir, ".venv"))
		env[0] = "PATH=" + filepath.Join(dir, ".venv", "bin") + ":" + strings.TrimPrefix(env[0], "PATH=")
		if argv[0] == "pip" || argv[0] == "python" { // those of an activated environment
			argv[0] = filepath.Join(dir, ".venv", "bin", argv[0])
		}
		res, err := process.Run(ctx, process.Command{Argv: argv, Dir: dir, Timeout: 2 * time.Minute, Env: env})
		if err != nil || res.ExitCode != 0 {
			r.found, r.why = badStep, short(fmt.Sprintf("%q: exit code %d %v: %s", part, res.ExitCode, err, repo.LastLine(res.Stderr)))
			return nil
		}
	}
	again, err := b.ask(ctx, s)
	if err != nil {
		return err
	}
	if again.verdict() == qa.Inconclusive || again.verdict() == "" {
		r.found, r.why = badStep, short("still not known after "+r.step+": "+again.reason())
		return nil
	}
	// What the repaired run says is held to the truth as well.
	mended := *r
	mended.answer, mended.environment = again, environment{Name: "repaired", Blind: r.environment.Blind, Baseless: r.environment.Baseless}
	if mended.judge(); mended.found == falseGreen || mended.found == falseRed {
		r.found, r.why = mended.found, "after "+r.step+": "+mended.why
	}
	return nil
}
