package cli

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter"
)

// metadata is an action.yml.
type metadata struct {
	Inputs map[string]struct {
		Description string `yaml:"description"`
		Default     string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Description string `yaml:"description"`
		Value       string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using      string `yaml:"using"`
		Image      string `yaml:"image"`
		Entrypoint string `yaml:"entrypoint"`
		Steps      []struct {
			Env map[string]string `yaml:"env"`
		} `yaml:"steps"`
	} `yaml:"runs"`
	Branding map[string]string `yaml:"branding"`
}

func readAction(t *testing.T, name string) metadata {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	assert.NilError(t, err)
	var m metadata
	assert.NilError(t, yaml.Unmarshal(raw, &m))
	return m
}

// TestActionsHaveAllInputsAndOutputs keeps action.yml, host/action.yml and the
// code from drifting apart.
func TestActionsHaveAllInputsAndOutputs(t *testing.T) {
	t.Parallel()
	inputs := map[string]string{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[config.Inputs]()) {
		if f.Anonymous { // a group
			continue
		}
		text := f.Tag.Get("help")
		if oneof := f.Tag.Get("oneof"); oneof != "" {
			text += " One of " + strings.ReplaceAll(oneof, ",", ", ") + "."
		}
		if fallback := f.Tag.Get("fallback"); fallback != "" {
			text += " Default: " + config.Shown(fallback) + "."
		}
		inputs[config.Name(f)] = text
	}
	values, err := reporter.Outputs(&qa.Report{}, reporter.Options{})
	assert.NilError(t, err)
	outputs := append(slices.Collect(maps.Keys(values)), "matrix")
	slices.Sort(outputs)
	for name, own := range map[string][]string{"action.yml": {"command", "session", "shards", "job-container-id"}, "host/action.yml": {"command", "session", "shards"}} {
		m := readAction(t, name)
		// A default would always be set and so hide the config file.
		defaults := map[string]string{"github-token": "${{ github.token }}", "command": "run", "job-container-id": "${{ job.container.id }}"}
		got := map[string]string{}
		for input, v := range m.Inputs {
			assert.Equal(t, v.Default, defaults[input], "%s: default of %s", name, input)
			if !slices.Contains(own, input) {
				got[input] = v.Description
			} else {
				assert.Assert(t, v.Description != "", input)
			}
		}
		assert.Equal(t, cmp.Diff(inputs, got), "", name)
		assert.Equal(t, len(m.Inputs), len(inputs)+len(own), name)
		assert.Equal(t, cmp.Diff(outputs, slices.Sorted(maps.Keys(m.Outputs))), "", name)
		for output, v := range m.Outputs {
			assert.Assert(t, v.Description != "", "%s: %s", name, output)
		}
	}
}

func TestContainerAction(t *testing.T) {
	t.Parallel()
	m := readAction(t, "action.yml")
	assert.Equal(t, m.Runs.Using, "docker")
	assert.Assert(t, regexp.MustCompile(`^docker://ghcr\.io/org/qa-action:[0-9.]+(@sha256:[0-9a-f]{64})?$`).MatchString(m.Runs.Image), m.Runs.Image)
	assert.Equal(t, m.Runs.Entrypoint, "/usr/local/bin/qa")
	assert.Assert(t, m.Branding["icon"] != "" && m.Branding["color"] != "")
}

// TestHostActionHandsEverythingOn: a composite action's inputs do not become
// variables by themselves.
func TestHostActionHandsEverythingOn(t *testing.T) {
	t.Parallel()
	m := readAction(t, "host/action.yml")
	env := m.Runs.Steps[len(m.Runs.Steps)-1].Env
	for _, name := range config.Names() {
		assert.Assert(t, strings.Contains(env[config.EnvName(name)], "inputs."+name), "%s is not handed on", name)
	}
	for name, v := range m.Outputs {
		assert.Equal(t, v.Value, "${{ steps.qa.outputs."+name+" }}")
	}
}

// TestEveryExampleIsExplained: the table says for whom an example is, and names
// none that does not exist.
func TestEveryExampleIsExplained(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "docs", "examples")
	raw, err := os.ReadFile(filepath.Join(dir, "README.md"))
	assert.NilError(t, err)
	var named []string
	for _, m := range regexp.MustCompile(`\]\(([a-z-]+\.yml)\)`).FindAllStringSubmatch(string(raw), -1) {
		named = append(named, m[1])
	}
	slices.Sort(named)
	files, err := filepath.Glob(filepath.Join(dir, "*.yml"))
	assert.NilError(t, err)
	for i, f := range files {
		files[i] = filepath.Base(f)
	}
	assert.Equal(t, cmp.Diff(files, named), "")
}

// TestReleaseBuildsAsTheMakefileDoes: a program without the grammars' tags would
// be another one than the one that is tested, here and by a run on this repository.
func TestReleaseBuildsAsTheMakefileDoes(t *testing.T) {
	t.Parallel()
	release, err := os.ReadFile(filepath.Join("..", "..", ".github", "workflows", "release.yml"))
	assert.NilError(t, err)
	assert.Assert(t, strings.Contains(string(release), `make programs VERSION="$VERSION"`))
	assert.Assert(t, !strings.Contains(string(release), "go build"))
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	assert.NilError(t, err)
	builds := regexp.MustCompile(`\$\(GO\) build .*`).FindAllString(string(makefile), -1)
	assert.Assert(t, len(builds) >= 2, "%q", builds)
	for _, b := range builds {
		assert.Assert(t, strings.Contains(b, "-tags $(TAGS)"), b)
	}
	tags := regexp.MustCompile(`(?m)^TAGS\s*:=\s*(\S+)`).FindStringSubmatch(string(makefile))
	for _, name := range []string{"Dockerfile", ".github/qa.yml"} {
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		assert.NilError(t, err)
		assert.Assert(t, strings.Contains(string(data), "-tags "+tags[1]+" "), "%s has other tags than the programs are built with", name)
	}
}
