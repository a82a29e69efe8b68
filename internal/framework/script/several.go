package script

import (
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// npm-run-all and concurrently run several scripts, which they find by pattern,
// each in its own way.

// matching are the scripts that a pattern of npm-run-all names: "*" stands for
// a part between colons, "**" for any number of them, "{a,b}" for either. What
// else a pattern may hold gives none.
func (r *Reader) matching(dir, pattern string) []string {
	if r.scripts(dir)[pattern] != "" {
		return []string{pattern}
	}
	text := regexp.QuoteMeta(pattern)
	text = strings.ReplaceAll(text, `\*\*`, "\x00")
	text = strings.ReplaceAll(text, `\*`, `[^:]*`)
	text = strings.ReplaceAll(text, `\?`, `[^:]`)
	text = strings.ReplaceAll(text, "\x00", `.*`)
	text = braces.ReplaceAllStringFunc(text, func(m string) string {
		inner := strings.TrimSuffix(strings.TrimPrefix(m, `\{`), `\}`)
		return "(?:" + strings.ReplaceAll(inner, ",", "|") + ")"
	})
	return r.scriptsLike(dir, "^"+text+"$", "")
}

var braces = pattern.New(`\\\{[^{}]*\\\}`)

// scriptsLike are the scripts that match one expression and not the other.
func (r *Reader) scriptsLike(dir, expr, but string) []string {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil
	}
	not, err := regexp.Compile(but)
	if err != nil {
		return nil
	}
	var out []string
	for _, n := range r.names(dir) {
		if re.MatchString(n) && (but == "" || !not.MatchString(n)) {
			out = append(out, n)
		}
	}
	return out
}

// several follows run-s, run-p and npm-run-all.
func several(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	values := map[string]bool{"--max-parallel": true, "--npm-path": true}
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		w := rest[0].Text
		if strings.HasPrefix(w, "-") {
			if w == "--" {
				break
			}
			if values[w] && len(rest) > 1 {
				rest = rest[1:]
			}
			continue
		}
		pattern, extra, _ := strings.Cut(w, " ")
		found := k.r.matching(k.pl.Dir, pattern)
		if strings.ContainsAny(extra, "{}") && slices.ContainsFunc(words, func(w shell.Word) bool { return w.Text == "--" }) {
			return k.outcome(words, k.pl.Kind) // {1} is an argument of the call
		}
		if len(found) == 0 {
			k.unfound(shell.WordsOf([]string{words[0].Text, w}), pattern)
		}
		for _, n := range found {
			k.r.Script(n, k.pl, plainWords(shell.WordsOf(strings.Fields(extra))))
		}
	}
	return nil, true
}

// unfound keeps a call as a command, whose scripts only the tool itself finds.
func (k *commandReader) unfound(words []shell.Word, pattern string) ([]shell.Word, bool) {
	if strings.ContainsAny(pattern, "!()[]{}+@") {
		k.r.note(k.pl, "names scripts by a pattern that is not read: "+shell.Cut(pattern, shell.MaxShown))
		return k.outcome(words, k.pl.Kind)
	}
	return k.missing(words, pattern)
}

var (
	shortcut = pattern.New(`^(npm|yarn|pnpm|bun|node|deno):(\S+)(.*)$`)
	runs     = pattern.New(`^((?:npm|yarn|pnpm|bun) run|node --run) (\S*\*\S*)([^&]*)$`)
	omission = pattern.New(`\(!([^)]+)\)`)
)

// together follows concurrently, whose words are command lines; "*" in the name
// of a script stands for anything there.
func together(k *commandReader, words []shell.Word) ([]shell.Word, bool) {
	values := map[string]bool{"-n": true, "--names": true, "-c": true, "--prefix-colors": true, "-s": true, "--success": true, "-p": true, "--prefix": true, "-m": true, "--max-processes": true, "-l": true, "--prefix-length": true, "--restart-tries": true, "--restart-after": true, "--hide": true, "--default-input-target": true, "-t": true, "--timestamp-format": true, "--name-separator": true, "--kill-signal": true, "--teardown": true, "--shell": true}
	for rest := words[1:]; len(rest) > 0 && rest[0].Text != "--"; rest = rest[1:] {
		w := rest[0].Text
		if strings.HasPrefix(w, "-") {
			if w == "-P" || w == "--passthrough-arguments" { // {1} is an argument of the call
				return k.outcome(words, k.pl.Kind)
			}
			if values[w] && len(rest) > 1 {
				rest = rest[1:]
			}
			continue
		}
		if m := shortcut.FindStringSubmatch(w); m != nil {
			w = m[1] + " run " + m[2] + m[3]
			if m[1] == "node" {
				w = "node --run " + m[2] + m[3]
			}
		}
		lines := []string{w}
		if m := runs.FindStringSubmatch(w); m != nil {
			if lines = k.wild(m[1]+" ", m[2], m[3]); len(lines) == 0 {
				return k.unfound(shell.WordsOf([]string{words[0].Text, w}), m[2])
			}
		}
		for _, line := range lines {
			at := k.pl
			at.trail = append(slices.Clip(at.trail), k.pl.Dir+"\x00concurrently "+line)
			k.r.Text(line, at, nil)
		}
	}
	return nil, true
}

// wild are the calls that concurrently makes of one with a pattern: only its
// first "*" is one, and "(!x)" leaves out what matches x.
func (k *commandReader) wild(call, pattern, args string) []string {
	but := ""
	if m := omission.FindStringSubmatch(pattern); m != nil {
		but = m[1]
	}
	before, after, _ := strings.Cut(omission.ReplaceAllString(pattern, ""), "*")
	var out []string
	for _, n := range k.r.scriptsLike(k.pl.Dir, "^"+regexp.QuoteMeta(before)+".*"+regexp.QuoteMeta(after)+"$", but) {
		out = append(out, call+n+args)
	}
	return out
}
