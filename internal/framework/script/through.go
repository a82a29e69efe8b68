package script

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/interpreter"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

var (
	binary    = pattern.New(`node_modules/(?:\.bin/)?((?:@[\w.-]+/)?[\w.-]+)`)
	versioned = pattern.New(`^(@?[\w./-]+)@[\w.^~*<>=| -]+$`)
	// TakesValue are the options of node that are followed by a value.
	TakesValue = map[string]bool{
		"-r": true, "--require": true, "--import": true, "--loader": true, "--experimental-loader": true, "--env-file": true, "-C": true, "--conditions": true,
	}
)

// commandReader looks through what stands before a program: environment,
// wrappers, package managers, interpreters.
type commandReader struct {
	r     *Reader
	c     shell.Simple
	pl    Spot
	known bool     // every word is
	env   []string // of the scripts around the command
	// through is a wrapper that must start the program.
	through []string
	depth   int
	as      interpreter.Python
}

// starters only start what follows their own options; the options named here
// are followed by a value.
var starters = map[string]map[string]bool{
	"npx": {"-p": true, "--package": true}, "bunx": {}, "pnpx": {}, "cross-env": {}, "cross-env-shell": {}, "env": {"-u": true, "--unset": true},
	"exec": {}, "time": {}, "command": {}, "corepack": {}, "nice": {"-n": true}, "nohup": {}, "uvx": {"--with": true, "--from": true, "-p": true, "--python": true},
	"timeout": {"-s": true, "-k": true}, "gtimeout": {"-s": true, "-k": true}, "ionice": {"-c": true, "-n": true}, "stdbuf": {"-o": true, "-e": true, "-i": true},
}

// environments are the tools that run a command in an environment of theirs.
var environments = map[string]map[string]bool{
	"uv":     {"--extra": true, "--group": true, "--with": true, "--python": true, "-p": true, "--package": true, "--only-group": true, "--no-group": true, "--with-requirements": true, "--env-file": true, "--project": true, "--directory": true, "--resolution": true},
	"poetry": {}, "pdm": {"-p": true, "--project": true}, "pipenv": {}, "rye": {}, "pipx": {"--spec": true, "--python": true},
}

func (k *commandReader) read(words []shell.Word) {
	for len(words) > 0 {
		if k.depth++; k.depth > maxTrail {
			k.known = false // a shell runs it as it stands
			k.ownProgram(words[0].Text, words[1:])
			return
		}
		w := words[0]
		if shell.Assignment.MatchString(w.Text) {
			k.pl.env = append(k.pl.env, w.Text)
			words = words[1:]
			continue
		}
		if w.Text == "--" && k.depth > 1 { // of the starter before it
			words = words[1:]
			continue
		}
		next, done := k.step(w.Text, words)
		if done {
			return
		}
		if len(next) == len(words) {
			k.finish(words)
			return
		}
		words = next
	}
}

// step takes one word away when it only leads to others; done says that the
// command was followed elsewhere.
func (k *commandReader) step(name string, words []shell.Word) (next []shell.Word, done bool) {
	rest := words[1:]
	values, starter := starters[name]
	options, environment := environments[name]
	switch {
	case name == "env" && shell.Unsets(rest):
		k.known = false // a shell runs it as it stands
		return k.starter(name, skipOptions(rest, values)), false
	case starter:
		return k.starter(name, skipOptions(rest, values)), false
	case environment && len(rest) > 0 && rest[0].Text == "run":
		return runNamed(k, name, words, skipOptions(rest[1:], options))
	case name == "dotenv" || name == "dotenvx" || name == "env-cmd":
		return k.dotenv(name, rest), false
	case name == "c8" || name == "nyc":
		if kind, _ := k.r.runners.classOf(name, shell.Texts(rest)); kind == Check {
			return words, false
		}
		after := k.r.runners.afterOptions(rest)
		k.pl.wrapper = shell.Texts(words[:len(words)-len(after)])
		return after, false
	case name == "tsx" && len(rest) > 0 && (binary.MatchString(rest[0].Text) || slices.Contains(shell.Texts(rest), "--test")):
		k.pl.node = append(slices.Clip(k.pl.node), "--import", "tsx")
		return k.node(rest)
	case name == "node" || name == "nodejs":
		return k.node(rest)
	case name == Glob:
		return glob(k, words), false
	case IsPython(path.Base(name)):
		return k.python(words), false
	case name == "coverage" && len(rest) > 0 && rest[0].Text == "run":
		return k.coverage(words), false
	}
	if follow, ok := managers[name]; ok {
		return follow(k, words)
	}
	if follow, ok := tools[path.Base(name)]; ok {
		return follow(k, words)
	}
	return words, false
}

