package edit

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"
)

// readNew reads the "add" part of a case.
func readNew(text string) Addition {
	head, code, _ := strings.Cut(text, "---\n")
	add := Addition{Code: code}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		if in, ok := strings.CutPrefix(line, "In: "); ok {
			add.In = in
		} else if pkg, ok := strings.CutPrefix(line, "Package: "); ok {
			add.Package = pkg
		} else if line != "" {
			add.Imports = append(add.Imports, line)
		}
	}
	return add
}

func TestPlace(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(filepath.Join("testdata", "*", "place.txtar"))
	assert.NilError(t, err)
	assert.Equal(t, len(archives), 5)
	for _, name := range archives {
		language := filepath.Base(filepath.Dir(name))
		file := map[string]string{"go": "x_test.go", "javascript": "x.test.js", "python": "test_x.py", "rust": "tests/x.rs", "java": "src/test/java/shop/XTest.java"}[language]
		archive, err := txtar.ParseFile(name)
		assert.NilError(t, err)
		cases := map[string]map[string]string{}
		for _, f := range archive.Files {
			c, part := filepath.Split(f.Name)
			if cases[c] == nil {
				cases[c] = map[string]string{}
			}
			cases[c][strings.SplitN(part, ".", 2)[0]] = string(f.Data)
		}
		for c, parts := range cases {
			t.Run(language+"/"+c, func(t *testing.T) {
				t.Parallel()
				var existing []byte
				if text := parts["case"] + parts["case_test"]; text != "" {
					existing = []byte(text)
				}
				got, err := Place(existing, file, readNew(parts["add"]))
				assert.NilError(t, err)
				assert.Equal(t, string(got), parts["want"])
			})
		}
	}
}

func TestPlaceRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		path, existing string
		add            Addition
		want           string
	}{
		"no test":         {"a.test.js", "", Addition{Code: "f();"}, "has no test function"},
		"broken code":     {"a.test.js", "", Addition{Code: "it('x', () => {"}, "the new code: parse a.test.js: syntax error"},
		"broken file":     {"test_a.py", "def f(:\n", Addition{Code: "def test_a():\n    pass\n"}, "syntax error"},
		"not an import":   {"a.test.js", "", Addition{Imports: []string{"alert(1)"}, Code: "it('x', () => {});"}, `"alert(1)" is no import`},
		"python import":   {"test_a.py", "", Addition{Imports: []string{"import a; a.b()"}, Code: "def test_a(): pass"}, "is no import"},
		"name taken":      {"a.test.js", "import { f } from './f';\n", Addition{Imports: []string{"import { f } from './g'"}, Code: "it('x', () => {});"}, `the file has the name f from "./f"`},
		"helper differs":  {"a.test.js", "const h = 1;\n", Addition{Code: "const h = 2;\nit('x', () => {});"}, `declares "h", which line 1 of the file does too`},
		"one of two":      {"a.test.js", "const g = 1, h = 1;\n", Addition{Code: "const h = 2, g = 3;\nit('x', () => {});"}, `declares "g", which line 1`},
		"go helper":       {"a_test.go", "package a\n\nfunc h() {}\n", Addition{Code: "func h() { h() }\nfunc TestA(t *testing.T) {}"}, `declares "h"`},
		"package missing": {"a_test.go", "", Addition{Code: "func TestA(t *testing.T) {}"}, "needs the name of its package"},
		"package differs": {"a_test.go", "package a\n", Addition{Package: "a_test", Code: "func TestA(t *testing.T) {}"}, "the file is of package a, the new code of a_test"},
		"block in go":     {"a_test.go", "package a\n", Addition{In: "x", Code: "func TestA(t *testing.T) {}"}, "no blocks"},
		"language":        {"a.rb", "", Addition{}, "no parser"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var existing []byte
			if tc.existing != "" {
				existing = []byte(tc.existing)
			}
			_, err := Place(existing, tc.path, tc.add)
			assert.ErrorContains(t, err, tc.want)
		})
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, src, gone, want string }{
		"js": {
			"a.test.js", "import { f } from './f';\n\n// about a\nit('a', () => { f(); });\n\nit('b', () => { f(2); });\n", "a",
			"import { f } from './f';\n\nit('b', () => { f(2); });\n",
		},
		"js block": {
			"a.test.ts", "describe('x', () => {\n  describe('y', () => {\n    it('a', () => {});\n  });\n});\nit('b', () => {});\n", "x > y > a",
			"it('b', () => {});\n",
		},
		"python": {
			"test_a.py", "import m\n\n\n# about a\n@m.x\ndef test_a():\n    pass\n\n\ndef test_b():\n    pass\n", "test_a",
			"import m\n\n\ndef test_b():\n    pass\n",
		},
		"python class": {
			"test_a.py", "class TestX:\n    def test_a(self):\n        pass\n\n\ndef test_b():\n    pass\n", "TestX.test_a",
			"def test_b():\n    pass\n",
		},
		"go": {
			"a_test.go", "package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n// TestA is first.\nfunc TestA(t *testing.T) { os.Getpid() }\n\nfunc TestB(t *testing.T) {}\n", "TestA",
			"package a\n\nimport (\n\t\"testing\"\n)\n\nfunc TestB(t *testing.T) {}\n",
		},
		"the last two": {
			"test_a.py", "class TestX:\n    def test_a(self):\n        pass\n\n    def test_b(self):\n        pass\n\n    def test_c(self):\n        pass\n", "TestX.test_b, TestX.test_c",
			"class TestX:\n    def test_a(self):\n        pass\n",
		},
		"the last two, the other way round": {
			"a.test.js", "it('a', () => {});\n\nit('b', () => {});\n\nit('c', () => {});\n", "c, b",
			"it('a', () => {});\n",
		},
		"all but the first and the last": {
			"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n\nfunc TestB(t *testing.T) {}\n\nfunc TestC(t *testing.T) {}\n\nfunc TestD(t *testing.T) {}\n", "TestB, TestC",
			"package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n\nfunc TestD(t *testing.T) {}\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			names := strings.Split(tc.gone, ", ")
			got, err := Remove(tc.path, []byte(tc.src), names)
			assert.NilError(t, err)
			assert.Equal(t, string(got), tc.want)
			_, err = Remove(tc.path, got, names)
			assert.ErrorContains(t, err, "no test \""+names[0]+"\"")
		})
	}
}
