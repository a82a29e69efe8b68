package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
	"github.com/org/qa-action/internal/role/scout"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/scan"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/finding"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/weakening"
	"github.com/org/qa-action/internal/wording"
)

// scanCommand is `qa scan`: the findings of the engines on a change, without
// running tests. It exits 1 when a new finding is as bad as --fail-on, 3 when
// no engine could look.
type scanCommand struct {
	Format       string   `help:"How to print: text, json, sarif." default:"text" enum:"text,json,sarif"`
	Scope        string   `help:"Look at the change, or at everything tracked: changed, all." default:"changed" enum:"changed,all"`
	Base         string   `help:"Commit, branch or tag to compare with. Default: the upstream default branch, or the previous commit." placeholder:"REF"`
	Config       string   `help:"Config file, relative to the repository root." default:".github/qa.yml"`
	Perspectives []string `help:"Only these perspectives; default all, ux when user interface files changed." placeholder:"NAME"`
	Directory    string   `name:"working-directory" help:"Only files below this directory, relative to the repository root." placeholder:"DIR"`
	Engines      []string `help:"Only these engines (${scan_engines}); -NAME leaves one out." placeholder:"NAME"`
	MinSeverity  string   `help:"Findings below are folded away: critical, high, medium, low (default)." placeholder:"SEVERITY"`
	MaxFindings  string   `help:"Findings the text shows; new critical and high ones always are, json and sarif have all. Default: 50." placeholder:"N"`
	FailOn       string   `help:"Exit 1 on a new finding of this severity or worse: critical, high, medium, low, never. Default: high. Where it is given, a scan that did not finish exits 3." default:"" enum:",critical,high,medium,low,never"`
	Known        bool     `help:"Also print findings that stood before the change."`
	Isolate      bool     `help:"Run programs on a private copy inside the run's sandbox. Always on in CI."`

	shown int // findings in the text
}

// Run scans and prints.
func (c *scanCommand) Run(ctx context.Context, env *Env) error {
	found, err := change.FromGit(ctx, change.Options{Dir: env.Dir, Base: c.Base, Scope: change.Scope(c.Scope)})
	if err != nil {
		return usageError{err}
	}
	root, err := change.Root(ctx, env.Dir)
	if err != nil {
		return usageError{err}
	}
	s := &setup{root: root, change: found}
	req := scan.Request{Hands: engine.Hands{Env: scanEnv(env.Getenv)}, Terms: finding.Terms{Now: time.Now()}, Engines: c.Engines}
	req.Subject = engine.Subject{AbsRoot: root, Change: found, Outline: outline.Parse, Weakened: weakening.Compare}
	if found.Base != "" && !found.All {
		texts := &contents{root: root, change: found, one: s.content}
		req.Base = func(path string) ([]byte, error) { return texts.read(ctx, found.Base, path) }
	}
	loaded, err := c.configure(ctx, env, &req)
	if err != nil {
		return usageError{err}
	}
	s.config = loaded
	if out, err := s.within(ctx, loaded.OutputDir); err == nil && out.Ignore() == nil {
		req.Kept = scanned(ctx, env, s, out)
	}
	req.Memory = scan.Recall(req.Kept)
	if c.Isolate || env.Getenv("CI") != "" {
		place, err := runtime.Open(ctx, runtime.Options{Root: root, Driver: "host", Install: "never", Log: env.Stderr})
		if err != nil {
			return fmt.Errorf("make a place for the scan's programs: %w", err)
		}
		defer func() { _ = place.Close() }() // a copy in the temporary directory
		isolate(&req, place)
	}
	res, err := scan.Run(ctx, req)
	if err != nil && ctx.Err() == nil {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if err := c.print(env.Stdout, found, res); err != nil {
		return fmt.Errorf("print the findings: %w", err)
	}
	return c.judge(res)
}

func (c *scanCommand) print(w io.Writer, found qa.Change, res finding.Result) error {
	switch c.Format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(res)
	case "sarif":
		r := &qa.Report{
			Schema: qa.ReportSchema, Change: found, Findings: res.Findings,
			Manifest: qa.Manifest{Tool: "qa", Version: Version, Engines: res.Engines, Skipped: res.Skipped, Warnings: res.Warnings},
		}
		r.Manifest.NotDone = scanGaps(res)
		return reporter.Render(w, "sarif", r, reporter.Options{})
	}
	return c.printText(w, res)
}

