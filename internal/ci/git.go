package ci

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// gitHarmless are the settings of git that name who commits or how files are written:
// tests that make repositories need them. Others start programs, or lead elsewhere.
var gitHarmless = pattern.New(`(?i)^(?:user\.(?:name|email|usedefault|useconfigonly)|init\.defaultbranch|core\.(?:autocrlf|eol|filemode|longpaths|quotepath|symlinks)|(?:commit|tag)\.gpgsign|protocol\.file\.allow|safe\.directory|advice\.\w+|pull\.(?:rebase|ff)|push\.default)$`)

// Git is what the job sets for git ahead of its tests, for all repositories of its user.
func (j Job) Git() []Variable {
	var out []Variable
	for _, c := range j.Before(Other) {
		if !c.Certain || path.Base(c.Argv[0]) != "git" || len(c.Argv) < 5 || c.Argv[1] != "config" {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(c.Argv[2:]), func(a string) bool { return a == "--global" || a == "set" || a == "--add" })
		if len(rest) == 2 && slices.Contains(c.Argv, "--global") && gitHarmless.MatchString(rest[0]) && !strings.ContainsAny(rest[1], "\n\x00") {
			out = append(out, Variable{rest[0], rest[1], c.Source})
		}
	}
	return out
}
