package targets

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestByWorkflow: where nothing else tells of tests, base's own workflow does, of what
// an adapter knows; what it cannot read stays a question.
func TestByWorkflow(t *testing.T) {
	t.Parallel()
	root := fixture.Files(t, map[string]string{
		"shop/__init__.py": "", "shop/tests/__init__.py": "import unittest\n\n\ndef main():\n    unittest.TextTestRunner().run(unittest.TestSuite())\n",
		"shop/tests/_runner.py": "import shop.tests\n\nshop.tests.main()\n",
	})
	for line, want := range map[string]string{
		"python -m shop.tests._runner .":                   "unittest: python3 -m shop.tests._runner .",
		"python -m shop.tests.other":                       "",
		"own-runner --all":                                 "",
		"python -m shop.tests._runner .\nown-runner --all": "", // a part is not the whole
		"": "",
	} {
		c := &config.Config{Subject: config.Subject{WorkingDirectory: "."}, Suite: config.Suite{Framework: "auto"}}
		if line != "" {
			for part := range strings.SplitSeq(line, "\n") {
				c.Workflow = append(c.Workflow, config.WorkflowTest{Line: part, Source: "tests.yml:7"})
			}
		}
		found, err := Find(project.Machine{LookPath: func(p string) (string, error) { return "/usr/bin/" + p, nil }}, root, c)
		assert.NilError(t, err)
		got := ""
		for _, target := range found.Targets {
			d := target.Framework
			got += d.Framework + ": " + strings.Join(append(d.Program, d.Args...), " ")
			assert.Assert(t, strings.Contains(strings.Join(d.Evidence, "\n"), "tests.yml:7"), "%v", d.Evidence)
		}
		assert.Equal(t, got, want, line)
		assert.Equal(t, len(found.Rows) == 0, want != "", line)
		for i := range c.Workflow { // a variable may decide what is run
			c.Workflow[i].Less = true
		}
		found, err = Find(project.Machine{LookPath: func(p string) (string, error) { return "/usr/bin/" + p, nil }}, root, c)
		assert.NilError(t, err)
		assert.Equal(t, len(found.Targets), 0, line)
	}
}

// TestWorkflowRunsIntegrationTests: Maven runs them in a phase that its own name for tests
// does not reach.
func TestWorkflowRunsIntegrationTests(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{"mvn -B verify": true, "./mvnw clean install": true, "mvn clean verify": true, "mvn test": false, "*mvn verify": false, "mvn verify -DskipTests": false, "mvn -B -P ci clean verify": true} {
		for _, file := range []string{"a/src/test/java/com/example/StoreIT.java", "a/src/test/java/com/example/StoreTest.java"} {
			conf := &config.Config{Subject: config.Subject{WorkingDirectory: "."}, Suite: config.Suite{Framework: "auto"}}
			text, needs := strings.CutPrefix(line, "*")
			conf.Workflow = []config.WorkflowTest{{Line: text, Bare: text, Source: "ci.yml:9", Needs: needs}}
			root := fixture.Files(t, map[string]string{"pom.xml": "<project><modules><module>a</module></modules></project>", "a/pom.xml": "<project/>", "mvnw": "", file: ""})
			found, err := Find(project.Machine{LookPath: func(p string) (string, error) { return "/usr/bin/" + p, nil }}, root, conf)
			assert.NilError(t, err)
			assert.Equal(t, len(found.Targets), 1)
			integration := strings.HasSuffix(file, "IT.java")
			assert.Equal(t, found.Targets[0].Framework.Has("verify"), want && integration, "%s %s", line, file)
			assert.Equal(t, strings.Contains(fmt.Sprint(found.Also), "integration tests may need"), needs && integration, "%v", found.Also)
		}
	}
}

