package script

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/recipe"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// make describes the command that program and the words behind it are.
func (k *commandReader) make(program string, rest []shell.Word) Leaf {
	l := k.pl.leaf()
	l.Program, l.Args, l.Through, l.Python = program, shell.Texts(rest), k.through, k.as
	l.Argv = append([]string{program}, l.Args...)
	for _, w := range rest {
		if w.Glob {
			l.Globs = append(l.Globs, w.Text)
		}
	}
	l.Plain = k.c.Plain && k.known && len(l.Globs) == 0
	return l
}

// written is the text of the command from a word on; words that stand nowhere
// in the script are quoted.
func (k *commandReader) written(words []shell.Word) string {
	if len(words) > 0 && words[0].At >= 0 && k.c.To <= len(k.pl.whole) && words[0].At < k.c.To {
		return strings.TrimSpace(k.pl.whole[words[0].At:k.c.To])
	}
	return wording.Command(shell.Texts(words))
}

// finish makes a leaf of words that begin with a program.
func (k *commandReader) finish(words []shell.Word) {
	name := programName(words[0].Text)
	l := k.make(words[0].Text, words[1:])
	l.Program, l.Line = name, k.written(words)
	if k.r.runners.of(name, "") == "" && binary.MatchString(words[0].Text) {
		l.Argv[0] = words[0].Text
	}
	l.Class, l.Framework = k.r.runners.classOf(name, l.Args)
	l = k.special(l)
	k.add(l)
}

const shellOptions = "SHELLOPTS" // as a shell calls those that are set

// plainExit is an exit that works nothing out: always the same, or as what ran before.
var plainExit = pattern.New(`^\s*exit(?:\s+(?:\d+|"?\$\?"?))?\s*$`)

// composed are the words with which docker compose ends as a container of it does.
var composed = pattern.New(`^(?:run|--exit-code-from(?:=.*)?|--abort-on-container-(?:exit|failure))$`)

// special classes need more than a table.
func (k *commandReader) special(l Leaf) Leaf {
	switch l.Program {
	case "tsc", "tsgo":
		l.Class = Preparation
		if k.onlyChecks(l) {
			l.Class = Check
		}
	case "vue-tsc":
		if slices.Contains(l.Args, "--build") || slices.Contains(l.Args, "--declaration") {
			l.Class = Preparation
		}
	case "pip", "pip3":
		if len(l.Args) > 0 && l.Args[0] == "check" {
			l.Class = Check
		}
	case "docker", "docker-compose":
		if l.Class == Preparation && slices.ContainsFunc(l.Args, composed.MatchString) {
			l.Class = "" // what it is for, the script's name tells
		}
	case "gotestsum":
		if i := slices.Index(l.Args, "--"); i >= 0 {
			l.Args = append([]string{"test"}, l.Args[i+1:]...)
		} else {
			l.Args = []string{"test", "./..."}
		}
	case "exit": // of which nobody knows here with what
		if !plainExit.MatchString(k.pl.whole[k.c.From:k.c.To]) {
			l.Class = Check
		}
	case "echo", "printf", "cat", "true":
		if k.c.Piped { // what it is piped into is the program
			l.Class = k.pl.Kind
		}
	}
	if l.Class == Suite && l.Framework == "vitest" && len(l.Args) > 0 && (l.Args[0] == "bench" || l.Args[0] == "list" || l.Args[0] == "init") {
		l.Class, l.Framework = Check, ""
	}
	if l.Class == Suite && slices.Contains([]string{"--version", "--help", "--clearCache", "--showConfig", "--init", "--collect-only", "--list", "--listTests"}, First(l.Args)) {
		l.Class, l.Framework = Nothing, ""
	}
	// Only a shell knows the arguments: so a shell runs it.
	if l.Class == Suite && !k.known {
		l.Class, l.Framework = Unknown, ""
	}
	return l
}

func First(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// add puts a leaf on the list.
func (k *commandReader) add(l Leaf) {
	if l.Line == "" {
		l.Line = k.written(append([]shell.Word{{Text: l.Program, At: k.programAt()}}, shell.WordsOf(l.Args)...))
	}
	if !k.known { // a shell sets the environment, too
		l.Env, l.Line = slices.Clone(k.env), strings.TrimSpace(k.pl.whole[k.c.From:k.c.To])
	}
	if k.pl.vars[shellOptions] != "" && k.c.Piped && l.Class != Suite {
		l.Line = recipe.PipeFail + l.Line
	}
	switch {
	case l.Class == Nothing:
		return
	case k.c.Joint == "||" && l.Class != Suite && l.Class != Unknown && l.Class != "":
		return // a consolation, not a part of the tests
	case l.Class == "":
		l.Class = byName(k.pl, l.Args)
	}
	if l.Class == "" {
		l.Class = Unknown
	}
	if k.c.Background && l.Class != Check && l.Class != Preparation && l.Class != Suite {
		l.Class = Service
	}
	if l.Class == Unknown && slices.ContainsFunc(l.Args, func(a string) bool { return browserPrograms[a] }) {
		l.Class = Browser
	}
	k.r.Out = append(k.r.Out, l)
}

// programAt finds where the interpreter of a leaf stands in the script.
func (k *commandReader) programAt() int {
	for _, w := range k.c.Words {
		if w.Text == "node" || w.Text == "nodejs" || w.Text == "tsx" {
			return w.At
		}
	}
	return -1
}

func programName(word string) string {
	if m := binary.FindStringSubmatch(word); m != nil {
		return path.Base(m[1])
	}
	return strings.TrimSuffix(path.Base(word), ".cmd")
}

var (
	noEmit = pattern.New(`"noEmit"\s*:\s*true`)
	emits  = pattern.New(`"noEmit"\s*:\s*false`)
	parent = pattern.New(`"extends"\s*:\s*"(\.[^"]*)"`)
)

// onlyChecks reports whether a run of tsc writes nothing.
func (k *commandReader) onlyChecks(l Leaf) bool {
	config := "tsconfig.json"
	for i, a := range l.Args {
		switch {
		case strings.EqualFold(a, "--noEmit"):
			return i+1 >= len(l.Args) || l.Args[i+1] != "false"
		case a == "--version" || a == "-v" || a == "--showConfig":
			return true
		case (a == "-p" || a == "--project" || a == "-b" || a == "--build") && i+1 < len(l.Args) && !strings.HasPrefix(l.Args[i+1], "-"):
			config = l.Args[i+1]
		}
	}
	at := path.Join(k.pl.Dir, config)
	for range 5 {
		data, ok := k.r.file(at)
		if !ok {
			if data, ok = k.r.file(path.Join(at, "tsconfig.json")); ok {
				at = path.Join(at, "tsconfig.json")
			}
		}
		if !ok && path.Ext(at) != ".json" {
			at += ".json"
			data, _ = k.r.file(at)
		}
		if noEmit.Match(data) || emits.Match(data) {
			return !emits.Match(data)
		}
		m := parent.FindSubmatch(data)
		if m == nil {
			return false
		}
		at = path.Join(path.Dir(at), string(m[1]))
	}
	return false
}
