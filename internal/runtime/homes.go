package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime/environ"
)

// home is a folder of the user that a toolchain needs, which takes the place of it
// in a workspace: the user's own has credentials in it, and is not the code's to
// write to.
type home struct {
	language.Home
	of   *language.Language
	from string // the user's
}

// homes are those of this machine: no other driver runs programs of it.
func homes(o Options) []home {
	if o.Driver != "host" {
		return nil
	}
	var out []home
	for _, l := range language.All() {
		for _, h := range l.Tools.Homes {
			from := h.In(func(name string) string { return environ.Lookup(o.Env, name) })
			if from != "" { // it need not be there, ours shall be
				out = append(out, home{h, l, from})
			}
		}
	}
	return out
}

func (h home) own(p place) string { return filepath.Join(p.packages(), h.Own) }

// environment says where the folder is.
func (h home) environment(p place) []string {
	var env []string
	if h.Variable != "" {
		env = append(env, h.Variable+"="+h.own(p))
	}
	for _, kv := range h.Set {
		env = append(env, strings.ReplaceAll(kv, "{own}", h.own(p)))
	}
	return env
}

// shown are the folders of the user's that links lead to.
func (h home) shown() []string {
	var out []string
	for _, name := range h.Lay {
		if dir := filepath.Join(h.from, name); isDir(dir) {
			out = append(out, dir)
		}
	}
	return out
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// layHomes makes the folders for the languages of the checkout.
func (w *Workspace) layHomes() error {
	for _, h := range homes(w.opts) {
		if !w.tracked.Uses(h.of) {
			continue
		}
		for _, name := range h.Lay {
			if err := w.lay(h, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("lay %s: %w", filepath.Base(h.from), err)
			}
		}
		own := h.own(w.place)
		if err := errors.Join(os.MkdirAll(own, 0o755), w.give(own)); err != nil {
			return fmt.Errorf("lay %s: %w", filepath.Base(h.from), err)
		}
	}
	return nil
}

// lay makes what lies in a folder appear in ours: a file is copied, of a folder
// every file is a link, or every folder as deep as the home says.
func (w *Workspace) lay(h home, name string) error {
	from, to := filepath.Join(h.from, name), filepath.Join(h.own(w.place), name)
	if !isDir(from) {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644), w.give(to))
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		goal := filepath.Join(to, rel)
		depth := strings.Count(rel, string(filepath.Separator)) + 1
		switch {
		case d.IsDir() && (rel == "." || h.Depth == 0 || depth < h.Depth):
			return errors.Join(os.MkdirAll(goal, 0o755), w.give(goal))
		case d.IsDir():
			if err := os.Symlink(path, goal); err != nil {
				return err
			}
			return fs.SkipDir
		}
		return os.Symlink(path, goal)
	})
}

func (w *Workspace) give(path string) error {
	if w.user == nil {
		return nil
	}
	return w.user.Own(path)
}
