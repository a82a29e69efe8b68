// Package sandbox finds out which layers of isolation the machine offers, says what of
// the machine is hidden, and runs the commands of a workspace behind both.
package sandbox

import (
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/runtime/limits"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/user"
)

// Sandbox is what stands around the commands of one workspace.
type Sandbox struct {
	User    *user.User // as whom they run
	Place   place.Place
	Head    *place.Place // of base: where head stands; nil for head
	Machine Machine
	Limits  limits.Limits
	Layers  Layers
	Foreign bool // commands run among another container's files
	Apart   bool // base cannot be shown where head stands
}

// Around is the one for a second tree: what was found out for head holds for it.
func (b *Sandbox) Around(p place.Place) *Sandbox {
	second := *b
	second.Place, second.Head = p, &b.Place
	return &second
}

// Guarded reports whether the code cannot write to what outlives the run.
func (b *Sandbox) Guarded() bool { return b.User != nil || b.Layers.Confines() }

// confined reports whether a layer keeps the code from reading what is not its own.
func (b *Sandbox) confined() bool { return b.Layers.Namespaces || b.Layers.Confines() }

// Moves reports whether commands see the home at another path than we do.
func (b *Sandbox) Moves() bool {
	return b.Head != nil && !b.Foreign && b.Layers.Namespaces && !b.Apart
}

// Base's commands see base's home where head's commands see head's: what compilers
// filed under a path holds for both sides. On the machine the two stand side by side,
// under names of one length, and one name is written for the other where something
// passes between us and a command: arguments and environment on the way in, output
// and report files on the way out. Equal lengths keep every format whole, a database
// or an index with offsets as well.

// Names are the home's name for commands, where it moves, and for us.
func (b *Sandbox) Names() (shown, ours string) {
	return filepath.Base(b.Head.Home), filepath.Base(b.Place.Home)
}

// Shown is a text with the paths that commands know.
func (b *Sandbox) Shown(text string) string {
	if !b.Moves() {
		return text
	}
	shown, ours := b.Names()
	return strings.ReplaceAll(text, ours, shown)
}

// ShownAll is a list of texts with the paths that commands know.
func (b *Sandbox) ShownAll(list []string) []string { return each.Of(list, b.Shown) }
