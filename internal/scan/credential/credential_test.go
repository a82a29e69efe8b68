package credential

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/logging"
	"pgregory.net/rapid"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestCredentialsAreThoseOfGitleaks holds our reading of its rules to the
// program they are from: on text made to fit each rule, in files of several
// names, and on files of this repository.
func TestCredentialsAreThoseOfGitleaks(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	logging.Logger = zerolog.Nop()
	library, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	ours, err := readRules()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	hold := func(path, text string) {
		t.Helper()
		if !strings.HasSuffix(text, "\n") {
			text += "\n" // where a last line has no end the library counts otherwise
		}
		var got, want []string
		for _, c := range ours.Find(path, text) {
			seen[c.Rule.ID] = true
			got = append(got, fmt.Sprintf("%s %d-%d:%d %q", c.Rule.ID, c.StartLine, c.EndLine, c.Column, c.Secret))
		}
		for _, f := range library.Detect(detect.Fragment{Raw: text, FilePath: path}) {
			if f.Secret != "" { // of a name only
				want = append(want, fmt.Sprintf("%s %d-%d:%d %q", f.RuleID, f.StartLine+1, f.EndLine+1, f.StartColumn, f.Secret))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("in %s: %q\n got %q\nwant %q", cmp.Or(path, "no file"), text, got, want)
		}
	}
	paths := []string{"src/app.ts", "", "go.sum", "deploy/values.yaml", "nuget.config", "main.tf", "vendor/modules.txt"}
	for i, r := range ours.Rules {
		if r.Regex.compiled == nil {
			continue
		}
		examples := rapid.StringMatching(r.Regex.compiled().String())
		for n := range 3 {
			like := examples.Example(n)
			word := ""
			if len(r.Keywords) > 0 {
				word = r.Keywords[n%len(r.Keywords)]
			}
			for _, text := range []string{"\n" + like + "\n", word + " = \"" + like + "\";\nnext\n", "// " + word + "\n" + like + " # gitleaks:allow\n" + like + "\n"} {
				hold(paths[(i+n)%len(paths)], text)
				hold(paths[0], text)
			}
		}
	}
	if len(seen) < len(ours.Rules)*9/10 {
		t.Errorf("only %d of %d rules ever found something", len(seen), len(ours.Rules))
	}
	for _, dir := range []string{"..", filepath.Join("..", "..", "..", "testdata", "scan"), filepath.Join("..", "..", "..", "testdata", "eval", "lib")} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(name)
			if len(raw) < 200_000 {
				hold(filepath.ToSlash(name), string(raw))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheLastLineIsALineOfItsOwn: where it has no end, a mark far above does not
// hide what is in it, and a key that ends there has all its lines.
func TestTheLastLineIsALineOfItsOwn(t *testing.T) {
	t.Parallel()
	ours, err := readRules()
	if err != nil {
		t.Fatal(err)
	}
	token := "ghp_" + "x7Kd92LmQpZ4vR8sTnW1yB6cFhJ3gUaE5oXi"
	if got := ours.Find("a.ts", "// gitleaks:allow\nconst a = 1\nconst token = '"+token+"'"); len(got) != 1 || got[0].StartLine != 3 {
		t.Errorf("found %v", got)
	}
	if got := ours.Find("a.ts", "const a = 1\nconst token = '"+token+"' // gitleaks:allow"); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA7bq3x9Zk2LrT8sVw4NfYhU6cPdJm1oGe\n", 3) + "-----END RSA PRIVATE KEY-----"
	if got := ours.Find("a.pem", "first\n"+key); len(got) != 1 || got[0].StartLine != 2 || got[0].EndLine != 6 {
		t.Errorf("found %v", got)
	}
}

// Expressions are compiled when they are first used, which a scan may come to or not.
func TestAllExpressionsCompile(t *testing.T) {
	t.Parallel()
	all, err := Detector()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	compile := func(list ...expression) {
		for _, e := range list {
			if e.compiled != nil && e.compiled() != nil {
				n++
			}
		}
	}
	lists := []*allowlist{all.Allowlist}
	for _, r := range all.Rules {
		compile(r.Regex, r.Path)
		lists = append(lists, r.Allowlists...)
	}
	for _, a := range lists {
		compile(a.Paths...)
		compile(a.Regexes...)
	}
	if n < 200 {
		t.Errorf("only %d expressions", n)
	}
}
