package scout

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"time"

	"github.com/org/qa-action/internal/budget"
	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/llm"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/scan/linter"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/source/weakening"
)

// Copies are where programs of the scan run.
type Copies interface {
	Open(ctx context.Context) (*runtime.Workspace, error)
	Exec(ctx context.Context, c process.Command) (process.Result, error)
}

// Files of the repository say what findings are dismissed, and whose they are.
type Files struct {
	Dismissals, Codeowners []byte
	// Commented are what comments dismiss, by the first digits of the fingerprint.
	Commented map[string]qa.Dismissal
}

// Scout looks at the change of one run.
type Scout struct {
	checkout.Checkout
	Config *config.Config
	Copies Copies
	Code   *related.Code
	// Memory has what was found out about files before; Kept is where it lies, nil
	// where nothing is kept.
	Memory *engine.Memory
	Kept   *output.Dir
	// Patterns are what earlier runs found again and again.
	Patterns []qa.Pattern
	Files    Files
	// Client is nil for a scan without a model; then nobody asks for Tokens.
	Client   *llm.Client
	Tokens   *budget.Tokens
	Progress io.Writer
	Now      func() time.Time
}

// Request is what all scans ask for.
func (s Scout) Request(ctx context.Context) (scan.Request, error) {
	own, err := Linters(s.Config.Engines)
	if err != nil {
		return scan.Request{}, err
	}
	req := scan.Request{
		Subject: engine.Subject{AbsRoot: s.Root, Change: s.Change, Within: Within(s.Config), Share: Share(s.Config), Exclude: s.Config.Exclude, Outline: s.Code.Parse, Weakened: weakening.Compare, Memory: s.Memory},
		Hands:   engine.Hands{Exec: s.Copies.Exec, Beside: true},
		Terms: finding.Terms{
			Perspectives: s.perspectives(), MinSeverity: s.Config.MinSeverity,
			KnownPatterns: s.Patterns, Dismissals: s.Files.Dismissals, Commented: s.Files.Commented, Codeowners: s.Files.Codeowners, Now: s.Now(),
		},
		Linters: own, Kept: s.Kept,
	}
	if len(s.Change.Files) == 0 {
		return req, nil // nothing to look at, and nothing to install for it
	}
	if w, err := s.Copies.Open(ctx); err == nil {
		// Texts come from the checkout, which no test can rewrite; programs run
		// in the copy.
		req.ExecRoot, req.TempDir = w.Dir(), w.Dir()
		req.ToolPath = func(name string) (string, error) { return w.LookPath(ctx, name) }
		// On a fresh machine no module is there yet. The project's own tests,
		// in the same sandbox, download theirs too.
		req.Network = true
	}
	if s.Change.Base != "" {
		req.Base = func(path string) ([]byte, error) { return s.Content(ctx, s.Change.Base, path) }
	}
	return req, nil
}

// Within are the directories whose files the scan is about. Targets do not limit
// it: a secret in a script of the root is nobody's otherwise.
func Within(c *config.Config) []string { return []string{c.WorkingDirectory} }

// Share says which files the scan of a shard is about; nil is all of them.
func Share(c *config.Config) func(file string) bool {
	if c.Shard.Whole() {
		return nil
	}
	return func(file string) bool {
		return int(crc32.ChecksumIEEE([]byte(file))%uint32(c.Shard.Of)) == c.Shard.Index-1
	} //nolint:gosec // at most 256
}

// Linters turns the config file's engines into the scan's. A command is split
// as a shell would split it, and no shell ever sees it.
func Linters(engines []config.Linter) ([]linter.Linter, error) {
	var out []linter.Linter
	for _, e := range engines {
		argv, err := shell.Split(e.Command)
		if err != nil {
			return nil, fmt.Errorf("engine %q: command: %w", e.Name, err)
		}
		out = append(out, linter.Linter{
			Name: e.Name, Command: argv, Format: e.Format, Errorformat: e.Errorformat, Report: e.Sarif, Paths: e.Paths,
			Perspective: qa.Perspective(e.Perspective), Severity: qa.Severity(e.Severity),
		})
	}
	return out, nil
}

// Check finds what is wrong with the configuration of the scan.
func Check(c *config.Config) error {
	own, err := Linters(c.Engines)
	if err != nil {
		return err
	}
	return scan.Check(own)
}

// aboutUX are the words of a task that ask for the perspective ux.
var aboutUX = pattern.New(`(?i)\b(ux|ui|gui|usability|accessibility|a11y|user (interface|experience))\b`)

// perspectives adds ux when the task asks for it or files of a user interface changed.
func (s Scout) perspectives() []qa.Perspective {
	out := s.Config.Perspectives
	if slices.Contains(out, qa.UX) {
		return out
	}
	seen := func(f qa.FileChange) bool { return !f.Generated && finding.UserInterface(f.Path) }
	if aboutUX.MatchString(s.Config.Task) || slices.ContainsFunc(s.Change.Files, seen) {
		return append(slices.Clone(out), qa.UX)
	}
	return out
}
