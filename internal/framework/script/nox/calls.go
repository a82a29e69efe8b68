package nox

import (
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/shell"
)

// Reading Python as far as sessions of nox need it: calls with plain texts.
// What is not one becomes [unreadMark].

var (
	PyString = pattern.New(`["']([^"'\n]*)["']`)
	pyPlain  = pattern.New(`^[rRuU]?(?:"([^"\\\n]*)"|'([^'\\\n]*)')$`)
	pyFormat = pattern.New(`^[fF][rR]?(?:"([^"\\\n]*)"|'([^'\\\n]*)')$`)
	pyFilled = pattern.New(`\{[^{}]*\}`)
	pyName   = pattern.New(`^\*?([A-Za-z_]\w*)$`)
	pyKey    = pattern.New(`^([A-Za-z_]\w*)\s*=[^=]`)
	pyHarm   = pattern.New(`^(?:external|silent|log|stdout|stderr|include_outer_env|terminate_timeout|interrupt_timeout)\s*=`)
)

// Body is what one function does with its session.
type Body struct {
	Param, Body, Module string
	Posargs             []string
	Runs                []Call
	Notified            []string
	Unread              bool // Python alone knows a part of it
	spent               int  // expressions that were looked at
}

// maxExpressions bounds what is worked out of one function.
const maxExpressions = 500

type Call struct {
	Argv, Env []string
	Dir       string
	Install   bool
}

// Read goes through what is called on the session, in its order.
func (p *Body) Read() {
	if p.Param == "" {
		p.Unread = true
		return
	}
	p.Body, p.Module = uncommented(p.Body), uncommented(p.Module)
	uses := regexp.MustCompile(`\b` + regexp.QuoteMeta(p.Param) + `\.(run|run_always|run_install|chdir|cd|notify|env)\b`)
	var env []string
	dir, within := "", -1 // the indentation of a with statement that the folder belongs to
	outer := ""
	for _, at := range uses.FindAllStringSubmatchIndex(textless(p.Body), maxSessions) {
		line := p.Body[strings.LastIndexByte(p.Body[:at[0]], '\n')+1 : at[0]]
		deep := len(line) - len(strings.TrimLeft(line, " \t"))
		if within >= 0 && deep <= within {
			dir, within = outer, -1
		}
		rest := strings.TrimLeft(p.Body[at[1]:], " ")
		method := p.Body[at[2]:at[3]]
		if method == "env" {
			env = p.setting(rest, env)
			continue
		}
		args, ok := pyArgs(rest)
		if !ok {
			p.Unread = true
			continue
		}
		switch method {
		case "chdir", "cd":
			if strings.HasPrefix(strings.TrimSpace(line), "with ") {
				within, outer = deep, dir
			}
			dir = strings.Join(p.words(args[:min(1, len(args))]), "")
			p.Unread = p.Unread || strings.Contains(dir, shell.Unread)
		case "notify":
			p.Notified = append(p.Notified, p.words(args[:min(1, len(args))])...)
		default:
			p.run(args, env, dir, method != "run")
		}
	}
}

// setting reads what is done to the environment of the session.
func (p *Body) setting(rest string, env []string) []string {
	line, _, _ := strings.Cut(rest, "\n")
	if m := noxEnv.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		value := strings.Join(p.words([]string{strings.TrimSpace(m[2])}), " ")
		p.Unread = p.Unread || strings.Contains(value, shell.Unread)
		return append(env[:len(env):len(env)], m[1]+"="+value)
	}
	if after, ok := strings.CutPrefix(rest, ".update"); ok {
		if args, ok := pyArgs(after); ok && len(args) == 1 {
			return append(env[:len(env):len(env)], p.table(args[0])...)
		}
		p.Unread = true
	}
	if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ".setdefault") || strings.HasPrefix(rest, ".pop") {
		p.Unread = true
	}
	return env // it is read
}

