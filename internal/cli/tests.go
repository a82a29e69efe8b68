package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/wording"
)

// testsCommand is `qa tests`: what test reports say, in one line of counts and
// the failed tests, or as JSON. It exits 1 when a test failed, 3 when that
// cannot be told.
type testsCommand struct {
	Files  []string `arg:"" name:"file" help:"Test reports of one run; patterns such as reports/**/*.xml are expanded."`
	Format string   `help:"Format of the reports: ${test_formats}. Default: by content." placeholder:"NAME"`
	JSON   bool     `name:"json" help:"Print JSON with every case."`
	Root   string   `help:"Repository root that paths are made relative to. Default: the working directory." placeholder:"DIR"`
}

// testsJSON is the published shape of `qa tests --json`.
type testsJSON struct {
	qa.Tally
	Seconds  float64      `json:"duration_seconds"`
	Cases    []testJSON   `json:"cases"`
	Problems []qa.Problem `json:"problems,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

type testJSON struct {
	Suite   string    `json:"suite"`
	Name    string    `json:"name"`
	File    string    `json:"file"`
	Line    int       `json:"line"`
	Status  qa.Status `json:"status"`
	Seconds float64   `json:"duration_seconds"`
	Message string    `json:"message"`
}

// Run reads the reports and prints what they say.
func (c *testsCommand) Run(env *Env) error {
	if c.Format != "" {
		if _, err := testreport.For(c.Format); err != nil {
			return usageError{err}
		}
	}
	root, err := c.root(env.Dir)
	if err != nil {
		return usageError{err}
	}
	paths, err := expand(env.Dir, c.Files)
	if err != nil {
		return usageError{err}
	}
	suite, readErr := testreport.Read(paths, testreport.Options{Format: c.Format, Root: root})
	tally := suite.Tally()
	bad := tally.Failed+tally.Errors+len(suite.Problems) > 0
	switch { // an error is printed alone
	case errors.Is(readErr, collect.ErrLimit):
		return fmt.Errorf("read test reports: %w", readErr)
	case readErr != nil && !bad:
		return withHint(fmt.Errorf("read test reports: %w", readErr),
			"the outcome of the tests is unknown: check that the test command ran and wrote its report")
	}
	print := printTests
	if c.JSON {
		print = printTestsJSON
	}
	if err := print(env.Stdout, suite); err != nil {
		return fmt.Errorf("print the tests: %w", err)
	}
	switch {
	case bad:
		if readErr != nil {
			fmt.Fprintln(env.Stderr, "qa:", harmless(readErr.Error()))
		}
		return verdict(qa.Fail)
	case tally.Executed() == 0:
		return withHint(fmt.Errorf("no test was executed: all %d are skipped", tally.Tests), "check the test selection")
	}
	return nil
}

func (c *testsCommand) root(dir string) (string, error) {
	root := c.Root
	if root == "" {
		root = dir
	}
	if !filepath.IsAbs(root) {
		root = filepath.Join(dir, root)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", fmt.Errorf("--root %s: not a directory", c.Root)
	}
	return root, nil
}

// expand resolves names against dir and patterns that no shell has expanded. A
// pattern without a match stays, so that reading it says that it is missing.
func expand(dir string, names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && strings.ContainsAny(name, "*?[{") {
			found, err := doublestar.FilepathGlob(path, doublestar.WithFilesOnly())
			if err != nil {
				return nil, fmt.Errorf("file pattern %q: %w", name, err)
			}
			if len(found) > 0 {
				out = append(out, found...)
				continue
			}
		}
		out = append(out, path)
	}
	return out, nil
}

// printTestsJSON writes the cases one by one: there may be a million of them.
func printTestsJSON(w io.Writer, s qa.Suite) error {
	out := testsJSON{Tally: s.Tally(), Seconds: s.Seconds, Cases: []testJSON{}, Problems: s.Problems, Warnings: s.Warnings}
	all, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	// The runner obeys "##[…]" anywhere in a log line; the escape is the same JSON.
	to := bufio.NewWriter(w)
	put := func(text []byte) { // a failed write stays until Flush
		_, _ = to.Write(bytes.ReplaceAll(text, []byte("##["), []byte(`\u0023#[`)))
	}
	const cases = `"cases": [` // before it there are only numbers
	at := bytes.Index(all, []byte(cases)) + len(cases)
	put(all[:at])
	between := "\n    "
	for _, c := range s.Cases {
		text, err := json.MarshalIndent(testJSON{c.Suite, c.Name, c.File, c.Line, c.Status, c.Seconds, c.Message}, "    ", "  ")
		if err != nil {
			return err
		}
		put([]byte(between))
		put(text)
		between = ",\n    "
	}
	if len(s.Cases) > 0 {
		put([]byte("\n  "))
	}
	put(append(all[at:], '\n'))
	return to.Flush()
}

func printTests(w io.Writer, s qa.Suite) error {
	var out strings.Builder
	for _, text := range s.Warnings {
		fmt.Fprintf(&out, "warning  %s\n", harmless(text))
	}
	for _, p := range s.Problems {
		fmt.Fprintf(&out, "%-8s %s: %s\n", p.Kind, harmless(p.Where), harmless(p.Message))
	}
	for _, c := range s.Cases {
		if !c.Status.Bad() && c.Status != qa.Flaky {
			continue
		}
		fmt.Fprintf(&out, "%-8s %s", c.Status, harmless(c.ID()))
		if c.Attempts > 1 {
			fmt.Fprintf(&out, " (%d attempts)", c.Attempts)
		}
		if c.File != "" && c.Line > 0 {
			fmt.Fprintf(&out, " at %s:%d", harmless(c.File), c.Line)
		}
		if c.Message != "" {
			fmt.Fprintf(&out, "\n         %s", harmless(c.Message))
		}
		out.WriteByte('\n')
	}
	t := s.Tally()
	fmt.Fprintf(&out, "tests %d: %d passed, %d failed, %d errors, %d skipped, %d flaky in %.1f s\n",
		t.Tests, t.Passed, t.Failed, t.Errors, t.Skipped, t.Flaky, s.Seconds)
	_, err := io.WriteString(w, out.String())
	return err
}

// harmless is the first line of text from a report, without what a terminal or
// the runner's log would obey.
func harmless(text string) string {
	return wording.Line(strings.ReplaceAll(wording.First(text), "##[", "## ["), 500)
}
