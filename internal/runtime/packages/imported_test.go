package packages

import (
	"slices"
	"testing"
	"testing/fstest"
)

// A copy of the repository's own package that only its tools depend on is told from
// one that its code imports.
func TestImported(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		`const s = require('semver')`:                   true,
		`import s from "semver/functions/inc.js"`:       true,
		"export { inc } from 'semver'":                  true,
		`import "semver"`:                               true,
		`const s = await import('semver')`:              true,
		`jest.mock('semver', () => ({}))`:               true,
		`require.resolve( "semver" )`:                   true,
		`const s = proxyquire('semver', {})`:            true,
		`const s = require('../')`:                      false,
		`env: { NODE_DEBUG: 'semver' }`:                 false,
		`describe('semver', () => {})`:                  false,
		`const s = require('semver-diff')`:              false,
		`// the copy from semver is another matter`:     false,
		`const s = require('./node_modules/semver')`:    false,
		`localStorage.getItem('semver')`:                false,
		"/**\n * const s = require('semver')\n */\nx()": false,
		"const m = `${x}`\n/**\n * ```js\n * const s = require('semver')\n * ```\n */\nx()": false,
		"// const s = require('semver')\nx()":                                               false,
		"const glob = '/*'; const s = require('semver') // */":                              true,
		"import s from 'x'\nconst name = 'not semver';":                                     false,
	} {
		fsys := fstest.MapFS{"test/a.js": {Data: []byte(code)}, "package.json": {Data: []byte(`{"name":"semver","x":"from 'semver'"}`)}}
		found := []Elsewhere{{Name: "semver"}}
		if markImported(fsys, slices.Values([]string{"test/a.js", "package.json", "test/deleted.js"}), found); found[0].Imported != want {
			t.Errorf("%s: imported %v", code, !want)
		}
	}
	big := fstest.MapFS{"a.ts": {Data: make([]byte, maxCode+1)}}
	found := []Elsewhere{{Name: "semver"}}
	if markImported(big, slices.Values([]string{"a.ts"}), found); !found[0].Imported {
		t.Error("a file that cannot be read whole counts as innocent")
	}
}
