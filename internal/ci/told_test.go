package ci

import (
	"testing"
	"testing/fstest"

	"github.com/org/qa-action/internal/wording"
)

func TestTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, want, source string }{
		"a block":         {"CONTRIBUTING.md", "# Tests\n\nRun:\n\n```sh\nnpm install\nnpm test\n```\n", "npm test", "CONTRIBUTING.md:7"},
		"a prompt":        {"CONTRIBUTING.rst", "Tests::\n\n    $ pip install -e .\n    $ make check\n", "make check", "CONTRIBUTING.rst:4"},
		"in a folder":     {".github/CONTRIBUTING.md", "~~~console\n$ tox -e py\n~~~\r\n", "tox -e py", "CONTRIBUTING.md:2"},
		"prose":           {"CONTRIBUTING.md", "make test runs the tests; npm test does not\n", "", ""},
		"another tongue":  {"CONTRIBUTING.md", "```python\npytest\n```\n", "", ""},
		"behind a block":  {"CONTRIBUTING.md", "```\ngit clone x\n```\nmake test\n", "", ""},
		"no end":          {"CONTRIBUTING.md", "```\n'make test\n", "", ""},
		"too large":       {"CONTRIBUTING.md", "```\nmake test\n```\n" + string(make([]byte, maxFile)), "", ""},
		"a release first": {"CONTRIBUTING.md", "```\ntwine upload dist/*\npytest -q\n```\n", "pytest -q", "CONTRIBUTING.md:3"},
		"no guide":        {"README.md", "```\nmake test\n```\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := Told(fstest.MapFS{c.file: {Data: []byte(c.text)}})
			if ok != (c.want != "") || ok && (wording.Command(got.Argv) != c.want || got.Source != c.source) {
				t.Errorf("%+v", got)
			}
		})
	}
}
