package framework

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// call is one program call of a package.json script.
type call struct {
	script  string   // the script it stands in
	env     []string // "K=V" set before it
	node    []string // options for node itself: --import tsx
	wrapper []string // c8 or nyc with its options, when it runs under one
	program string   // base name: vitest, jest, mocha
	args    []string
}

// words splits a script at shell operators into commands and these into words.
// Quotes and backslashes are understood, expansions are not: a word with one is
// kept as written.
func words(script string) [][]string {
	var commands [][]string
	var command []string
	var word strings.Builder
	inWord := false
	quote := byte(0)
	endWord := func() {
		if inWord {
			command = append(command, word.String())
			word.Reset()
			inWord = false
		}
	}
	endCommand := func() {
		endWord()
		if len(command) > 0 {
			commands = append(commands, command)
			command = nil
		}
	}
	for i := 0; i < len(script); i++ {
		c := script[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(script):
			i++
			word.WriteByte(script[i])
			inWord = true
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '(' || c == ')':
			endWord()
		case c == '&' || c == '|' || c == ';':
			endCommand()
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	endCommand()
	return commands
}

var (
	assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	binary     = regexp.MustCompile(`node_modules/(?:\.bin/)?(@?[\w.-]+)`)
	// takesValue are options of node that are followed by a value.
	takesValue = map[string]bool{"-r": true, "--require": true, "--import": true, "--loader": true, "--experimental-loader": true, "--env-file": true}
	// runners are programs that only start the next word.
	runners = map[string]bool{"npx": true, "bunx": true, "cross-env": true, "cross-env-shell": true, "env": true, "dotenv": true, "exec": true, "time": true, "command": true, "corepack": true}
)

// maxCalls bounds what following scripts may yield.
const maxCalls = 64

// calls lists the program calls that running a script leads to, in order;
// scripts that it runs are followed.
func calls(scripts map[string]string, name string) []call {
	var out []call
	follow(scripts, name, call{}, nil, &out, nil)
	return out
}

// follow reads one script, run in the surroundings of from: its environment and
// its wrapper.
func follow(scripts map[string]string, name string, from call, extra []string, out *[]call, trail []string) {
	if slices.Contains(trail, name) || len(trail) > 8 || len(*out) >= maxCalls {
		return
	}
	trail = append(slices.Clone(trail), name)
	commands := words(scripts[name])
	for i, w := range commands {
		if i == len(commands)-1 {
			w = append(slices.Clone(w), extra...)
		}
		c := call{script: trail[0], env: slices.Clone(from.env), wrapper: from.wrapper}
		c.take(w, scripts, out, trail)
	}
}

// take reads one command's words.
func (c call) take(w []string, scripts map[string]string, out *[]call, trail []string) {
	for len(w) > 0 {
		word := w[0]
		switch {
		case assignment.MatchString(word):
			c.env = append(c.env, word)
			w = w[1:]
		case runners[word] || strings.HasPrefix(word, "-"):
			w = w[1:]
		case word == "c8" || word == "nyc":
			rest := afterOptions(w[1:])
			c.wrapper = w[:len(w)-len(rest)]
			w = rest
		case word == "npm" || word == "yarn" || word == "pnpm" || word == "bun":
			next := manager(w, scripts)
			if next.script != "" {
				follow(scripts, next.script, c, next.rest, out, trail)
				return
			}
			w = next.rest
		case word == "run-s" || word == "run-p" || word == "npm-run-all" || word == "npm-run-all2" || word == "concurrently" || word == "wireit":
			for _, n := range w[1:] {
				n = strings.TrimPrefix(n, "npm:")
				if scripts[n] != "" {
					follow(scripts, n, c, nil, out, trail)
				}
			}
			return
		case word == "tsx":
			c.node = append(c.node, "--import", "tsx")
			w = w[1:]
		case word == "node":
			w = c.nodeOptions(w[1:])
		default:
			c.program, c.args = programName(word), w[1:]
			if len(*out) < maxCalls {
				*out = append(*out, c)
			}
			return
		}
	}
}

// nodeOptions moves node's own options to c and gives the words from the script
// file on.
func (c *call) nodeOptions(w []string) []string {
	for len(w) > 0 && strings.HasPrefix(w[0], "-") {
		n := 1
		if takesValue[w[0]] && len(w) > 1 {
			n = 2
		}
		c.node = append(c.node, w[:n]...)
		w = w[n:]
	}
	return w
}

func programName(word string) string {
	if m := binary.FindStringSubmatch(word); m != nil {
		return m[1]
	}
	return strings.TrimSuffix(path.Base(word), ".cmd")
}

// known are words that begin a command after c8's or nyc's own options.
var known = []string{"mocha", "_mocha", "ts-mocha", "node", "npm", "npx", "yarn", "pnpm", "tsx", "cross-env", "jest", "vitest", "electron-mocha", "ava", "tap"}

// afterOptions skips the options of a wrapper up to the program it wraps.
func afterOptions(w []string) []string {
	for i, word := range w {
		if slices.Contains(known, word) || binary.MatchString(word) {
			return w[i:]
		}
	}
	for i, word := range w {
		if !strings.HasPrefix(word, "-") {
			return w[i:]
		}
	}
	return nil
}

// managed is what a package manager's command line leads to: a script with
// extra arguments, or the rest of the words.
type managed struct {
	script string
	rest   []string
}

func manager(w []string, scripts map[string]string) managed {
	rest := w[1:]
	for len(rest) > 0 {
		switch word := rest[0]; {
		case word == "run" || word == "run-script" || word == "exec" || word == "dlx" || word == "x" || word == "--silent" || word == "-s":
			rest = rest[1:]
		case (word == "t" || word == "tst") && scripts["test"] != "":
			return managed{script: "test", rest: plain(rest[1:])}
		case word == "--workspaces" || word == "-r" || word == "--recursive" || word == "--filter" || word == "workspaces" || word == "workspace" || word == "-C" || word == "--prefix" || word == "--cwd" || word == "-w":
			return managed{} // runs in other packages
		case strings.HasPrefix(word, "-"):
			rest = rest[1:]
		case scripts[word] != "":
			extra := plain(rest[1:])
			if slices.ContainsFunc(extra, func(a string) bool {
				return a == "--workspaces" || a == "-ws" || strings.HasPrefix(a, "--workspace=")
			}) {
				return managed{}
			}
			return managed{script: word, rest: extra}
		default:
			return managed{rest: rest}
		}
	}
	return managed{}
}

// plain drops the "--" that npm needs before a script's arguments.
func plain(args []string) []string {
	if len(args) > 0 && args[0] == "--" {
		return args[1:]
	}
	return args
}

// without filters options out of args. dropped maps an option's name to whether
// it is followed by a value; "--x." as a key drops all options of that prefix.
func without(args []string, dropped map[string]bool) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		value, drop := dropped[name]
		if dot := strings.IndexByte(name, '.'); !drop && dot > 0 && strings.HasPrefix(name, "--") {
			value, drop = dropped[name[:dot+1]]
		}
		if !drop {
			out = append(out, args[i])
			continue
		}
		if value && !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
		}
	}
	return out
}
