package finding

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// Terms are what findings are held against.
type Terms struct {
	// Perspectives limits the scan; empty means all, with ux only when files
	// of a user interface changed.
	Perspectives []qa.Perspective
	MinSeverity  qa.Severity // empty is Low

	Dismissals []byte // content of the dismissals file, see [parseDismissals]
	// Commented are what comments on the pull request dismiss, by the first digits of
	// the fingerprint.
	Commented     map[string]qa.Dismissal
	Codeowners    []byte // content of CODEOWNERS
	KnownPatterns []qa.Pattern

	Now time.Time // decides which dismissals expired
}

// settlement holds what settling needs, parsed and checked before any engine
// starts.
type settlement struct {
	Terms
	dismissals map[string]qa.Dismissal
	owners     owners
	warnings   []string
}

func (a Terms) Settlement() (settlement, error) {
	dismissals, err := parseDismissals(a.Dismissals)
	if err != nil {
		return settlement{}, fmt.Errorf("scan: %w", err)
	}
	out := settlement{Terms: a, dismissals: dismissals}
	if out.owners, err = parseOwners(a.Codeowners); err != nil {
		// The host ignores what it cannot read of this file; so do we, aloud.
		out.warnings = append(out.warnings, "owners are not shown: "+wording.Cut(strings.TrimSpace(wording.Plain(err.Error())), 300))
	}
	return out, nil
}

// Asked are the perspectives asked for.
func (a Terms) Asked(t *engine.Tree) []qa.Perspective {
	if len(a.Perspectives) > 0 {
		return a.Perspectives
	}
	out := slices.Clone(qa.Perspectives())
	if slices.ContainsFunc(t.Files, func(f *engine.File) bool { return UserInterface(f.Path) }) {
		return out
	}
	return slices.DeleteFunc(out, func(p qa.Perspective) bool { return p == qa.UX })
}

// UserInterface reports whether a file is one that people see.
func UserInterface(path string) bool {
	seen := []string{".jsx", ".tsx", ".vue", ".svelte", ".astro", ".html", ".css", ".scss", ".less"}
	return slices.Contains(seen, strings.ToLower(filepath.Ext(path)))
}

// BelowSeverity begins the reason of what is cut.
const BelowSeverity = "below min-severity "
