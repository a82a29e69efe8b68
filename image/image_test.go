// Package image holds the tests of the action's image: that its parts are
// pinned, and, when an image was built, that an action in it does what the
// program does outside of it. docs/image.md says how to build one and run these.
package image

import (
	"encoding/csv"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	programs "github.com/org/qa-action/internal/scan/engine"
)

type pin struct{ name, version, arch, url, sum string }

func pins(t *testing.T) []pin {
	t.Helper()
	f, err := os.Open("programs.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []pin
	for _, r := range rows[1:] {
		out = append(out, pin{r[0], r[1], r[2], r[3], r[4]})
	}
	return out
}

var sum = regexp.MustCompile(`^([0-9a-f]{64}|[0-9a-f]{128})$`)

// TestPinned wants every download over TLS, with its sum and with the version
// in its address, once for each machine the image is made for.
func TestPinned(t *testing.T) {
	t.Parallel()
	arches := map[string]string{}
	for _, p := range pins(t) {
		if !sum.MatchString(p.sum) {
			t.Errorf("%s for %s: %q is no sum", p.name, p.arch, p.sum)
		}
		if u, err := url.Parse(p.url); err != nil || u.Scheme != "https" || !strings.Contains(u.Path, p.version) {
			t.Errorf("%s for %s: %s does not name version %s, or not over TLS", p.name, p.arch, p.url, p.version)
		}
		arches[p.name] += p.arch + " "
	}
	for name, got := range arches {
		if got != "any " && got != "amd64 arm64 " {
			t.Errorf("%s is there for %q, want any, or amd64 and arm64", name, got)
		}
	}
}

// TestEnginesAreInTheImage wants the engines' programs at the versions that
// package scan is tested with, and the Go toolchain that compiles the program.
func TestEnginesAreInTheImage(t *testing.T) {
	t.Parallel()
	versions := map[string]string{}
	for _, p := range pins(t) {
		versions[p.name] = p.version
	}
	for _, tool := range programs.Tools() {
		if strings.HasPrefix(tool.Install, "go install ") {
			continue // the Dockerfile carries out these lines themselves
		}
		if got := versions[tool.Name]; got != tool.Version {
			t.Errorf("%s: the image has %q, package scan wants %s", tool.Name, got, tool.Version)
		}
	}
	if versions["oxlint"] != versions["oxlint-binding"] {
		t.Error("oxlint and its compiled part differ in version")
	}
	mod, err := os.ReadFile(filepath.Join("..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))
	if language == nil || !strings.HasPrefix(versions["go"]+".", language[1]+".") {
		t.Errorf("the image has Go %s, go.mod asks for %v", versions["go"], language)
	}
}

var embeds = regexp.MustCompile(`(?m)^//go:embed ([\w./*-]+)$`)

// TestContext wants every file that the program is compiled with in what the image
// is built from.
func TestContext(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	left := func(file string) (out bool) {
		for line := range strings.Lines(string(raw)) {
			rule, back := strings.CutPrefix(strings.TrimSpace(line), "!")
			word, anywhere := strings.CutPrefix(rule, "**/")
			if rule == "*" || file == rule || strings.HasPrefix(file, rule+"/") || anywhere && strings.Contains("/"+file+"/", "/"+word+"/") {
				out = !back
			}
		}
		return out
	}
	found := 0
	err = filepath.WalkDir(filepath.Join("..", "internal"), func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, m := range embeds.FindAllSubmatch(text, -1) {
			found++
			if name := path.Join(strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../"), string(m[1])); left(name) {
				t.Errorf("%s is compiled in, and .dockerignore leaves it out", name)
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d embedded, %v", found, err)
	}
}
