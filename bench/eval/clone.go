package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/bench/eval/measure"
	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/outline"
)

// layClone makes the two commits of a case out of a clone, by git alone.
func (e *evaluation) layClone(ctx context.Context, c change, top string) (*stage, error) {
	u := c.upstream
	clone, err := repo.Clone(e.clones, u.library.Repository)
	if err != nil {
		return nil, err
	}
	laid, err := repo.NewStage(top)
	if err != nil {
		return nil, err
	}
	s := &stage{change: c, Stage: laid}
	if err := s.borrow(ctx, clone); err != nil {
		return nil, err
	}
	// What is installed is no part of the change.
	if err := os.WriteFile(filepath.Join(s.Repo, ".git", "info", "exclude"), []byte("/node_modules\n/.venv\n__pycache__/\n"), 0o600); err != nil {
		return nil, err
	}
	if err := s.branches(ctx); err != nil {
		return nil, fmt.Errorf("lay out %s: %w", c.ID, err)
	}
	if err := e.install(ctx, s, clone); err != nil {
		return nil, fmt.Errorf("install %s: %w", u.library.name, err)
	}
	return s, s.event()
}

// borrow makes a repository that has the commits of a clone without a copy of them:
// only what is checked out has to be there, and a clone may lack what is not.
func (s *stage) borrow(ctx context.Context, clone string) error {
	objects, err := s.Ask(ctx, "-C", clone, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return err
	}
	if err := s.Git(ctx, []string{"init", "-q", "-b", "none"}); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.Repo, ".git", "objects", "info", "alternates"), []byte(objects+"\n"), 0o600); err != nil {
		return err
	}
	if err := s.Git(ctx, []string{"cat-file", "-e", s.upstream.Commit}); err != nil {
		return fmt.Errorf("%s has no commit %s of %s: %w", clone, s.upstream.Commit, s.upstream.library.Repository, err)
	}
	return nil
}

// branches makes base and head.
func (s *stage) branches(ctx context.Context) error {
	u := s.upstream
	if err := s.start(ctx); err != nil {
		return err
	}
	fix := len(u.Undo) > 0 // base has it, head has not
	if fix {
		if err := s.take(ctx, u.Commit); err != nil {
			return err
		}
		if u.Origin == putBack {
			if err := s.restore(ctx, u.before(), u.Hidden); err != nil {
				return err
			}
		}
		if err := s.Git(ctx, []string{"commit", "-q", "--no-verify", "-m", "base"}); err != nil {
			return err
		}
	}
	if err := s.Git(ctx, []string{"checkout", "-q", "-b", "feature"}); err != nil {
		return err
	}
	if err := s.makeHead(ctx, fix); err != nil {
		return err
	}
	if s.Title == "" { // the author's own words
		var err error
		if s.Title, err = s.Ask(ctx, "log", "-1", "--format=%s", u.Commit); err != nil {
			return err
		}
		if s.Body, err = s.Ask(ctx, "log", "-1", "--format=%b", u.Commit); err != nil {
			return err
		}
	}
	if err := s.Git(ctx, []string{"commit", "-q", "--no-verify", "-m", s.Title}); err != nil {
		return fmt.Errorf("head: %w", err) // also when it would be base again
	}
	return s.locate(ctx)
}

// start makes main what the case begins with.
func (s *stage) start(ctx context.Context) error {
	before := s.upstream.before()
	if err := s.Git(ctx, []string{"update-ref", "refs/heads/main", before}, []string{"symbolic-ref", "HEAD", "refs/heads/main"}); err != nil {
		return err
	}
	if err := s.take(ctx, before); err != nil || len(s.upstream.library.Absent) == 0 {
		return err
	}
	return s.Git(ctx, []string{"commit", "-q", "--no-verify", "--allow-empty", "-m", "without large files"})
}

// take makes index and files those of a commit, without what the clone may lack.
func (s *stage) take(ctx context.Context, commit string) error {
	absent := s.upstream.library.Absent
	if len(absent) == 0 {
		return s.Git(ctx, []string{"read-tree", "-u", "--reset", commit})
	}
	leave := append([]string{"rm", "-q", "--cached", "--ignore-unmatch", "--"}, absent...)
	if err := s.Git(ctx, []string{"read-tree", commit}, leave); err != nil {
		return err
	}
	tree, err := s.Ask(ctx, "write-tree")
	if err != nil {
		return err
	}
	// Files of which the index knows no more are left to clean.
	return s.Git(ctx, []string{"read-tree", "-u", "--reset", tree}, []string{"clean", "-q", "-f", "-d"})
}

func (s *stage) makeHead(ctx context.Context, fix bool) error {
	u := s.upstream
	if !fix {
		if err := s.take(ctx, u.Commit); err != nil {
			return err
		}
	} else if err := s.restore(ctx, u.before(), u.Undo); err != nil {
		return err
	}
	if u.Origin != weakened {
		return nil
	}
	if err := s.restore(ctx, u.before(), u.Hidden); err != nil {
		return err
	}
	for i := len(u.Edits) - 1; i >= 0; i-- { // from the end, so that lines keep their numbers
		if err := u.Edits[i].apply(s.Repo); err != nil {
			return err
		}
	}
	return s.Git(ctx, []string{"add", "-u"})
}

