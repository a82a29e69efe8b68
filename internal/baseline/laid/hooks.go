package laid

import (
	"bytes"
	"context"
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Hooks are the files of the change that have a hand in what runs while packages are
// installed. Nothing of them is laid back, for the packages are installed by then.
func (l Look) Hooks(ctx context.Context) (names []string) {
	hooks := l.hooks()
	for _, f := range l.Change.Files {
		if f.Submodule || folder.Aside(f.Path) {
			continue
		}
		now, was := l.Both(ctx, f)
		if !bytes.Equal(toolchain.Hooks(f.Path, now), toolchain.Hooks(f.BasePath(), was)) || folder.Named(hooks, f.Path, toolchain.RunsFile) {
			names = append(names, f.Path)
		}
	}
	return names
}

// hooks are those of each target's folder and the folders above it, as head has them.
func (l Look) hooks() map[string][]byte {
	out := map[string][]byte{}
	for _, t := range l.Targets {
		for dir := path.Clean(t.Framework.Dir); ; dir = path.Dir(dir) {
			l.gather(out, dir, func(name string) bool { return slices.Contains(toolchain.HookFiles, name) }, toolchain.Hooks)
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return out
}
