package script

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/recipe"
	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/shell"
)

func followJust(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	data, ok := []byte(nil), false
	for _, name := range []string{"justfile", "Justfile", ".justfile"} {
		if !ok {
			data, ok = k.r.file(path.Join(k.pl.Dir, name))
		}
	}
	j := recipe.Justfile(data)
	j.Open = true // what is not there is in another file
	targets := shell.Texts(skipOptions(words[1:], nil))
	if len(targets) == 0 {
		targets = []string{j.First}
	}
	at := k.pl
	at.Source, at.env = "justfile", slices.Clip(at.env)
	if file := j.Settings["dotenv-filename"]; file != "" {
		data, _ := k.r.file(path.Join(at.Dir, file))
		for _, kv := range settings.Dotenv(data) {
			j.Whole = j.Whole || strings.Contains(kv, "$")
			if name, _, _ := strings.Cut(kv, "="); !slices.ContainsFunc(at.env, func(o string) bool { return strings.HasPrefix(o, name+"=") }) {
				at.env = append(at.env, kv)
			}
		}
	}
	ok = !j.Whole && exported(j.Book, &at, nil, func(text, _ string) (string, bool) { return text, true })
	at.Dir = path.Join(at.Dir, j.Settings["working-directory"])
	sub := k.r.sub()
	for i, t := range targets {
		if _, found := j.Targets[t]; !found && i > 0 {
			return k.outcome(words, k.pl.Kind) // an argument
		}
		if !ok || at.Dir == ".." || strings.HasPrefix(at.Dir, "../") || !sub.recipe("just", t, j.Book, at, j.Expand) {
			return k.outcome(words, named(t, k.pl.Kind))
		}
	}
	return k.takeOver(sub, words)
}
