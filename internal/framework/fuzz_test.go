package framework

import (
	"path/filepath"
	"testing"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Manifests of a hostile repository must not make detection fail, panic or lead out
// of the tree, and what is found can be started.
func FuzzManifests(f *testing.F) {
	names := []string{"Cargo.toml", "pom.xml", "go.mod", "go.work", "requirements.txt", "tests/test_a.py", "hatch.toml", "nx.json", "pnpm-workspace.yaml", "Pipfile", "a/Cargo.toml", "a/pom.xml"}
	beside := map[string]string{
		"src/lib.rs": "#[cfg(test)]\nmod tests {\n#[test]\nfn a() {}\n}\n", "src/test/java/ATest.java": "class ATest { @Test void a() {} }\n",
		"a_test.go": "package a\nfunc TestA(t *testing.T) {}\n", "pyproject.toml": "[project]\nname = 'a'\n", "package.json": `{"scripts":{"test":"nx run a:test"}}`,
	}
	f.Add(uint8(0), "[package]\nname = \"a\"\n[workspace]\nmembers = [\"a\", \"../b\"]\n[[test]]\nname='x'\npath='../x.rs'\n")
	f.Add(uint8(1), "<project><modules><module>a</module><module>../b</module></modules><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId></plugin></plugins></build></project>")
	f.Add(uint8(2), "module example.com/a\ngo 1.24\nreplace example.com/b => ../b\n")
	f.Add(uint8(3), "go 1.24\nuse (\n ./a\n ../b\n)\n")
	f.Add(uint8(4), "pytest==8 ; python_version > '3'\n-r ../other.txt\n-e .\n")
	f.Add(uint8(5), "import unittest\nclass A(unittest.TestCase):\n  def test_a(self): pass\n")
	f.Add(uint8(6), "[envs.test]\ndependencies = ['pytest']\n[envs.test.scripts]\ntest = ['pytest {args}']\n")
	f.Add(uint8(7), `{"targetDefaults":{"test":{"executor":"@nx/jest:jest"}}}`)
	f.Add(uint8(8), "packages:\n  - '../*'\n  - a\n")
	f.Add(uint8(11), "<project><parent><relativePath>../../x</relativePath></parent></project>")
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		files := map[string]string{names[int(which)%len(names)]: text}
		for name, content := range beside {
			if _, given := files[name]; !given {
				files[name] = content
			}
		}
		found, err := Detect(fixture.Files(t, files), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found {
			if d.Dir != "" && !filepath.IsLocal(filepath.FromSlash(d.Dir)) {
				t.Errorf("%q is found outside of the tree: %s", text, d.Dir)
			}
			a, err := For(d.Framework)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := a.Invocation(d, adapter.Request{OutDir: "/out", Coverage: true}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
