package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/org/qa-action/internal/runtime/environ"
)

// Environment names what of a place decides how tests end there, by driver, platform,
// image and the toolchains that commands find; empty where that cannot be told: another
// container is known by its image, and an image only by its digest.
func (w *Workspace) Environment() string {
	out := fmt.Sprintf("%s %s/%s", w.opts.Driver, runtime.GOOS, runtime.GOARCH)
	if w.box.Foreign {
		if w.opts.Driver != "container" || !strings.Contains(w.opts.Image, "@sha256:") {
			return ""
		}
		return out + " " + w.opts.Image
	}
	for _, t := range w.Tools() {
		out += fmt.Sprintf(" %s %s", t.Name, t.Version)
	}
	for _, program := range []string{"go", "node", "python3", "java", "cargo"} {
		path, err := w.find(program)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		out += fmt.Sprintf(" %s %s %d %d", program, path, info.Size(), info.ModTime().Unix())
	}
	return out + " " + environ.Lookup(w.env, "GOFLAGS") + " " + environ.Lookup(w.env, "NODE_OPTIONS")
}
