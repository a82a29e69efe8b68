package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/user"
	"github.com/org/qa-action/internal/runtime/walk"
)

// ToolHome is a folder of the user that a toolchain needs, which takes the place of it
// in a workspace: the user's own has credentials in it, and is not the code's to
// write to.
type ToolHome struct {
	language.Home
	of   *language.Language
	from string // the user's
}

// Homes are those that an environment names.
func Homes(env []string) []ToolHome {
	var out []ToolHome
	for _, l := range language.All() {
		for _, h := range l.Tools.Homes {
			from := h.In(func(name string) string { return environ.Lookup(env, name) })
			if from != "" { // it need not be there, ours shall be
				out = append(out, ToolHome{h, l, from})
			}
		}
	}
	return out
}

func (h ToolHome) own(p Place) string { return filepath.Join(p.Packages(), h.Own) }

// environment says where the folder is.
func (h ToolHome) environment(p Place) []string {
	var env []string
	if h.Variable != "" {
		env = append(env, h.Variable+"="+h.own(p))
	}
	for _, kv := range h.Set {
		env = append(env, strings.ReplaceAll(kv, "{own}", h.own(p)))
	}
	return env
}

// Shown are the folders of the user's that links lead to.
func (h ToolHome) Shown() []string {
	return each.Where(each.Of(h.Lay, func(name string) string { return filepath.Join(h.from, name) }), isDir)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// LayHomes makes the folders for the languages of the checkout.
func (p Place) LayHomes(homes []ToolHome, t *repository.Tracked, u *user.User) error {
	for _, h := range homes {
		if !t.Uses(h.of) {
			continue
		}
		for _, name := range h.Lay {
			if err := h.lay(p, name, u); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("lay %s: %w", filepath.Base(h.from), err)
			}
		}
		own := h.own(p)
		if err := errors.Join(os.MkdirAll(own, 0o755), u.Own(own)); err != nil {
			return fmt.Errorf("lay %s: %w", filepath.Base(h.from), err)
		}
	}
	return nil
}

// lay makes what lies in a folder appear in ours: a file is copied, of a folder
// every file is a link, or every folder as deep as the home says.
func (h ToolHome) lay(p Place, name string, u *user.User) error {
	from, to := filepath.Join(h.from, name), filepath.Join(h.own(p), name)
	if !isDir(from) {
		return copied(from, to, u)
	}
	if up := filepath.Dir(to); up != h.own(p) {
		if err := errors.Join(os.MkdirAll(up, 0o755), u.Own(up)); err != nil {
			return err
		}
	}
	return walk.Below(from, func(rel string, d fs.DirEntry) error {
		path, goal := filepath.Join(from, rel), filepath.Join(to, rel)
		depth := strings.Count(rel, string(filepath.Separator)) + 1
		switch {
		case d.IsDir() && (rel == "." || h.Depth == 0 || depth < h.Depth):
			return errors.Join(os.MkdirAll(goal, 0o755), u.Own(goal))
		case d.IsDir():
			return walk.Beside(os.Symlink(path, goal))
		case d.Type().IsRegular() && slices.ContainsFunc(h.Copied, func(end string) bool { return strings.HasSuffix(path, end) }):
			return copied(path, goal, u)
		}
		return os.Symlink(path, goal)
	})
}

// copied makes a file the user's own.
func copied(from, to string, u *user.User) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644), u.Own(to))
}
