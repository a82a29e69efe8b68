package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/process"
)

// clone is a local clone of a public repository. Its newest commit is base; the
// change is a fault that git alone can make.
type clone struct{ dir, recipe string }

// readClones reads lines of dir, bare command, and any number of recipes: a
// patch file to apply, or "revert COMMIT". Without a recipe the change is the
// newest commit itself.
func readClones(name string) ([]cell, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "repos.csv")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read the list of clones: %w", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord, r.Comment, r.TrimLeadingSpace = -1, '#', true
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var cells []cell
	for _, line := range lines {
		if len(line) < 2 {
			return nil, fmt.Errorf("%s: line %q: expected dir, command and recipes", name, line)
		}
		dir := line[0]
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(name), dir)
		}
		p := &project{Name: filepath.Base(dir), Says: "a clone; bare: `" + line[1] + "`"}
		for part := range strings.SplitSeq(line[1], " && ") {
			p.Bare = append(p.Bare, strings.Fields(part))
		}
		for voice := range voices {
			p.Names = append(p.Names, voice)
		}
		recipes := line[2:]
		if len(recipes) == 0 {
			recipes = []string{""}
		}
		for _, recipe := range recipes {
			cells = append(cells, cell{
				project: p, clone: &clone{dir, recipe}, environment: environment{Name: "as-cloned", Says: "the clone as it is"},
				fault: fault{Name: nameOf(recipe), Says: "made by git alone", Breaks: "either"},
			})
		}
	}
	return cells, nil
}

func nameOf(recipe string) string {
	if recipe == "" {
		return "newest-commit"
	}
	return strings.ReplaceAll(filepath.Base(strings.ReplaceAll(recipe, " ", "-")), "/", "-")
}

// copyClone makes the two branches in a copy; the clone is not touched.
func (s *stage) copyClone(ctx context.Context) error {
	// A copy and no links: git adds to its logs in place, and so may the tests.
	res, err := process.Run(ctx, process.Command{
		Argv: []string{"cp", "-a", s.clone.dir + "/.", s.Repo}, Dir: s.Top, Timeout: 5 * time.Minute, Env: []string{"PATH=" + os.Getenv("PATH")},
	})
	if err != nil || res.ExitCode != 0 {
		return fmt.Errorf("copy the clone: %w", errors.Join(err, errors.New(string(res.Stderr))))
	}
	from := "HEAD"
	if s.clone.recipe == "" {
		from = "HEAD~1"
	}
	steps := [][]string{{"branch", "-f", s.before(), from}, {"checkout", "-q", "-B", "feature"}}
	switch verb, commit, _ := strings.Cut(s.clone.recipe, " "); {
	case s.clone.recipe == "":
	case verb == "revert":
		steps = append(steps, []string{"revert", "--no-edit", commit})
	default:
		patch := s.clone.recipe
		if !filepath.IsAbs(patch) {
			patch = filepath.Join(filepath.Dir(s.clone.dir), patch)
		}
		steps = append(steps, []string{"apply", patch}, []string{"add", "-A"}, []string{"commit", "-q", "-m", "change"})
	}
	return s.Git(ctx, steps...)
}
