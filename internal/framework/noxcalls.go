package framework

import (
	"regexp"
	"strings"
)

// Reading Python as far as sessions of nox need it: calls with plain texts.
// What is not one becomes [toxUnread].

var (
	pyString = regexp.MustCompile(`["']([^"'\n]*)["']`)
	pyPlain  = regexp.MustCompile(`^[rRuU]?(?:"([^"\\\n]*)"|'([^'\\\n]*)')$`)
	pyFormat = regexp.MustCompile(`^[fF][rR]?(?:"([^"\\\n]*)"|'([^'\\\n]*)')$`)
	pyFilled = regexp.MustCompile(`\{[^{}]*\}`)
	pyName   = regexp.MustCompile(`^\*?([A-Za-z_]\w*)$`)
	pyKey    = regexp.MustCompile(`^([A-Za-z_]\w*)\s*=[^=]`)
	pyHarm   = regexp.MustCompile(`^(?:external|silent|log|stdout|stderr|include_outer_env|terminate_timeout|interrupt_timeout)\s*=`)
)

// pySession is what one function does with its session.
type pySession struct {
	param, body, module string
	posargs             []string
	runs                []pyRun
	notified            []string
	unread              bool // Python alone knows a part of it
	spent               int  // expressions that were looked at
}

// maxExpressions bounds what is worked out of one function.
const maxExpressions = 500

type pyRun struct {
	argv, env []string
	dir       string
	install   bool
}

// read goes through what is called on the session, in its order.
func (p *pySession) read() {
	if p.param == "" {
		p.unread = true
		return
	}
	p.body, p.module = uncommented(p.body), uncommented(p.module)
	uses := regexp.MustCompile(`\b` + regexp.QuoteMeta(p.param) + `\.(run|run_always|run_install|chdir|cd|notify|env)\b`)
	var env []string
	dir, within := "", -1 // the indentation of a with statement that the folder belongs to
	outer := ""
	for _, at := range uses.FindAllStringSubmatchIndex(textless(p.body), 10*maxLeaves) {
		line := p.body[strings.LastIndexByte(p.body[:at[0]], '\n')+1 : at[0]]
		deep := len(line) - len(strings.TrimLeft(line, " \t"))
		if within >= 0 && deep <= within {
			dir, within = outer, -1
		}
		rest := strings.TrimLeft(p.body[at[1]:], " ")
		method := p.body[at[2]:at[3]]
		if method == "env" {
			env = p.setting(rest, env)
			continue
		}
		args, ok := pyArgs(rest)
		if !ok {
			p.unread = true
			continue
		}
		switch method {
		case "chdir", "cd":
			if strings.HasPrefix(strings.TrimSpace(line), "with ") {
				within, outer = deep, dir
			}
			dir = strings.Join(p.words(args[:min(1, len(args))]), "")
			p.unread = p.unread || strings.Contains(dir, toxUnread)
		case "notify":
			p.notified = append(p.notified, p.words(args[:min(1, len(args))])...)
		default:
			p.run(args, env, dir, method != "run")
		}
	}
}

// setting reads what is done to the environment of the session.
func (p *pySession) setting(rest string, env []string) []string {
	line, _, _ := strings.Cut(rest, "\n")
	if m := noxEnv.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		value := strings.Join(p.words([]string{strings.TrimSpace(m[2])}), " ")
		p.unread = p.unread || strings.Contains(value, toxUnread)
		return append(env[:len(env):len(env)], m[1]+"="+value)
	}
	if after, ok := strings.CutPrefix(rest, ".update"); ok {
		if args, ok := pyArgs(after); ok && len(args) == 1 {
			return append(env[:len(env):len(env)], p.table(args[0])...)
		}
		p.unread = true
	}
	if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ".setdefault") || strings.HasPrefix(rest, ".pop") {
		p.unread = true
	}
	return env // it is read
}

// table is a dict of plain texts as NAME=value.
func (p *pySession) table(text string) []string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		p.unread = true
		return nil
	}
	var out []string
	for _, pair := range pySplit(text[1 : len(text)-1]) {
		key, value, _ := strings.Cut(pair, ":")
		kv := strings.Join(p.words([]string{strings.TrimSpace(key)}), "") + "=" + strings.Join(p.words([]string{strings.TrimSpace(value)}), "")
		if strings.Contains(kv, toxUnread) || !assignment.MatchString(kv) {
			p.unread = true
			continue
		}
		out = append(out, kv)
	}
	return out
}

func (p *pySession) run(args, env []string, dir string, install bool) {
	r := pyRun{dir: dir, install: install, env: env}
	var positional []string
	for _, a := range args {
		switch m := pyKey.FindStringSubmatch(a); {
		case m == nil:
			positional = append(positional, a)
		case m[1] == "env":
			_, value, _ := strings.Cut(a, "=")
			r.env = append(env[:len(env):len(env)], p.table(value)...)
		case !pyHarm.MatchString(a):
			p.unread = true // success_codes
		}
	}
	if r.argv = p.words(positional); len(r.argv) > 0 {
		p.unread = p.unread || r.argv[0] == toxUnread
		p.runs = append(p.runs, r)
	}
}

// words are the texts that expressions stand for.
func (p *pySession) words(exprs []string) []string { return p.values(exprs, 0) }

func (p *pySession) values(exprs []string, depth int) []string {
	var out []string
	for _, e := range exprs {
		out = append(out, p.value(strings.TrimSpace(e), depth)...)
	}
	return out
}

func (p *pySession) value(e string, depth int) []string {
	unread := []string{toxUnread}
	if p.spent++; p.spent > maxExpressions {
		return unread
	}
	if m := pyPlain.FindStringSubmatch(e); m != nil {
		return []string{m[1] + m[2]}
	}
	if m := pyFormat.FindStringSubmatch(e); m != nil {
		return []string{pyFilled.ReplaceAllString(m[1]+m[2], toxUnread)}
	}
	e = strings.TrimSpace(strings.TrimPrefix(e, "*"))
	given := p.param + ".posargs"
	other, fallback := strings.CutPrefix(e, given+" or ")
	if conditional, ok := strings.CutPrefix(e, given+" if "+given+" else "); ok {
		other, fallback = conditional, true
	}
	switch {
	case e == "":
		return nil
	case depth > 8:
	case e == given:
		return p.posargs
	case fallback:
		if len(p.posargs) > 0 {
			return p.posargs
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
func (p *pySession) assigned(name string, depth int) []string {
	set := regexp.MustCompile(`(?m)^[ \t]*` + name + `(?:\s*:[^=\n]+)?\s*=\s*([^=\s])`)
	changed := regexp.MustCompile(`\b` + name + `(?:\.(?:append|extend|insert|remove|pop)\b|\s*\+=|\[[^\]]*\]\s*=[^=])|\bfor\s+[\w\s,()]*\b` + name + `\b[\w\s,()]*\bin\b`)
	for _, text := range []string{p.body, p.module} {
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
	return []string{toxUnread}
}
