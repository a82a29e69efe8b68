package framework

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/settings"
	"gopkg.in/yaml.v3"
)

// members are the packages that a workspace names in folders that are passed over
// otherwise, examples and such as lie deep, where a script further up runs one of
// their scripts.
func (f *finder) members() []string {
	var out []string
	for _, d := range f.away {
		looked := f.tree.Packages(d.dir, markers())
		for _, at := range f.named(d.dir) {
			if !slices.Contains(looked, at) && !slices.Contains(out, at) && len(out) < maxNotes && len(f.delegated(f.project(at))) > 0 {
				out = append(out, at)
			}
		}
	}
	slices.Sort(out)
	return out
}

// named are the packages that the workspace of a folder names.
func (f *finder) named(dir string) []string {
	var out, not []string
	for _, pattern := range f.workspaces(dir) {
		if but, excludes := strings.CutPrefix(pattern, "!"); excludes {
			not = append(not, path.Clean(but))
			continue
		}
		if pattern = path.Join(dir, pattern); !fs.ValidPath(pattern) {
			continue
		}
		if above, _, deep := strings.Cut(pattern, "**"); deep {
			out = append(out, f.tree.Packages(path.Clean(above), []string{manifest})...)
			continue
		}
		found, _ := fs.Glob(f.tree.Root.FS(), path.Join(pattern, manifest)) // a pattern that is none finds none
		for _, file := range found {
			out = append(out, path.Dir(file))
		}
	}
	return slices.DeleteFunc(out, func(at string) bool {
		below := folder.Beneath(at, folder.FromDot(dir))
		return slices.ContainsFunc(not, func(pattern string) bool { return matchesGlob(pattern, below, `[^/]*`) })
	})
}

const manifest = "package.json"

// workspaces are the patterns by which a folder names its packages.
func (f *finder) workspaces(dir string) []string {
	var out []string
	if p := f.project(dir); p.Pkg != nil {
		var list []any
		var table struct {
			Packages []any `json:"packages"`
		}
		if json.Unmarshal(p.Pkg.Workspaces, &list) != nil && json.Unmarshal(p.Pkg.Workspaces, &table) == nil {
			list = table.Packages
		}
		out = settings.Strings(list)
	}
	for _, name := range []string{"pnpm-workspace.yaml", "lerna.json"} {
		var table struct {
			Packages []string `yaml:"packages"`
		}
		data, ok := f.tree.Read(path.Join(dir, name))
		if ok && yaml.Unmarshal(data, &table) == nil { // what does not parse, its tool refuses
			out = append(out, table.Packages...)
		}
	}
	return out
}
