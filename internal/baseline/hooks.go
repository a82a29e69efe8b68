package baseline

import (
	"bytes"
	"context"
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// hooksChanged looks whether the change has a hand in what runs while packages are
// installed. That may have changed the runner of the tests, in the packages that
// every later run on head uses: no other run of the suite would show it.
func (c comparison) hooksChanged(ctx context.Context) {
	if c.Change.Base == "" || len(c.b.Runs) == 0 {
		return
	}
	hooks := c.hooks()
	var names []string
	for _, f := range c.Change.Files {
		if f.Submodule || folder.Aside(f.Path) {
			continue
		}
		now, was := c.look().Both(ctx, f)
		if !bytes.Equal(toolchain.Hooks(f.Path, now), toolchain.Hooks(f.BasePath(), was)) || folder.Named(hooks, f.Path, toolchain.RunsFile) {
			names = append(names, f.Path)
		}
	}
	if len(names) > 0 {
		c.b.Command = also(c.b.Command, "what runs while packages are installed changes ("+some(names)+"): whether it left the test runner as it was is not known")
	}
}

// hooks are those of each target's folder and the folders above it, as head has them.
func (c comparison) hooks() map[string][]byte {
	out := map[string][]byte{}
	for _, t := range c.b.Targets {
		for dir := path.Clean(t.Framework.Dir); ; dir = path.Dir(dir) {
			c.look().Gather(out, dir, func(name string) bool { return slices.Contains(toolchain.HookFiles, name) }, toolchain.Hooks)
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return out
}
