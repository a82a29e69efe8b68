package script

import (
	"path"
	"strings"

	"github.com/org/qa-action/internal/framework/script/recipe"
	"github.com/org/qa-action/internal/shell"
)

// books are tools whose files name tasks, with what reads them.
var books = map[string]struct {
	files []string
	read  func(data []byte) recipe.Book
}{
	"task": {[]string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"}, recipe.Taskfile},
	"poe":  {[]string{"pyproject.toml"}, recipe.Poe},
}

func followBook(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	tool := path.Base(words[0].Text)
	for _, name := range books[tool].files {
		data, ok := k.r.file(path.Join(k.pl.Dir, name))
		if !ok {
			continue
		}
		all, at, sub := books[tool].read(data), k.pl, k.r.sub()
		targets := shell.Texts(words[1:])
		if len(targets) == 0 {
			targets = []string{all.First}
		}
		at.Source = name
		expand := func(line, _ string) (string, bool) {
			line = strings.ReplaceAll(line, "{{.CLI_ARGS}}", "") // none are given
			return line, !strings.Contains(line, "{{")
		}
		if len(targets) == 1 && !all.Whole && sub.recipe(tool, targets[0], all, at, expand) {
			return k.takeOver(sub, words)
		}
		break
	}
	return k.outcome(words, k.pl.Kind)
}
