package script

import (
	"path"
	"slices"

	"github.com/org/qa-action/internal/framework/script/recipe"
	"github.com/org/qa-action/internal/shell"
)

// runNamed looks behind "pdm run" and its like: a script that the project gives a
// name is followed, anything else is the program that runs.
func runNamed(k *commandReader, tool string, words, rest []shell.Word) (next []shell.Word, done bool) {
	if len(rest) == 0 {
		return rest, false
	}
	file := "pyproject.toml"
	if tool == "pipenv" {
		file = "Pipfile"
	}
	data, _ := k.r.file(path.Join(k.pl.Dir, file))
	lines, known, named := recipe.Script(data, tool, rest[0].Text)
	if !named {
		return rest, false
	}
	key := k.pl.Dir + "\x00" + tool + " " + rest[0].Text
	if !known || !k.known || slices.Contains(k.pl.trail, key) {
		return k.outcome(words, k.pl.Kind) // the tool itself runs it
	}
	at := k.pl.enter(rest[0].Text)
	at.trail, at.Source = append(at.trail, key), file
	for i, line := range lines {
		var extra []shell.Word
		if i == len(lines)-1 {
			extra = rest[1:]
		}
		k.r.Text(line, at, extra)
	}
	return nil, true
}
