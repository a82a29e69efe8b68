package script

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/script/filter"
	"github.com/org/qa-action/internal/shell"
)

// managers and tools give what follows a command of theirs: the words that are
// left to look at, or done when they were followed elsewhere. Both are filled
// by init, because following leads back to them.
var managers, tools map[string]func(*commandReader, []shell.Word) ([]shell.Word, bool)

func init() {
	managers = map[string]func(*commandReader, []shell.Word) ([]shell.Word, bool){
		"npm": manage, "pnpm": manage, "yarn": manage, "bun": manage, "yarnpkg": manage,
		"run-s": several, "run-p": several, "npm-run-all": several, "npm-run-all2": several, "run-z": several,
		"concurrently": together, "conc": together, "deno": followDeno,
	}
	tools = map[string]func(*commandReader, []shell.Word) ([]shell.Word, bool){
		"turbo": monorepo, "nx": monorepo, "lerna": monorepo, "wsrun": monorepo, "ultra": monorepo, "lage": monorepo,
		"make": followMake, "gmake": followMake, "just": followJust, "task": followBook, "poe": followBook,
		"tox": followTox, "nox": followNox, "hatch": followHatch,
		"ts-scripts": followTSScripts,
	}
}

// elsewhere are options of package managers that run a script in other
// packages; the value tells whether a word follows.
var elsewhere = map[string]bool{
	"--workspaces": false, "-ws": false, "-r": false, "--recursive": false, "--filter": true, "-F": true, "--workspace": true, "--include-workspace-root": false,
}

// inFolder are options that name the folder of the package.
var inFolder = map[string]bool{"-C": true, "--dir": true, "--prefix": true, "--cwd": true}

// manage follows npm, yarn, pnpm and bun.
func manage(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	name, rest := words[0].Text, words[1:]
	away, run, only := false, false, []string(nil)
	for len(rest) > 0 {
		w := rest[0].Text
		option, value, joined := strings.Cut(w, "=")
		takes, other := elsewhere[option]
		switch {
		case inFolder[option]:
			if !joined && len(rest) > 1 {
				value, rest = rest[1].Text, rest[1:]
			}
			if at := path.Join(k.pl.Dir, value); at != ".." && !strings.HasPrefix(at, "../") && !path.IsAbs(value) {
				k.pl.Dir = at
			}
		case other, option == "-w" && name == "npm":
			away = true
			if (takes || option == "-w") && !joined && len(rest) > 1 {
				value, rest = rest[1].Text, rest[1:]
			}
			only = append(only, filter.Of(option, value)...)
		case !run && w == "workspace" && name == "yarn":
			away = true
			rest = rest[min(1, len(rest)-1):]
			only = append(only, rest[0].Text)
		case !run && w == "workspaces" && name == "yarn":
			away = true
			if rest = rest[1:]; len(rest) > 0 && rest[0].Text == "foreach" {
				all := rest[1:]
				rest = skipOptions(all, map[string]bool{"--include": true, "--exclude": true, "--from": true, "-j": true, "--jobs": true})
				only = append(only, filter.Among(all[:len(all)-len(rest)], "--include", "--exclude")...)
			}
			continue
		case !run && (w == "run" || w == "run-script" || w == "rum" || w == "urn"):
			run = true
		case !run && (w == "exec" || w == "dlx" || w == "x"):
			if rest = skipOptions(rest[1:], map[string]bool{"-c": true, "-p": true, "--package": true}); away {
				return k.away(words, nil, nil)
			}
			return rest, false
		case strings.HasPrefix(w, "-"):
		default:
			return k.managed(managerCall{name, words, rest, away, run, only})
		}
		rest = rest[1:]
	}
	if name == "yarn" && !run && !away { // installs
		return k.outcome(words, Preparation)
	}
	return k.outcome(words, Nothing)
}

// managerCall is a command of a package manager behind its options.
type managerCall struct {
	name        string
	words, rest []shell.Word // all of it, and what is behind the options
	away, run   bool         // in other packages; by the verb run
	only        []string     // packages
}

