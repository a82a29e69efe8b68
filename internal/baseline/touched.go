package baseline

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/qa"
)

// words are what may name a file in a command line, between quotes and operators.
var words = pattern.New("[^\\s'\"`$(){};|&<>=]+")

// touched are the checks of the test scripts of which the change touches a file that
// they name. They are not run, so that nothing here tells what they would say of it.
func touched(checks []string, c qa.Change) []string {
	var out []string
	for _, check := range checks {
		from, line, _ := strings.Cut(check, ": ")
		dir, _, below := strings.Cut(from, " ") // "web test"
		if !below {
			dir = ""
		}
		named := each.Of(words.FindAllString(line, -1), func(w string) string { return path.Join(dir, w) })
		for _, f := range c.Files {
			short := strings.TrimSuffix(f.Path, path.Ext(f.Path)) // node names a file so
			if slices.Contains(named, f.Path) || path.Ext(f.Path) != "" && slices.Contains(named, short) {
				out = append(out, fmt.Sprintf("a check of the test scripts is not run, and the change touches %s: %s", f.Path, check))
				break
			}
		}
	}
	return out
}
