package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/change"
	"github.com/org/qa-action/internal/history"
	"github.com/org/qa-action/internal/mode"
)

// historyDir names the directory of the history where the job gives it one, for
// instance one that a cache step restores.
const historyDir = "QA_HISTORY_DIR"

// maxAncestors is how far behind a remembered baseline may be.
const maxAncestors = 200

// past is where a run finds what earlier runs taught.
func (s *scene) past(ctx context.Context, env *Env) mode.Past {
	p := mode.Past{Rung: "cache", Ref: s.change.HeadRef}
	switch {
	case s.change.Number > 0:
		p.Ref = fmt.Sprintf("pr/%d", s.change.Number)
	case p.Ref == "main" || p.Ref == "master":
		p.Default = true
	}
	if s.config.History == "none" {
		p.Why = "switched off by the input history"
		return p
	}
	dir := env.Getenv(historyDir)
	if dir == "" {
		dir = filepath.Join(filepath.FromSlash(s.config.OutputDir), "history")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.root, dir)
	}
	if p.Why = s.planted(ctx, dir); p.Why != "" {
		return p
	}
	p.Store = history.Dir(dir)
	if s.change.Base != "" {
		// Without commits to look for there is no baseline, and the report says so.
		p.Ancestors, _ = change.Ancestors(ctx, s.root, s.change.Base, maxAncestors)
	}
	return p
}

// planted says why the history in dir may be the work of whoever wrote the
// change: it is part of a commit, or a link leads to it.
func (s *scene) planted(ctx context.Context, dir string) string {
	rel, err := filepath.Rel(s.root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	rel = filepath.ToSlash(rel)
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return rel + " is a symbolic link; name the directory it points to in " + historyDir
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
