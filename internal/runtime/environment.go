package runtime

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
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
	out += toolchain.Programs(w.find)
	return out + " " + environ.Lookup(w.env, "GOFLAGS") + " " + environ.Lookup(w.env, "NODE_OPTIONS")
}
