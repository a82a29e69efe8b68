package policy

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestPolicy reads candidates: good/ ones must be silent, bad/<rule>/ ones must
// break that rule and no other.
func TestPolicy(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(filepath.Join("testdata", "*", "policy.txtar"))
	assert.NilError(t, err)
	assert.Equal(t, len(archives), 5)
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		assert.NilError(t, err)
		for _, file := range archive.Files {
			t.Run(filepath.Base(filepath.Dir(name))+"/"+file.Name, func(t *testing.T) {
				t.Parallel()
				violations, err := Check(file.Name, nil, file.Data, nil)
				assert.NilError(t, err)
				parts := strings.Split(file.Name, "/")
				if parts[0] == "good" {
					assert.Equal(t, len(violations), 0, "%+v", violations)
					return
				}
				assert.Assert(t, len(violations) > 0, "nothing found")
				for _, v := range violations {
					assert.Equal(t, v.Rule, parts[1], "%+v", violations)
					assert.Equal(t, v.Gate, gatePolicy)
					assert.Assert(t, v.Line > 0 && v.Message != "")
				}
				again, err := Check(file.Name, file.Data, file.Data, nil)
				assert.NilError(t, err)
				assert.Equal(t, len(again), 0, "what a project has already is not held against a change: %+v", again)
			})
		}
	}
}

func TestPolicyKnownImports(t *testing.T) {
	t.Parallel()
	src := []byte("import http from 'node:http';\nimport { f } from './f.js';\nit('x', () => { expect(f(http)).toBe(1); });\n")
	got, err := Check("a.test.js", nil, src, []string{"node:http"})
	assert.NilError(t, err)
	assert.Equal(t, len(got), 0, "%+v", got)
}

// TestPolicyRepair edits the good candidates as a cheating repair would.
func TestPolicyRepair(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, before, after, want string }{
		"assertion deleted": {
			"a.test.js", "import {f} from './f';\nit('x', () => { expect(f(1)).toBe(1); expect(f(2)).toBe(2); });\n",
			"import {f} from './f';\nit('x', () => { expect(f(1)).toBe(1); });\n", "repair/assertion-removed",
		},
		"expectation bent": {
			"a.test.js", "import {f} from './f';\nit('x', () => { expect(f(1)).toBe(1); });\n",
			"import {f} from './f';\nit('x', () => { expect(f(1)).toBe(7); });\n", "oracle/expectation-changed",
		},
		"renamed away": {
			"test_a.py", "from p import f\ndef test_x():\n    assert f() == 1\n",
			"from p import f\ndef _test_x():\n    assert f() == 1\n", "repair/test-removed",
		},
		"skipped": {
			"a_test.go", "package a\nimport \"testing\"\nfunc TestX(t *testing.T) { if f() != 1 { t.Error() } }\n",
			"package a\nimport \"testing\"\nfunc TestX(t *testing.T) { t.Skip(); if f() != 1 { t.Error() } }\n", "G0/skipped",
		},
		"setup changed": {
			"test_a.py", "from p import f\ndef test_x():\n    assert f() == 1\n",
			"from p import f, g\ndef test_x():\n    g()\n    assert f() == 1\n", "",
		},
		"waits added": {
			"a.test.ts", "import {f} from './f';\nit('x', () => { expect(f(1)).toBe(1); });\n",
			"import {f} from './f';\nit('x', async () => { await new Promise(r => setTimeout(r, 5000)); expect(f(1)).toBe(1); });\n", "G0/sleep",
		},
		"second skip beside an old one": {
			"a.test.js", "import {f} from './f';\nit.skip('x', () => { expect(f(1)).toBe(1); });\nit('y', () => { expect(f(2)).toBe(1); });\n",
			"import {f} from './f';\nit.skip('x', () => { expect(f(1)).toBe(1); });\nit.skip('y', () => { expect(f(2)).toBe(1); });\n", "G0/skipped",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Check(tc.path, []byte(tc.before), []byte(tc.after), nil)
			assert.NilError(t, err)
			var rules []string
			for _, v := range got {
				rules = append(rules, path.Join(v.Gate, v.Rule))
			}
			assert.Equal(t, strings.Join(rules, " "), tc.want, "%+v", got)
		})
	}
}

func TestPolicyRefusesBrokenText(t *testing.T) {
	t.Parallel()
	_, err := Check("a.test.js", nil, []byte("it('x', () => {"), nil)
	assert.ErrorContains(t, err, "policy: parse a.test.js: syntax error")
}

// TestPolicyOnSamples: the samples' own tests parse and are judged.
func TestPolicyOnSamples(t *testing.T) {
	t.Parallel()
	for _, sample := range fixture.Samples(t) {
		_, err := Check(sample.Name, nil, sample.Text, nil)
		assert.NilError(t, err)
	}
}