// configure takes what stands in files of the repository. For a pull request
// in CI they are read from base: a change must not dismiss its own findings.
func (c *scanCommand) configure(ctx context.Context, env *Env, req *scan.Request) (*config.Config, error) {
	read := func(path string) ([]byte, error) {
		if env.Getenv("CI") != "" && req.Base != nil {
			return req.Base(path)
		}
		return rooted.ReadIn(req.AbsRoot, path, maxShown)
	}
	optional := func(paths ...string) ([]byte, error) {
		for _, path := range paths {
			if content, err := read(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
				return content, err
			}
		}
		return nil, nil
	}
	var err error
	if req.Dismissals, err = optional(".github/qa-dismissals.yml"); err != nil {
		return nil, fmt.Errorf("read dismissals: %w", err)
	}
	// The places and their order are GitHub's.
	if req.Codeowners, err = optional(".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"); err != nil {
		return nil, fmt.Errorf("read CODEOWNERS: %w", err)
	}
	content, err := optional(c.Config)
	if err != nil {
		return nil, fmt.Errorf("read config file: %w", err)
	}
	loaded, err := config.Load(config.Sources{
		Flags:  config.Inputs{AboutInputs: config.AboutInputs{WorkingDirectory: c.Directory}, ScanInputs: config.ScanInputs{Perspectives: strings.Join(c.Perspectives, ","), MinSeverity: c.MinSeverity, MaxFindings: c.MaxFindings}},
		Getenv: env.Getenv, File: content, FileName: c.Config,
	})
	if err != nil {
		return nil, err
	}
	req.Perspectives, req.MinSeverity, c.shown = loaded.Perspectives, loaded.MinSeverity, loaded.MaxFindings
	if !slices.Contains(req.Perspectives, qa.UX) && len(req.Perspectives) == len(qa.Perspectives())-1 {
		req.Perspectives = nil // all but ux: then the files that changed decide
	}
	req.Within, req.Exclude = scout.Within(loaded), loaded.Exclude
	req.Linters, err = scout.Linters(loaded.Engines)
	return loaded, err
}

// isolate has the scan's programs run in a private copy.
func isolate(req *scan.Request, place *runtime.Workspace) {
	req.ExecRoot, req.TempDir = place.Dir(), place.Dir()
	req.Exec = func(ctx context.Context, c process.Command) (process.Result, error) {
		dir, err := filepath.Rel(place.Dir(), c.Dir)
		if err != nil || !filepath.IsLocal(dir) {
			return process.Result{}, fmt.Errorf("run %s: %s is outside of the private copy", c.Argv[0], c.Dir)
		}
		return place.Run(ctx, runtime.Command{
			Argv: c.Argv, Dir: filepath.ToSlash(dir), Env: c.Env, Timeout: c.Timeout, MaxOutput: c.MaxOutput,
		})
	}
}

// scanEnv is what linters and toolchains need of the environment.
func scanEnv(getenv func(string) string) []string {
	var out []string
	names := []string{"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "XDG_CACHE_HOME"}
	for _, l := range language.All() {
		names = append(names, l.Tools.Lint...)
	}
	for _, name := range names {
		if value := getenv(name); value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}

// judge makes the exit code. What was found is evidence; that nothing was found
// is none where an engine did not look: that counts when a severity was asked
// for, and always when no engine could look.
func (c *scanCommand) judge(res finding.Result) error {
	for _, f := range res.Findings {
		if c.FailOn != "never" && f.Counts() && f.Severity.AtLeast(qa.Severity(cmp.Or(c.FailOn, string(qa.High)))) {
			return verdict(qa.Fail)
		}
	}
	gaps := scanGaps(res)
	ran := slices.ContainsFunc(res.Engines, func(e qa.Engine) bool { return e.State == "ran" })
	if len(gaps) > 0 && (!ran || c.FailOn != "" && c.FailOn != "never") {
		return withHint(errors.New(strings.Join(gaps, "; ")), "what each engine needs stands above")
	}
	return nil
}

func scanGaps(res finding.Result) []string {
	return quality.ScanGaps(&qa.Report{Manifest: qa.Manifest{Engines: res.Engines}})
}

func (c *scanCommand) printText(w io.Writer, res finding.Result) error {
	var out strings.Builder
	listed := slices.DeleteFunc(slices.Clone(res.Findings), func(f qa.Finding) bool { return f.Status == qa.StatusKnown && !c.Known })
	shown := qa.InFull(listed, c.shown)
	for _, f := range listed[:shown] {
		fmt.Fprintf(&out, "%s:%s: %s: %s [%s]", wording.Logged(f.Path), f.Lines, f.Severity, wording.Logged(f.Message), wording.Logged(f.Rule.ID))
		if f.Status != qa.StatusNew {
			fmt.Fprintf(&out, " (%s)", f.Status)
		}
		fmt.Fprintf(&out, "\n    engines %s, perspective %s, fingerprint %s", strings.Join(f.Engines, " "), perspectives(f), f.Fingerprint)
		if len(f.Owners) > 0 {
			fmt.Fprintf(&out, ", owners %s", wording.Logged(strings.Join(f.Owners, " ")))
		}
		out.WriteByte('\n')
		if f.Suggestion != "" {
			fmt.Fprintf(&out, "    %s\n", wording.Logged(f.Suggestion))
		}
	}
	if more := len(listed) - shown; more > 0 {
		fmt.Fprintf(&out, "and %d more; --max-findings shows more of them, --format json all\n", more)
	}
	for _, e := range res.Engines {
		if e.State != "ran" && e.State != "skipped" {
			fmt.Fprintf(&out, "engine %s %s: %s\n", e.Name, e.State, wording.Logged(e.Reason))
		}
	}
	for _, text := range res.Warnings {
		fmt.Fprintf(&out, "warning: %s\n", wording.Logged(text))
	}
	for _, reason := range slices.Sorted(maps.Keys(res.Folded)) {
		fmt.Fprintf(&out, "not shown: %d %s\n", res.Folded[reason], reason)
	}
	for _, gap := range scanGaps(res) {
		fmt.Fprintln(&out, wording.Logged(gap))
	}
	fmt.Fprintln(&out, res.Summary())
	_, err := io.WriteString(w, out.String())
	return err
}

func perspectives(f qa.Finding) string {
	names := each.Of(f.Perspectives, func(p qa.Perspective) string { return string(p) })
	return strings.Join(names, " ")
}