// starter drops what belongs to the starter itself.
func (k *commandReader) starter(name string, rest []shell.Word) []shell.Word {
	switch {
	case len(rest) == 0:
	case name == "timeout" || name == "gtimeout":
		return rest[1:]
	case name == "npx" || name == "bunx" || name == "pnpx" || name == "uvx":
		if m := versioned.FindStringSubmatch(rest[0].Text); m != nil {
			rest = slices.Clone(rest)
			rest[0].Text = m[1]
		}
	}
	return rest
}

// skipOptions drops leading options up to one of last, and "--".
func skipOptions(words []shell.Word, values map[string]bool, last ...string) []shell.Word {
	for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") && !slices.Contains(last, words[0].Text) {
		n := 1
		if values[words[0].Text] && len(words) > 1 {
			n = 2
		}
		end := words[0].Text == "--"
		words = words[n:]
		if end {
			break
		}
	}
	return words
}

// Glob is the program that runs a command with the files that it finds.
const Glob = "glob"

// glob looks at the command that glob runs with the files it finds. Only node's own
// runner is told apart: what else it may run, it runs itself.
func glob(k *commandReader, words []shell.Word) []shell.Word {
	i := slices.IndexFunc(words, func(w shell.Word) bool { return w.Text == "-c" || w.Text == "--cmd" })
	if i != 1 || len(words) < 4 {
		return words
	}
	var inner []shell.Word
	for j, text := range strings.Fields(words[2].Text) {
		at := -1
		if j == 0 {
			at = words[0].At
		}
		inner = append(inner, shell.Word{Text: text, At: at})
	}
	tests := slices.ContainsFunc(inner, func(w shell.Word) bool { return w.Text == "--test" })
	patterns := slices.DeleteFunc(slices.Clone(words[3:]), func(w shell.Word) bool { return w.Glob })
	if !tests || strings.ContainsAny(words[2].Text, `"'$;&|<>()\`) || len(patterns) < len(words)-3 || slices.ContainsFunc(patterns, func(w shell.Word) bool { return strings.HasPrefix(w.Text, "-") }) {
		return words
	}
	k.through = shell.Texts(words[:2])
	return append(inner, patterns...)
}

// Options counts the words of node's own options before the file that it runs.
func Options(args []string) int {
	at := 0
	for at < len(args) && strings.HasPrefix(args[at], "-") {
		if at++; TakesValue[args[at-1]] && at < len(args) {
			at++
		}
	}
	return at
}

// node moves node's own options aside and looks at what it starts.
func (k *commandReader) node(rest []shell.Word) (next []shell.Word, done bool) {
	options := slices.Clip(k.pl.node)
	at := rest
	for len(at) > 0 && strings.HasPrefix(at[0].Text, "-") {
		switch at[0].Text {
		case "--run":
			if len(at) > 1 {
				k.r.Script(at[1].Text, k.pl, plainWords(at[2:]))
				return nil, true
			}
		case "--test":
			l := k.make("node", rest)
			if l.Class = k.pl.Kind; k.known {
				l.Class, l.Framework = Suite, "nodetest"
			}
			k.add(l)
			return nil, true
		case "-e", "--eval", "-p", "--print", "-":
			return k.ownProgram("node", rest), true
		}
		n := 1
		if TakesValue[at[0].Text] && len(at) > 1 {
			n = 2
		}
		options = append(options, shell.Texts(at[:n])...)
		at = at[n:]
	}
	if len(at) == 0 {
		return k.ownProgram("node", rest), true
	}
	if binary.MatchString(at[0].Text) {
		if k.r.runners.of(programName(at[0].Text), "") == "" && !strings.Contains(at[0].Text, "node_modules/.bin/") {
			return k.ownProgram("node", rest, at...), true // only node may be able to start it
		}
		k.pl.node = options
		return at, false
	}
	// node wrapper.js mocha …
	if len(at) > 1 && started(k, at) {
		k.through = append(append([]string{"node"}, options...), at[0].Text)
		return at[1:], false
	}
	return k.ownProgram("node", rest), true
}

// started reports whether a file that node runs is only there to start the program
// behind it. A check is one only where the package asks for that program.
func started(k *commandReader, words []shell.Word) bool {
	if k.r.runners.of(words[1].Text, "") != "" {
		return true
	}
	m := k.r.manifest(k.pl.Dir)
	kind, _ := k.r.runners.classOf(words[1].Text, shell.Texts(words[2:]))
	return kind == Check && m != nil && m.DevDependencies[words[1].Text] != "" && !aboutTests.MatchString(path.Base(words[0].Text))
}

// aboutTests is a file that may take the names of programs for those of tests.
var aboutTests = pattern.New(`(?i)test|spec|check|suite|run`)

// ownProgram is a leaf whose program is an interpreter with its arguments. What is known
// of the file of a package that it runs goes by the name of either.
func (k *commandReader) ownProgram(program string, rest []shell.Word, file ...shell.Word) []shell.Word {
	l := k.make(program, rest)
	if len(file) > 0 {
		args, name := shell.Texts(file[1:]), file[0].Text
		for _, name := range []string{programName(name), strings.TrimSuffix(path.Base(name), path.Ext(name))} {
			kind, _ := k.r.runners.classOf(name, args)
			l.Class = cmp.Or(l.Class, k.special(Leaf{Program: name, Args: args, Class: kind}).Class)
		}
	}
	l.Class = cmp.Or(l.Class, byName(k.pl, l.Args))
	k.add(l)
	return nil
}

// python looks through "python -m".
func (k *commandReader) python(words []shell.Word) []shell.Word {
	rest := skipOptions(words[1:], map[string]bool{"-W": true, "-X": true}, "-m", "-c")
	if len(rest) < 2 || rest[0].Text != "-m" {
		if len(rest) > 0 && path.Base(rest[0].Text) == "setup.py" {
			return rest
		}
		return words
	}
	env, given, ok := interpreter.Read(words[1:len(words)-len(rest)], k.pl.vars["PYTHONWARNINGS"])
	if !ok {
		return words
	}
	switch name := rest[1].Text; {
	case name == "build":
		rest[1].Text = "python-build"
		return rest[1:]
	case tools[name] != nil:
		return rest[1:]
	default:
		if kind, _ := k.r.runners.classOf(name, shell.Texts(rest[2:])); kind != "" || name == "coverage" {
			k.pl.env, k.as = append(k.pl.env, env...), interpreter.Python{Module: true, Options: append(k.as.Options, given...)}
			return rest[1:]
		}
	}
	return words
}

// coverage looks through "coverage run".
func (k *commandReader) coverage(words []shell.Word) []shell.Word {
	values := map[string]bool{"--source": true, "--rcfile": true, "--omit": true, "--include": true, "--context": true, "--concurrency": true, "--data-file": true}
	rest := skipOptions(words[2:], values, "-m")
	k.pl.wrapper = shell.Texts(words[:len(words)-len(rest)])
	if len(rest) == 0 {
		return nil
	}
	return append([]shell.Word{{Text: "python", At: -1}}, rest...)
}

// afterOptions skips the options of a wrapper up to the program it wraps.
func (rs Runners) afterOptions(w []shell.Word) []shell.Word {
	for i, word := range w {
		_, starter := starters[word.Text]
		_, manager := managers[word.Text]
		kind, _ := rs.classOf(word.Text, nil)
		if starter || manager || wrapped[word.Text] || binary.MatchString(word.Text) || kind == Suite {
			return w[i:]
		}
	}
	for i, word := range w {
		if !strings.HasPrefix(word.Text, "-") {
			return w[i:]
		}
	}
	return nil
}

// wrapped are programs without a row of their own that c8 and nyc often wrap.
var wrapped = set("glob node tsx ts-node electron-mocha ava tap tape borp bnt uvu lab jasmine make zora sh bash deno")
