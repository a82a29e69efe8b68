package language

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	known := map[string]string{}
	for _, l := range All() {
		if l.Name == "" || l.Title == "" || len(l.Extensions) == 0 || Named(l.Name) != l {
			t.Errorf("language %q is not complete, or not alone with its name", l.Name)
		}
		for _, of := range slices.Concat(l.Extensions, l.Unread, l.Files) {
			if known[of] != "" || of != strings.ToLower(of) {
				t.Errorf("%s is of %s and %s, or not in small letters", of, l.Name, known[of])
			}
			known[of] = l.Name
		}
		if l.Grammar != "" && (l.Policy == nil || l.Tests.Checks == nil || l.Text.Opaque == nil || l.Tests.Names == nil) {
			t.Errorf("%s has a grammar and not all that its tests are judged by", l.Name)
		}
		for _, s := range l.Smells {
			if s.Rule == "" || s.Review == "" != (s.Cure == "") || s.Why == "" && s.Review == "" || s.Call == nil && s.Line == nil {
				t.Errorf("%s: smell %+v is not complete", l.Name, s)
			}
		}
		for _, h := range l.Tools.Homes {
			if h.Own == "" || len(h.Lay) == 0 || h.Variable == "" && len(h.Set) == 0 {
				t.Errorf("%s: home %+v is not complete", l.Name, h)
			}
		}
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"a/b.go": "go", "x.TSX": "typescript", "a.pyx": "python", "Rakefile": "ruby", "Makefile": "", "a": "", ".go": "go", "src/lib.rs": "rust"} {
		if got := Of(file).Name; got != want {
			t.Errorf("%s is of %q, want %q", file, got, want)
		}
	}
	for head, want := range map[string]string{"#!/usr/bin/env python3\n": "python", "#!/bin/bash -e\n": "shell", "#! /usr/bin/env -S node --x\n": "javascript", "#!/bin/unheard\n": "", "echo\n": ""} {
		if got := OfScript("bin/tool", []byte(head)).Name; got != want {
			t.Errorf("%q is %q, want %q", head, got, want)
		}
	}
}

func TestInlineTests(t *testing.T) {
	t.Parallel()
	src := "fn a() {\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {\n    }\n}\nfn c() {}\n#[cfg(test)]\nmod more;\nfn d() {\n    #[tokio::test]\n    fn e() {\n    }\n}\n"
	if got := fmt.Sprint(Named("rust").InlineTests(src)); got != "[[4 9] [11 12] [14 16]]" {
		t.Errorf("got %s", got)
	}
	if got := Named("go").InlineTests(src); got != nil {
		t.Errorf("of Go: %v", got)
	}
}

// lost is what a language without a grammar does not have, as the page says it.
const lost = "outline, mutants, callers, generated tests, test smells"

func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/languages.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Language{&golang, &javaScript, &typeScript, &python, &rust, &java} {
		grammar, without := "yes", "–"
		if l.Grammar == "" {
			grammar, without = "no", lost
		}
		inline := "files of their own"
		if l.Tests.Inline {
			inline = "inside sources too"
		}
		row := fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |", l.Name, strings.Join(l.Extensions, " "), strings.Join(l.Project.Manifests, ", "), inline, grammar, without)
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/languages.md has no row\n%s", row)
		}
	}
	var names []string
	for i := range others {
		names = append(names, others[i].Title)
	}
	if list := strings.Join(names, ", "); !strings.Contains(string(page), list) {
		t.Errorf("docs/languages.md does not list\n%s", list)
	}
}