// table is a dict of plain texts as NAME=value.
func (p *Body) table(text string) []string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		p.Unread = true
		return nil
	}
	var out []string
	for _, pair := range pySplit(text[1 : len(text)-1]) {
		key, value, _ := strings.Cut(pair, ":")
		kv := strings.Join(p.words([]string{strings.TrimSpace(key)}), "") + "=" + strings.Join(p.words([]string{strings.TrimSpace(value)}), "")
		if strings.Contains(kv, shell.Unread) || !shell.Assignment.MatchString(kv) {
			p.Unread = true
			continue
		}
		out = append(out, kv)
	}
	return out
}

func (p *Body) run(args, env []string, dir string, install bool) {
	r := Call{Dir: dir, Install: install, Env: env}
	var positional []string
	for _, a := range args {
		switch m := pyKey.FindStringSubmatch(a); {
		case m == nil:
			positional = append(positional, a)
		case m[1] == "env":
			_, value, _ := strings.Cut(a, "=")
			r.Env = append(env[:len(env):len(env)], p.table(value)...)
		case !pyHarm.MatchString(a):
			p.Unread = true // success_codes
		}
	}
	if r.Argv = p.words(positional); len(r.Argv) > 0 {
		p.Unread = p.Unread || r.Argv[0] == shell.Unread
		p.Runs = append(p.Runs, r)
	}
}

// words are the texts that expressions stand for.
func (p *Body) words(exprs []string) []string { return p.values(exprs, 0) }

func (p *Body) values(exprs []string, depth int) []string {
	var out []string
	for _, e := range exprs {
		out = append(out, p.value(strings.TrimSpace(e), depth)...)
	}
	return out
}

func (p *Body) value(e string, depth int) []string {
	unread := []string{shell.Unread}
	if p.spent++; p.spent > maxExpressions {
		return unread
	}
	if m := pyPlain.FindStringSubmatch(e); m != nil {
		return []string{m[1] + m[2]}
	}
	if m := pyFormat.FindStringSubmatch(e); m != nil {
		return []string{pyFilled.ReplaceAllString(m[1]+m[2], shell.Unread)}
	}
	e = strings.TrimSpace(strings.TrimPrefix(e, "*"))
	given := p.Param + ".posargs"
	other, fallback := strings.CutPrefix(e, given+" or ")
	if conditional, ok := strings.CutPrefix(e, given+" if "+given+" else "); ok {
		other, fallback = conditional, true
	}
	switch {
	case e == "":
		return nil
	case depth > 8:
	case e == given:
		return p.Posargs
	case fallback:
		if len(p.Posargs) > 0 {
			return p.Posargs
		}
		return p.value(other, depth+1)
	case len(e) > 1 && (e[0] == '[' || e[0] == '(') && pyEnd(e) == len(e)-1:
		return p.values(pySplit(e[1:len(e)-1]), depth+1)
	case pyName.MatchString(e):
		return p.assigned(e, depth)
	}
	return unread
}

// assigned is what a variable holds that is set once and not changed.
func (p *Body) assigned(name string, depth int) []string {
	set := regexp.MustCompile(`(?m)^[ \t]*` + name + `(?:\s*:[^=\n]+)?\s*=\s*([^=\s])`)
	changed := regexp.MustCompile(`\b` + name + `(?:\.(?:append|extend|insert|remove|pop)\b|\s*\+=|\[[^\]]*\]\s*=[^=])|\bfor\s+[\w\s,()]*\b` + name + `\b[\w\s,()]*\bin\b`)
	for _, text := range []string{p.Body, p.Module} {
		found := set.FindAllStringSubmatchIndex(text, 2)
		if changed.MatchString(text) || len(found) > 1 {
			break
		}
		if len(found) == 1 {
			expr := text[found[0][2]:]
			if end := pyEnd(expr); end > 0 {
				expr = expr[:end+1]
			} else {
				expr, _, _ = strings.Cut(expr, "\n")
			}
			return p.value(strings.TrimSpace(expr), depth+1)
		}
	}
	return []string{shell.Unread}
}
