package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/gh"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/past"
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
func (s *setup) past(ctx context.Context, env *Env, out *output.Dir) past.Source {
	p := past.Source{Name: "cache", Ref: s.change.HeadRef}
	named := ""
	if s.actions != nil {
		named = s.actions.Event.DefaultBranch
	}
	if p.Default = s.change.OnDefault(named); s.change.Number > 0 {
		p.Ref = fmt.Sprintf("pr/%d", s.change.Number)
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
		s.dirStore(ctx, env, out, &p)
	}
	if !s.config.Shard.Whole() {
		p.ReadOnly, p.Room = "it is a part of the suites, which qa merge joins", 0
	}
	return p
}

// ancestors are the base and the commits before it: from the checkout, or from
// the API where that is shallow.
func (s *setup) ancestors(ctx context.Context) []string {
	local, err := change.Ancestors(ctx, s.root, s.change.Base, maxAncestors)
	if err == nil && len(local) > 1 {
		return local
	}
	if a := s.actions; a != nil && a.Client != nil && s.config.History != "none" {
		if known, err := a.Client.Ancestors(ctx, s.change.Base); err == nil && len(known) > 0 {
			return known
		}
	}
	return []string{s.change.Base}
}

// carriedFor is how long a run waits for what an earlier one left at GitHub: running base
// again takes no longer with most suites.
const carriedFor = 15 * time.Second

var errNoAnswer = fmt.Errorf("no answer from GitHub within %s", carriedFor)

// carried has check runs carry what later runs need, where there are any.
func (s *setup) carried(p *past.Source) {
	a := s.actions
	if a == nil || a.Client == nil || s.config.History == "none" {
		return
	}
	place := a.Place(s.config.WorkingDirectory)
	p.Carried = func(ctx context.Context, sha string) (string, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, carriedFor, errNoAnswer)
		defer cancel()
		text, err := a.Client.Carried(ctx, sha, place)
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return text, err
	}
	p.Room = gh.MaxCarry
	if a.Event.Pull != nil {
		p.Before = a.Event.Pull.Before
	}
}

// branchStore keeps the history on a branch, which runs of the default branch
// write and all others read.
func (s *setup) branchStore(p *past.Source) {
	a := s.actions
	if a == nil || a.Client == nil {
		p.Why = "input history is branch, and the branch is reached with github-token in a workflow only"
		return
	}
	p.Name, p.Store = "history", branchStore{a.Client.Branch(historyBranch, history.File)}
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

// dirStore keeps the history in a directory: below the output directory, or in
// one that the job names. Only there whoever runs us may have put it anywhere.
func (s *setup) dirStore(ctx context.Context, env *Env, out *output.Dir, p *past.Source) {
	dir, err := s.historyIn(ctx, env.Getenv(historyDir), out)
	if err != nil {
		p.Why = err.Error()
		return
	}
	p.Store = history.Dir(dir)
}

// scanned is where scans remember what they found out about files; nil is nowhere.
func scanned(ctx context.Context, env *Env, s *setup, out *output.Dir) *output.Dir {
	if s.config.History == "none" {
		return nil
	}
	dir, _ := s.historyIn(ctx, env.Getenv(historyDir), out) // why it is not read stands with the history
	return dir
}

func (s *setup) historyIn(ctx context.Context, named string, out *output.Dir) (*output.Dir, error) {
	if named == "" {
		return out.Part("history")
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(s.root, named)
	}
	rel, err := filepath.Rel(s.root, settled(named))
	if err != nil || !filepath.IsLocal(rel) {
		if rel, err = filepath.Rel(s.root, named); err != nil || !filepath.IsLocal(rel) {
			return output.At(named), nil
		}
	} else if literal, err := filepath.Rel(s.root, named); err == nil && filepath.IsLocal(literal) {
		rel = literal // with its links, so that they are seen
	}
	rel = filepath.ToSlash(rel)
	d, err := s.within(ctx, rel)
	if err == nil {
		err = d.Ours(".")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", historyDir, err)
	}
	return d, nil
}

// settled is a path without links, as far as it exists.
func settled(path string) string {
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		if parent := filepath.Dir(path); parent != path {
			rest, path = filepath.Join(filepath.Base(path), rest), parent
			continue
		}
		return filepath.Join(path, rest)
	}
}
