package runtime

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/process"
)

// ErrExposed is wrapped when the code could read a secret and nothing here keeps it
// from that: it is not run.
var ErrExposed = errors.New("isolation is too weak")

// exposed is an error when the code could read a secret that is known to lie within
// its reach. Whoever accepts that says so in Options.AcceptWeak.
func (w *Workspace) exposed() error {
	if w.opts.AcceptWeak {
		return nil
	}
	found := w.box.Exposed(w.opts.Secrets)
	if found == "" {
		return nil
	}
	// What helps stands first: places with little room cut the rest.
	return fmt.Errorf("%w: the tests could read %s; take it away, or set accept-weak-isolation: true; the image on Linux 5.13 or later has layers of the sandbox that are not to be had here (%s)",
		ErrExposed, found, strings.Join(each.Where(w.levels, keepsFromReading), "; "))
}

// keepsFromReading tells the layers that would have kept the code from reading.
func keepsFromReading(level string) bool {
	return strings.HasPrefix(level, "namespaces: ") || strings.HasPrefix(level, "landlock: ")
}

// Local passes on to a file what commands wrote, with the paths that the tree has
// for us: for report files that somebody takes out of Results or Dir. Close it; the
// file behind stays open.
func (w *Workspace) Local(to io.Writer) io.WriteCloser {
	if !w.box.Moves() {
		return (*process.Redactor)(nil).Writer(to)
	}
	return (*process.Redactor)(nil).With(w.box.Names()).Writer(to)
}
