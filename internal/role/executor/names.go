package executor

import (
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// settleNames gives tests the names by which they are compared and shown. Some
// projects put the working directory, a port or an identifier into a title:
// head and base run in two directories, so that such a test would be removed
// and added in every change. Two tests that only those parts tell apart keep
// their whole names. What the runner said is kept beside it, because that is
// what selects the test.
func settleNames(tree Tree, cases []qa.Case) {
	names := make([]qa.RawName, len(cases))
	used := map[string]int{}
	for i, c := range cases {
		names[i] = qa.RawName{Suite: qa.Stable(local(tree, c.Suite)), Name: qa.Stable(local(tree, c.Name))}
		used[named(c, names[i]).ID()]++
	}
	for i := range cases {
		c := &cases[i]
		if used[named(*c, names[i]).ID()] > 1 {
			names[i] = qa.RawName{Suite: local(tree, c.Suite), Name: local(tree, c.Name)}
		}
		if names[i] == (qa.RawName{Suite: c.Suite, Name: c.Name}) {
			continue
		}
		c.Raw = &qa.RawName{Suite: c.Suite, Name: c.Name}
		c.Suite, c.Name = names[i].Suite, names[i].Name
	}
}

func named(c qa.Case, n qa.RawName) qa.Case {
	c.Suite, c.Name = n.Suite, n.Name
	return c
}

// local takes the place of the copy out of a text: what lies in it is written
// from the root, what lies beside it is temporary.
func local(tree Tree, text string) string {
	root := filepath.ToSlash(tree.Dir())
	if len(root) < 2 || !strings.Contains(text, filepath.ToSlash(filepath.Dir(root))) {
		return text
	}
	text = strings.ReplaceAll(text, "file://"+root, ".")
	text = strings.ReplaceAll(text, root, ".")
	if beside := filepath.ToSlash(filepath.Dir(root)); strings.Count(beside, "/") > 1 {
		text = strings.ReplaceAll(text, beside+"/", "/tmp/")
	}
	return text
}
