package framework

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFirstContact is shapes of test scripts that public repositories have.
func TestFirstContact(t *testing.T) {
	t.Parallel()
	type m = map[string]string
	for name, c := range map[string]struct {
		files  m
		want   []string
		checks []string
		notes  []string
	}{
		"tape behind nyc, an audit behind npx": {
			files:  m{"package.json": `{"scripts":{"test":"npm run only","only":"nyc tape 'test/**/*.js'","posttest":"npx npm@'>=10.2' audit --production"},"devDependencies":{"tape":"^5","nyc":"^15"}}`},
			want:   []string{". (only) tape: test/**/*.js"},
			checks: []string{"posttest: npm@'>=10.2' audit --production"},
		},
		"a file that loads tape": {
			files: m{"package.json": `{"scripts":{"test":"node test.js"},"devDependencies":{"tape":"^5"}}`, "test.js": "var test = require('tape')\n"},
			want:  []string{". (test) tape: test.js"},
		},
		"a file that loads files that load tape, piped": {
			files: m{"package.json": `{"scripts":{"test":"node test/index | tap-spec"}}`, "test/index.js": "require('./a')\n", "test/a.js": "import test from 'tape'\n"},
			want:  []string{". (test) tape: test/index"},
		},
		"a file with conditions loads a file for node's runner, measured": {
			files: m{"package.json": `{"scripts":{"test":"npm run build && npm run test-coverage","build":"tsc --build","test-coverage":"c8 --100 -- npm run test-api","test-api":"node --conditions development test/index.js"},"devDependencies":{"c8":"^10"}}`,
				"test/index.js": "import './cli.js'\n", "test/cli.js": "import test from 'node:test'\n"},
			want: []string{". (test-api) nodetest: test/index.js < tsc --build"},
		},
		"a file that is watched": {
			files: m{"package.json": `{"scripts":{"test":"node --watch test.js"}}`, "test.js": "import test from 'node:test'\n"},
			want:  []string{". (test) command: node --watch test.js exit code"},
		},
		"a file that loads nothing of the kind": {
			files: m{"package.json": `{"scripts":{"test":"node test.js"},"devDependencies":{"tape":"^5"}}`, "test.js": "require('assert')\n"},
			want:  []string{". (test) command: node test.js exit code"}, notes: []string{". tape: package.json: tape ^5, and no test script runs it"},
		},
		"glob finds the files of node's runner": {
			files: m{"package.json": `{"scripts":{"test":"c8 glob -c 'node --import tsx --test' './tests/**/*.test.ts'"},"devDependencies":{"glob":"^11"}}`},
			want:  []string{". (test) nodetest: --import tsx ./tests/**/*.test.ts"},
		},
		"glob finds the files of something else": {
			files: m{"package.json": `{"scripts":{"test":"glob -c 'own run' 'a/**'"},"devDependencies":{"glob":"^11"}}`},
			want:  []string{". (test) command: glob -c own run a/** exit code"},
		},
		"a check behind a file of node's": {
			files:  m{"package.json": `{"scripts":{"test":"node bin/fix.js eslint . && node bin/fix.js mocha a"},"devDependencies":{"eslint":"^9","mocha":"^10"}}`},
			want:   []string{". (test) mocha: a"},
			checks: []string{"test: eslint ."},
		},
		"tests that have the name of a check": {
			files: m{"package.json": `{"scripts":{"test":"node test/all.js eslint && node own.js eslint"},"devDependencies":{"other":"^9"}}`},
			want:  []string{". (node test/all.js) command: node test/all.js eslint exit code", ". (node own.js) command: node own.js eslint exit code"},
		},
		"packages among the tests": {
			files: m{
				"package.json":               `{"scripts":{"test":"mocha"},"devDependencies":{"mocha":"^10"}}`,
				"test/module/a/package.json": `{"scripts":{"test":"node index.js"}}`, "test/module/b/package.json": `{"scripts":{"test":"jest"},"devDependencies":{"jest":"^30"}}`,
			},
			want:  []string{". (test) mocha:", "test/module/b (test) jest:"},
			notes: []string{"test/module/a: a package among the tests of another one"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := look(t, c.files, "")
			var got []string
			for _, d := range found.Detections {
				got = append(got, target(d))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.checks, texts(found.Checks)); diff != "" {
				t.Errorf("checks (-want +got):\n%s", diff)
			}
			for _, want := range c.notes {
				if !slices.ContainsFunc(found.Notes, func(n Note) bool { return strings.Contains(n.What+": "+n.Why, want) }) {
					t.Errorf("no note %q in %q", want, found.Notes)
				}
			}
		})
	}
}

// TestNodeTestNeedsWhatTestsLoad: node is there, and the packages are not.
func TestNodeTestNeedsWhatTestsLoad(t *testing.T) {
	t.Parallel()
	manifest := `{"scripts":{"test":"c8 --100 node --test"},"devDependencies":{"c8":"^10"}}`
	for files, want := range map[string]bool{"": false, "node_modules/x/package.json": true} {
		repo := map[string]string{"package.json": manifest}
		if files != "" {
			repo[files] = "{}"
		}
		d := look(t, repo, "").Detections[0]
		if d.Installed != want || d.Installed == strings.Contains(d.Hint.String(), "npm install") {
			t.Errorf("with %q: installed %v, hint %q", files, d.Installed, d.Hint)
		}
	}
}
