package shell

import (
	"testing"

	"gotest.tools/v3/assert"
)

// The first command "a" fails alone; that is what a script ends with, or not.
func TestHeeded(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]bool{
		"a":                                   true,
		"a && b":                              true,
		"a; b":                                false,
		"a\nb":                                false,
		"a || b":                              false,
		"a &":                                 false,
		"a || exit 1; b":                      true,
		"a || exit; b":                        true,
		"a || exit $?; b":                     true,
		"a || exit 0; b":                      false,
		"a || (echo bad; exit 1)":             true,
		"a || (echo bad; exit 1); b":          false,
		"a || false":                          true,
		"a || true; b":                        false,
		"a && b || c":                         false,
		"a && b || exit 2; c":                 true,
		"set -e; a; b":                        true,
		"set -euo pipefail\na\nb":             true,
		"set -o errexit; a; b":                true,
		"set -u -o pipefail -o errexit; a; b": true,
		"set -o pipefail; a; b":               false,
		"set -u; a; b":                        false,
		"set -e; set +e; a; b":                false,
		"set -e; a || true; b":                false,
		"set -e; a && b; c":                   false, // as POSIX has it
		"set -e; a || (exit 1); b":            true,
		"set -e; a && b":                      true,
		"set -e; a & b":                       false,
		"set -- -e; a; b":                     false,
	} {
		list, err := Parse(script)
		assert.NilError(t, err, script)
		errexit := false
		for i, c := range list {
			if c.Words[0].Text == "a" {
				assert.Equal(t, Heeded(list, i, errexit), want, script)
				break
			}
			errexit = c.ErrExit(errexit)
		}
	}
}