// managed is a package manager's command behind its options.
func (k *commandReader) managed(c managerCall) ([]shell.Word, bool) {
	name, words, rest, away, run, only := c.name, c.words, c.rest, c.away, c.run, c.only
	verb, scripts := rest[0].Text, k.r.scripts(k.pl.Dir)
	if !run && (verb == "t" || verb == "tst") {
		verb = "test"
	}
	extra := plainWords(rest[1:])
	if name == "npm" || name == "pnpm" { // which take options of theirs behind the script
		own := rest[1:]
		if i := slices.IndexFunc(own, func(w shell.Word) bool { return w.Text == "--" }); i >= 0 {
			own = own[:i]
		}
		for _, w := range own {
			option, _, _ := strings.Cut(w.Text, "=")
			_, other := elsewhere[option]
			away = away || other && option != "-r" && option != "-F" || option == "-w" && name == "npm"
		}
		only = append(only, filter.Among(own, "--filter", "--workspace", "-w")...)
	}
	own := name == "bun" && !run && (verb == "test" || verb == "build")
	switch {
	case own && verb == "test" && !away && k.r.runners.of(name, verb) != "":
		k.finish(append([]shell.Word{words[0]}, rest...)) // whatever the script "test" is
		return nil, true
	case away:
		return k.away(words, []string{verb}, only)
	case own:
		return k.outcome(words, k.pl.Kind)
	case strings.HasPrefix(verb, "/") && name == "pnpm":
		pattern, err := regexp.Compile(strings.Trim(verb, "/"))
		if err != nil {
			return k.outcome(words, "")
		}
		for _, n := range k.r.names(k.pl.Dir) {
			if pattern.MatchString(n) {
				k.r.Script(n, k.pl, extra)
			}
		}
		return nil, true
	case scripts[verb] != "":
		k.r.Script(verb, k.pl, extra)
		return nil, true
	}
	if by, ok := verbs[name]; ok && !run {
		for kind, list := range by {
			if list[verb] {
				return k.outcome(words, kind)
			}
		}
	}
	program := name == "yarn" || name == "bun" // which run programs, too
	if run && !program || verb == "test" || verb == "start" {
		if slices.ContainsFunc(words, func(w shell.Word) bool { return w.Text == "--if-present" }) {
			return nil, true
		}
		return k.missing(words, verb)
	}
	return rest, false // yarn mocha, pnpm vitest
}

// missing is a script that is not there: it is kept as a command, which fails
// as the whole does.
func (k *commandReader) missing(words []shell.Word, script string) ([]shell.Word, bool) {
	k.r.note(k.pl, "runs a script that is not there: "+shell.Cut(script, shell.MaxShown))
	return k.outcome(words, Unknown)
}

// outcome makes a leaf of words as they are.
func (k *commandReader) outcome(words []shell.Word, kind class) ([]shell.Word, bool) {
	l := k.make(words[0].Text, words[1:])
	l.Class, l.Line = kind, k.written(words)
	k.add(l)
	return nil, true
}

// away is a command that runs scripts in the packages below, or in those of them
// that filters choose.
func (k *commandReader) away(words []shell.Word, scripts, only []string) ([]shell.Word, bool) {
	chooses := slices.ContainsFunc(words, func(w shell.Word) bool {
		option, _, _ := strings.Cut(w.Text, "=")
		return filter.Chooses(option)
	})
	if !filter.Plain(only) || chooses && !k.known {
		k.r.note(k.pl, "chooses packages by a pattern that is not read: "+shell.Cut(strings.Join(only, " "), shell.MaxShown))
		return k.outcome(words, k.pl.Kind)
	}
	l := k.make(words[0].Text, words[1:])
	l.Line = k.written(words)
	l.Class = Check
	if len(scripts) == 0 {
		l.Class = k.pl.Kind
	}
	for _, s := range scripts {
		switch kind := named(s, k.pl.Kind); kind {
		case Preparation:
			if l.Class == Check {
				l.Class = Preparation
			}
		case Check, Service:
		default:
			l.Class = Packages
		}
	}
	l.Args, l.Globs = scripts, only
	k.add(l)
	return nil, true
}

// plainWords drops the "--" that npm needs before a script's arguments.
func plainWords(words []shell.Word) []shell.Word {
	out := make([]shell.Word, 0, len(words))
	for i, w := range words {
		if w.Text != "--" || i > 0 {
			out = append(out, w)
		}
	}
	return out
}

// npmrc is a value that the project's own configuration of npm sets.
func (f files) npmrc(dir, key string) (value string) {
	data, _ := f.file(path.Join(dir, ".npmrc"))
	for line := range strings.Lines(string(data)) {
		if name, text, _ := strings.Cut(line, "="); strings.TrimSpace(name) == key {
			value = strings.Trim(text, " \t\r\n\"'")
		}
	}
	return value
}

// names lists the scripts of a folder in their order.
func (f files) names(dir string) []string {
	if m := f.manifest(dir); m != nil {
		return m.order
	}
	return nil
}