// TestWorkflowLooksAtMore: what a workflow has Go look at beyond its configuration is
// looked at here, what it leaves out is not left out, and a script is its own word.
func TestWorkflowLooksAtMore(t *testing.T) {
	t.Parallel()
	module := map[string]string{"go.mod": "module x\n\ngo 1.22\n", "a_test.go": "package x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n"}
	for name, c := range map[string]struct {
		lines  string // those that begin with * are of a job with services
		lookup string // programs that there are
		want   string
		noted  string
	}{
		"nothing":                    {"", "go gcc", "", ""},
		"the race detector":          {"go test -race ./...", "go gcc", "-race", ""},
		"behind make":                {"make check", "go make cc", "-race -tags a,b", ""},
		"a tag":                      {"go test -tags integration ./...", "go", "-tags integration", ""},
		"two commands":               {"go test ./...\ngo test -v -race -tags=x ./...", "go clang", "-race -tags=x", ""},
		"less":                       {"go test -short -run A -skip B -count=2 ./...", "go gcc", "", ""},
		"twice":                      {"go test -count=2 -cpu 1,2 ./...", "go gcc", "-count=2 -cpu 1,2", ""},
		"once":                       {"go test -count=1 ./...", "go gcc", "", ""},
		"a part":                     {"go test -race ./a/...", "go gcc", "", ""},
		"not meant":                  {"go test -race=false ./...", "go gcc", "", ""},
		"no compiler of C":           {"go test -race ./...", "go", "", "needs a compiler of C"},
		"built only without":         {"go test -race -tags=x ./...", "go gcc", "-tags=x", "slow_test.go is built only without the race detector"},
		"services":                   {"*go test -race -tags=db ./...", "go gcc", "-race", "its job has services or"},
		"another tag":                {"go test -tags=a ./...\ngo test -tags=b ./...", "go", "-tags=a", "other build tags"},
		"a program of the workspace": {"./own", "go gcc", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(module)
			files["Makefile"] = "check:\n\tgo test -race -tags a,b ./...\n"
			if strings.Contains(c.noted, "slow_test.go") {
				files["examples/slow_test.go"] = "// Of a test that is slow.\n\n//go:build !race\n\npackage examples\n"
			}
			conf := &config.Config{Subject: config.Subject{WorkingDirectory: "."}, Suite: config.Suite{Framework: "auto"}}
			for line := range strings.Lines(c.lines) {
				line, needs := strings.CutPrefix(strings.TrimSpace(line), "*")
				conf.Workflow = append(conf.Workflow, config.WorkflowTest{Line: line, Bare: line, Source: "ci.yml:9", Needs: needs})
			}
			machine := project.Machine{LookPath: func(p string) (string, error) {
				if slices.Contains(strings.Fields(c.lookup), p) {
					return "/usr/bin/" + p, nil
				}
				return "", os.ErrNotExist
			}}
			found, err := Find(machine, fixture.Files(t, files), conf)
			assert.NilError(t, err)
			assert.Equal(t, len(found.Targets), 1)
			d := found.Targets[0].Framework
			slices.Sort(d.Args)
			want := strings.Fields(c.want)
			slices.Sort(want)
			assert.Equal(t, strings.Join(d.Args, " "), strings.Join(want, " "))
			assert.DeepEqual(t, d.Packages, []string{"./..."})
			if c.want != "" {
				assert.Assert(t, strings.Contains(strings.Join(d.Evidence, "\n"), "ci.yml:9"), "%v", d.Evidence)
			}
			assert.Assert(t, strings.Contains(fmt.Sprint(found.Also), c.noted), "%v", found.Also)
			if c.want != "" && c.noted == "" {
				assert.Equal(t, len(found.Also), 0, "%v", found.Also)
			}
		})
	}
}

// TestWorkflowBuildsWithFeatures: other features are other code, of which nothing runs
// without them.
func TestWorkflowBuildsWithFeatures(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"":                                     "cargo test",
		"cargo test --features ''":             "cargo test",
		"cargo test --features a":              "cargo test|cargo test --features=a",
		"cargo test -F a\ncargo test -F=a":     "cargo test|cargo test --features=a",
		"#cargo test --features a":             "cargo test|cargo test --features=a",
		"A=1 cargo test --all-features":        "cargo test|cargo test --all-features",
		"#cargo test --features  a":            "cargo test: a script says",
		"*cargo test --features a":             "cargo test: its job has services",
		"cargo test --features a -- --ignored": "cargo test: beside its features it has --",
		"cargo test -F a\ncargo test -F b\ncargo test -F c\ncargo test -F d\ncargo test -F e": "cargo test|cargo test --features=a|cargo test --features=b|cargo test --features=c|cargo test --features=d: more such commands",
	} {
		conf := &config.Config{Subject: config.Subject{WorkingDirectory: "."}, Suite: config.Suite{Framework: "auto"}}
		for line := range strings.Lines(lines) {
			line, needs := strings.CutPrefix(strings.TrimSpace(line), "*")
			line, row := strings.CutPrefix(line, "#")
			conf.Workflow = append(conf.Workflow, config.WorkflowTest{Line: line, Bare: strings.TrimPrefix(line, "A=1 "), Source: "ci.yml:9", Needs: needs, Row: row})
		}
		files := map[string]string{"Cargo.toml": "[package]\nname = \"x\"\n", "src/lib.rs": ""}
		if strings.Contains(want, "a script") {
			files["package.json"] = `{"scripts": {"test": "cargo test"}}`
		}
		root := fixture.Files(t, files)
		found, err := Find(project.Machine{LookPath: func(p string) (string, error) { return "/usr/bin/" + p, nil }}, root, conf)
		assert.NilError(t, err)
		var got []string
		for _, target := range found.Targets {
			got = append(got, strings.Join(append([]string{"cargo", "test"}, target.Framework.Args...), " "))
			assert.Equal(t, len(target.Framework.Env), 0)
		}
		runs, noted, _ := strings.Cut(want, ": ")
		assert.Equal(t, strings.Join(got, "|"), runs, lines)
		assert.Equal(t, len(found.Also) > 0, noted != "", "%s: %v", lines, found.Also)
		assert.Assert(t, strings.Contains(fmt.Sprint(found.Also), noted), "%s: %v", lines, found.Also)
		assert.Equal(t, len(found.Builds(found.Targets[0])) > 0, noted != "", lines)
	}
}