// restore gives files the content that they had in a commit; one that it did not
// have goes.
func (s *stage) restore(ctx context.Context, commit string, files []string) error {
	for _, name := range files {
		known, err := s.Ask(ctx, "ls-tree", "--name-only", commit, "--", name)
		if err != nil {
			return err
		}
		argv := []string{"checkout", "-q", commit, "--", name}
		if known == "" {
			argv = []string{"rm", "-q", "-f", "--", name}
		}
		if err := s.Git(ctx, argv); err != nil {
			return err
		}
	}
	return nil
}

// apply edits a file below dir.
func (e edit) apply(dir string) error {
	name := filepath.Join(dir, filepath.FromSlash(e.File))
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(string(raw), "\n")
	if e.Lines.End > len(lines) {
		return fmt.Errorf("%s has %d lines, the edit ends at %d", e.File, len(lines), e.Lines.End)
	}
	put := e.Put
	if put != "" && !strings.HasSuffix(put, "\n") {
		put += "\n"
	}
	text := strings.Join(lines[:e.Lines.Start-1], "") + put + strings.Join(lines[e.Lines.End:], "")
	return os.WriteFile(name, []byte(text), 0o644)
}

// locate finds base and head of a stage, where its defect is on head, and how
// large its diff is; and it writes the patch that mends it.
func (s *stage) locate(ctx context.Context) error {
	var err error
	if s.Base, err = s.Ask(ctx, "rev-parse", "main"); err != nil {
		return err
	}
	if s.Head, err = s.Ask(ctx, "rev-parse", "feature"); err != nil {
		return err
	}
	if s.Truth == nil {
		return nil
	}
	u := s.upstream
	// Into a file at once: git's lines end where they end.
	mended := []string{"diff", "--binary", "--no-color", "--no-ext-diff", "--output=" + s.fix(), "feature"}
	if len(u.Undo) > 0 {
		mended = slices.Concat(mended, []string{"main", "--"}, u.Undo)
	} else { // the tests as their author wrote them
		mended = slices.Concat(mended, []string{u.Commit, "--"}, u.tests())
	}
	if err := s.Git(ctx, mended); err != nil {
		return err
	}
	if info, err := os.Stat(s.fix()); err != nil || info.Size() == 0 {
		return errors.Join(err, errors.New("head does not differ from what it should undo"))
	}
	files := u.Undo
	if u.Origin == weakened {
		files = append(files[:len(files):len(files)], u.tests()...)
	}
	from := "main"
	if len(u.Undo) == 0 {
		from = u.Commit
	}
	known := *s.Truth // runs of one case are laid side by side
	known.places, err = s.places(ctx, from, files)
	s.Truth = &known
	return err
}

// places are the lines of head in which files differ from a commit, with the
// functions around them. Lines that are gone are where they were.
func (s *stage) places(ctx context.Context, from string, files []string) ([]measure.Place, error) {
	var out []measure.Place
	for _, name := range files {
		diff, err := s.Ask(ctx, "diff", "-U0", "--no-color", "--no-ext-diff", from, "feature", "--", name)
		if err != nil {
			return nil, err
		}
		src, err := os.ReadFile(filepath.Join(s.Repo, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		before, _ := s.Ask(ctx, "show", from+":"+name) // nothing of a file that is not there
		functions, _ := outline.Parse(name, src)       // without any, lines are all there is
		former, _ := outline.Parse(name, []byte(before))
		for line := range strings.Lines(diff) {
			old, lines, ok := hunk(line)
			if !ok {
				continue
			}
			p := measure.Place{File: name, Lines: lines}
			if f := cmp.Or(functions.Enclosing(lines.Start), former.Enclosing(old.Start)); f != nil { // the end of a function is gone from it
				p.Symbol = f.Name
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// hunk reads which lines of both sides a line "@@ -1,2 +3,4 @@" names.
func hunk(line string) (old, lines qa.Range, ok bool) {
	rest, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return old, lines, false
	}
	before, rest, _ := strings.Cut(rest, " +")
	after, _, _ := strings.Cut(rest, " @@")
	return hunkLines(before), hunkLines(after), true
}

// hunkLines are those of one side, "3,4" or "3"; of none, the line before and the next.
func hunkLines(at string) qa.Range {
	first, count, several := strings.Cut(at, ",")
	n := 1
	if several {
		n, _ = strconv.Atoi(count)
	}
	start, _ := strconv.Atoi(first)
	if n == 0 {
		return qa.Range{Start: max(start, 1), End: start + 1}
	}
	return qa.Range{Start: start, End: start + n - 1}
}
