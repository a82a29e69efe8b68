package runtime

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/process"
)

// Base's commands see base's home where head's commands see head's: what compilers
// filed under a path holds for both sides. On the machine the two stand side by side,
// under names of one length, and one name is written for the other where something
// passes between us and a command: arguments and environment on the way in, output
// and report files on the way out. Equal lengths keep every format whole, a database
// or an index with offsets as well.

// names are the home's name for commands, where it moves, and for us.
func (w *Workspace) names() (shown, ours string) {
	return filepath.Base(w.parent.place.Home), filepath.Base(w.place.Home)
}

// shown is a text with the paths that commands know.
func (w *Workspace) shown(text string) string {
	if !w.moves() {
		return text
	}
	shown, ours := w.names()
	return strings.ReplaceAll(text, ours, shown)
}

func (w *Workspace) shownAll(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = w.shown(text)
	}
	return out
}

// Local passes on to a file what commands wrote, with the paths that the tree has
// for us: for report files that somebody takes out of Results or Dir. Close it; the
// file behind stays open.
func (w *Workspace) Local(to io.Writer) io.WriteCloser {
	if !w.moves() {
		return (*process.Redactor)(nil).Writer(to)
	}
	return (*process.Redactor)(nil).With(w.names()).Writer(to)
}
