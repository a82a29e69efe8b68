package script

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/recipe"
	"github.com/org/qa-action/internal/shell"
)

// Makefiles and justfiles are followed as far as a reader can be sure of them;
// beyond, the call of make or just is one leaf as a whole.

func followMake(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	var targets []string
	given := map[string]string{}
	dir, file := k.pl.Dir, ""
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		w := rest[0].Text
		name, value, set := strings.Cut(w, "=")
		switch {
		case name == "--directory" && set:
			dir = path.Join(dir, value)
		case (w == "-C" || w == "--directory" || w == "-f") && len(rest) > 1:
			if rest = rest[1:]; w != "-f" {
				dir = path.Join(dir, rest[0].Text)
			} else {
				file = rest[0].Text
			}
		case w == "-j" && len(rest) > 1 && strings.Trim(rest[1].Text, "0123456789") == "":
			rest = rest[1:]
		case strings.HasPrefix(w, "-"):
		case set:
			given[name] = value
		default:
			targets = append(targets, w)
		}
	}
	var data []byte
	for _, name := range []string{file, "GNUmakefile", "makefile", "Makefile"} {
		if data != nil || name == "" || file != "" && name != file {
			continue
		}
		if read, ok := k.r.file(path.Join(dir, name)); ok {
			data = read
		}
	}
	all := recipe.Makefile(data, k.pl.env)
	at := k.pl
	at.Dir, at.Source, at.env = dir, "Makefile", slices.Clip(at.env)
	for _, n := range slices.Sorted(maps.Keys(given)) { // they go to the environment, too
		all.Vars[n] = given[n]
		at.env = append(at.env, n+"="+given[n])
	}
	if len(targets) == 0 {
		targets = []string{all.First}
	}
	sub := k.r.sub()
	expand := func(line, target string) (string, bool) {
		for _, m := range recipe.Variable.FindAllStringSubmatch(line, -1) {
			if _, set := all.Vars[m[1]]; !set && all.Open {
				return line, false // another file may set it
			}
		}
		return recipe.Made(line, target, all.Vars)
	}
	ok := !all.Whole && exported(all, &at, given, expand)
	for _, t := range targets {
		if !ok || !sub.recipe("make", t, all, at, expand) {
			return k.outcome(words, named(t, k.pl.Kind))
		}
	}
	return k.takeOver(sub, words)
}

// exported adds to the surroundings what goes to the environment; false when it
// cannot be told.
func exported(b recipe.Book, at *Spot, given map[string]string, expand func(line, target string) (string, bool)) bool {
	for _, n := range b.Exports {
		raw, set := b.Vars[n]
		if _, ok := given[n]; ok || !set {
			continue
		}
		value, ok := expand(raw, "")
		if !ok {
			return false
		}
		at.env = append(at.env, n+"="+value)
	}
	return true
}

// takeOver takes the leaves of a tool that was followed to its end; a service
// among them, or too many, makes the call one leaf.
func (k *commandReader) takeOver(sub *Reader, words []shell.Word) ([]shell.Word, bool) {
	served := slices.ContainsFunc(sub.Out, func(l Leaf) bool { return l.Class == Service })
	if served || len(sub.Out)+len(k.r.Out) > MaxLeaves {
		return k.outcome(words, k.pl.Kind)
	}
	k.r.Out, k.r.Notes = append(k.r.Out, sub.Out...), append(k.r.Notes, sub.Notes...)
	return nil, true
}

// has reports whether a file is there: what needs it needs no target.
func (f files) has(name string) bool {
	_, ok := f.file(name)
	return ok
}

// recipe follows a target: what it needs, then its lines, each in a shell of
// its own. It is false when the tool alone knows.
func (r *Reader) recipe(tool, name string, all recipe.Book, pl Spot, expand func(line, target string) (string, bool)) bool {
	key := pl.Dir + "\x00" + tool + " " + name
	t, ok := all.Targets[name]
	if *r.steps++; !ok || t.Whole || r.tired() {
		return false
	}
	if slices.Contains(pl.trail, key) || len(pl.trail) > maxTrail {
		return true // make drops a circle, too
	}
	pl = pl.enter(name)
	pl.at = t.At
	pl.trail = append(pl.trail, key)
	for _, n := range t.Needs {
		need, ok := expand(n, name)
		if !ok {
			return false
		}
		for _, n := range strings.Fields(need) {
			if _, ok := all.Targets[n]; ok && !r.recipe(tool, n, all, pl, expand) || !ok && all.Open && (tool != "make" || !r.has(path.Join(pl.Dir, n))) {
				return false
			}
		}
	}
	for _, line := range t.Lines {
		ignored := strings.Contains(line[:len(line)-len(strings.TrimLeft(line, "@-+ "))], "-")
		text, ok := expand(strings.TrimLeft(line, "@-+ "), name)
		if !ok {
			return false
		}
		before := len(r.Out)
		r.Text(all.Flags(text), pl, nil)
		for i := range r.Out[before:] {
			l := &r.Out[before+i]
			l.Line, l.Unheeded = all.Piped(l.Line, l.Class == Check && !l.Plain), l.Unheeded || ignored
			switch {
			case ignored && l.Class == Preparation: // its failure is none
				l.Line, l.Plain = l.Line+" || true", false
			case ignored && l.Class == Unknown: // so nothing else of it counts
				l.Class = Check
			}
		}
	}
	return true
}
