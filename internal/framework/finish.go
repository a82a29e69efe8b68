package framework

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// make describes the command that program and the words behind it are.
func (k *commandReader) make(program string, rest []word) leaf {
	l := k.r.leaf(k.pl)
	l.program, l.args, l.through = program, texts(rest), k.through
	l.argv = append([]string{program}, l.args...)
	for _, w := range rest {
		if w.glob {
			l.globs = append(l.globs, w.text)
		}
	}
	l.plain = k.c.plain && k.known && len(l.globs) == 0
	return l
}

// written is the text of the command from a word on; words that stand nowhere
// in the script are quoted.
func (k *commandReader) written(words []word) string {
	if len(words) > 0 && words[0].at >= 0 && k.c.to <= len(k.pl.whole) && words[0].at < k.c.to {
		return strings.TrimSpace(k.pl.whole[words[0].at:k.c.to])
	}
	return quoted(texts(words))
}

// finish makes a leaf of words that begin with a program.
func (k *commandReader) finish(words []word) {
	name := programName(words[0].text)
	l := k.make(words[0].text, words[1:])
	l.program, l.line = name, k.written(words)
	if runner(name, "") == "" && binary.MatchString(words[0].text) {
		l.argv[0] = words[0].text
	}
	l.class, l.framework = classOf(name, l.args)
	l = k.special(l)
	k.add(l)
}

// special classes need more than a table.
func (k *commandReader) special(l leaf) leaf {
	switch l.program {
	case "tsc", "tsgo":
		l.class = preparation
		if k.onlyChecks(l) {
			l.class = check
		}
	case "vue-tsc":
		if slices.Contains(l.args, "--build") || slices.Contains(l.args, "--declaration") {
			l.class = preparation
		}
	case "pip", "pip3":
		if len(l.args) > 0 && l.args[0] == "check" {
			l.class = check
		}
	case "gotestsum":
		if i := slices.Index(l.args, "--"); i >= 0 {
			l.args = append([]string{"test"}, l.args[i+1:]...)
		} else {
			l.args = []string{"test", "./..."}
		}
	case "echo", "printf", "cat", "true":
		if k.c.piped { // what it is piped into is the program
			l.class = k.pl.kind
		}
	}
	if l.class == suite && l.framework == "vitest" && len(l.args) > 0 && (l.args[0] == "bench" || l.args[0] == "list" || l.args[0] == "init") {
		l.class, l.framework = check, ""
	}
	if l.class == suite && slices.Contains([]string{"--version", "--help", "--clearCache", "--showConfig", "--init", "--collect-only", "--list", "--listTests"}, first(l.args)) {
		l.class, l.framework = nothing, ""
	}
	// Only a shell knows the arguments: so a shell runs it.
	if l.class == suite && !k.known {
		l.class, l.framework = unknown, ""
	}
	return l
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// add puts a leaf on the list.
func (k *commandReader) add(l leaf) {
	if l.line == "" {
		l.line = k.written(append([]word{{text: l.program, at: k.programAt()}}, wordsOf(l.args)...))
	}
	if !k.known { // a shell sets the environment, too
		l.env, l.line = slices.Clone(k.env), strings.TrimSpace(k.pl.whole[k.c.from:k.c.to])
	}
	switch {
	case l.class == nothing:
		return
	case k.c.joint == "||" && l.class != suite && l.class != unknown && l.class != "":
		return // a consolation, not a part of the tests
	case l.class == "":
		l.class = k.pl.kind
	}
	if l.class == "" {
		l.class = unknown
	}
	if k.c.background && l.class != check && l.class != preparation && l.class != suite {
		l.class = service
	}
	if l.class == unknown && slices.ContainsFunc(l.args, func(a string) bool { return browserPrograms[a] }) {
		l.class = browser
	}
	k.r.out = append(k.r.out, l)
}

// programAt finds where the interpreter of a leaf stands in the script.
func (k *commandReader) programAt() int {
	for _, w := range k.c.words {
		if w.text == "node" || w.text == "nodejs" || w.text == "tsx" {
			return w.at
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
	noEmit = regexp.MustCompile(`"noEmit"\s*:\s*true`)
	emits  = regexp.MustCompile(`"noEmit"\s*:\s*false`)
	parent = regexp.MustCompile(`"extends"\s*:\s*"(\.[^"]*)"`)
)

// onlyChecks reports whether a run of tsc writes nothing.
func (k *commandReader) onlyChecks(l leaf) bool {
	config := "tsconfig.json"
	for i, a := range l.args {
		switch {
		case strings.EqualFold(a, "--noEmit"):
			return i+1 >= len(l.args) || l.args[i+1] != "false"
		case a == "--version" || a == "-v" || a == "--showConfig":
			return true
		case (a == "-p" || a == "--project" || a == "-b" || a == "--build") && i+1 < len(l.args) && !strings.HasPrefix(l.args[i+1], "-"):
			config = l.args[i+1]
		}
	}
	at := path.Join(k.pl.dir, config)
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
