package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/mode"
)

const (
	// historyDir names the directory of the history where the job gives it one,
	// for instance one that a cache step restores.
	historyDir = "QA_HISTORY_DIR"
	// historyBranch holds the history and no code.
	historyBranch = "qa-history"
	// maxAncestors is how far behind a remembered baseline may be.
	maxAncestors = 200
)

// past is where a run finds what earlier runs taught.
func (s *scene) past(ctx context.Context, env *Env) mode.Past {
	p := mode.Past{Rung: "cache", Ref: s.change.HeadRef}
	switch {
	case s.change.Number > 0:
		p.Ref = fmt.Sprintf("pr/%d", s.change.Number)
	case s.actions != nil && s.actions.event.DefaultBranch != "":
		p.Default = p.Ref == s.actions.event.DefaultBranch
	case p.Ref == "main" || p.Ref == "master":
		p.Default = true
	}
	if s.change.Base != "" {
		p.Ancestors = s.ancestors(ctx)
	}
	s.carried(&p)
	switch s.config.History {
	case "none":
		p.Why = "switched off by the input history"
	case "branch":
		s.branchStore(&p)
	default:
		s.dirStore(ctx, env, &p)
	}
	return p
}

// ancestors are the base and the commits before it: from the checkout, or from
// the API where that is shallow.
func (s *scene) ancestors(ctx context.Context) []string {
	local, err := change.Ancestors(ctx, s.root, s.change.Base, maxAncestors)
	if err == nil && len(local) > 1 {
		return local
	}
	if a := s.actions; a != nil && a.client != nil && s.config.History != "none" {
		if known, err := a.client.Ancestors(ctx, s.change.Base); err == nil && len(known) > 0 {
			return known
		}
	}
	return []string{s.change.Base}
}

// carried has check runs carry what later runs need, where there are any.
func (s *scene) carried(p *mode.Past) {
	a := s.actions
	if a == nil || a.client == nil || s.config.History == "none" {
		return
	}
	place := a.place(s.config.WorkingDirectory)
	p.Carried = func(ctx context.Context, sha string) (string, error) { return a.client.Carried(ctx, sha, place) }
	p.Room = gh.MaxCarry
	if a.event.Pull != nil {
		p.Before = a.event.Pull.Before
	}
}

// branchStore keeps the history on a branch, which runs of the default branch
// write and all others read.
func (s *scene) branchStore(p *mode.Past) {
	a := s.actions
	if a == nil || a.client == nil {
		p.Why = "input history is branch, and the branch is reached with github-token in a workflow only"
		return
	}
	p.Rung, p.Store = "history", branchStore{a.client.Branch(historyBranch, history.File)}
	if !p.Default {
		p.ReadOnly = "only runs of the default branch write to " + historyBranch
	}
}

// branchStore speaks of conflicts in the words of package history.
type branchStore struct{ *gh.Branch }

func (b branchStore) Save(ctx context.Context, data []byte, version string) error {
	err := b.Branch.Save(ctx, data, version)
	if errors.Is(err, gh.ErrMoved) {
		return history.ErrConflict
	}
	return err
}

// dirStore keeps the history in a directory.
func (s *scene) dirStore(ctx context.Context, env *Env, p *mode.Past) {
	dir := env.Getenv(historyDir)
	if dir == "" {
		dir = filepath.Join(filepath.FromSlash(s.config.OutputDir), "history")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.root, dir)
	}
	if p.Why = s.planted(ctx, dir); p.Why == "" {
		p.Store = history.Dir(dir)
	}
}

// planted says why the history in dir may be the work of whoever wrote the
// change: it is part of a commit of this or a nested repository, or a link leads
// to it.
func (s *scene) planted(ctx context.Context, dir string) string {
	rel, err := filepath.Rel(s.root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	rel = filepath.ToSlash(rel)
	at := s.root
	for part := range strings.SplitSeq(rel, "/") {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return rel + " is a symbolic link, or lies behind one; name the directory it points to in " + historyDir
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return rel + " lies in a repository of its own, so whoever wrote the change could have written it; name another directory in " + historyDir
		}
	}
	for _, commit := range []string{s.change.Head, s.change.Measured} {
		if commit == "" {
			continue
		}
		if _, err := change.Content(ctx, s.root, commit, rel+"/"+history.File); err == nil {
			return rel + " is committed, so whoever wrote the change could have written it; remove it from the repository"
		}
	}
	return ""
}
