package python

import (
	"os"
	"path"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
)

// distributionName is where Python and Rust projects say what they are called.
var distributionName = pattern.New(`(?m)^\s*(?:name\s*=\s*|.*\bname\s*=\s*)["']?([A-Za-z0-9][\w.-]*)["']?`)

// ownTops are the top-level names that a Python project may install: those of
// its packages, and its own for one that is all machine code.
func ownTops(root, dir string) map[string]bool {
	out := map[string]bool{}
	for name := range ownPython(root, dir) {
		out[name] = true
	}
	tree, err := os.OpenRoot(root)
	if err != nil {
		return out
	}
	defer func() { _ = tree.Close() }()
	for _, file := range []string{"pyproject.toml", "setup.cfg", "setup.py", "Cargo.toml"} {
		data, ok := folder.RegularFile(tree, path.Join(dir, file))
		if !ok {
			continue
		}
		if m := distributionName.FindSubmatch(data); m != nil {
			out[strings.ReplaceAll(project.Normal(string(m[1])), "-", "_")] = true
		}
	}
	return out
}

// ofProject reports whether a module belongs to one of some top-level names, or
// is the machine code beside it that a leading underscore marks.
func ofProject(tops map[string]bool, module string) bool {
	top, _, _ := strings.Cut(module, ".")
	if tops[top] {
		return true
	}
	private, marked := strings.CutPrefix(top, "_")
	if !marked {
		return false
	}
	for name := range tops {
		if private == name || strings.HasPrefix(private, name+"_") {
			return true
		}
	}
	return false
}
