package shell

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

var variable = pattern.New(`\$(?:\{([A-Za-z_]\w*)(?:(:?[-+])([^}]*))?\}|([A-Za-z_]\w*|[@*0-9]))`)

// Ambient are variables of the machine: what they hold is not in the script.
var Ambient = map[string]bool{"HOME": true, "PATH": true, "USER": true, "TMPDIR": true, "SHELL": true, "OLDPWD": true, "INIT_CWD": true, "RANDOM": true, "HOSTNAME": true}

// Expand replaces the variables of a word by what the script sets; one that it
// does not set is taken for empty. It gives the words that come of it; ok is
// false where only a shell can tell.
func (w Word) Expand(vars map[string]string) (out []Word, ok bool) {
	if w.opaque || w.dollar && w.expands {
		return nil, false
	}
	if !w.expands {
		return []Word{w}, true
	}
	ok = true
	text := variable.ReplaceAllStringFunc(w.Text, func(match string) string {
		m := variable.FindStringSubmatch(match)
		name := m[1] + m[4]
		value, set := vars[name]
		switch {
		case name == "PWD" && !set:
			return "."
		case Ambient[name] && !set || strings.HasPrefix(name, "npm_"):
			ok = false
		case strings.HasSuffix(m[2], "-") && value == "":
			return m[3]
		case strings.HasSuffix(m[2], "+"):
			if value != "" {
				return m[3]
			}
			return ""
		}
		return value
	})
	if !ok || strings.Contains(text, "${") {
		return nil, false
	}
	w.Text, w.expands = text, false
	if w.quoted || Assignment.MatchString(text) {
		return []Word{w}, true
	}
	for _, part := range strings.Fields(text) {
		w.Text = part
		out = append(out, w)
	}
	return out, true
}

func Texts(words []Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

func WordsOf(list []string) []Word {
	out := make([]Word, len(list))
	for i, text := range list {
		out[i] = Word{Text: text, At: -1}
	}
	return out
}

// Assignment begins a word that sets a variable.
var Assignment = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*=`)

// MaxExpanded bounds what a line becomes.
const MaxExpanded = 64 << 10

// Bounded replaces what matches re by what with gives for its groups, until the
// text is too long.
func Bounded(re *pattern.Pattern, text string, with func(groups []string) string) string {
	size := len(text)
	return re.ReplaceAllStringFunc(text, func(m string) string {
		if size > MaxExpanded {
			return m
		}
		to := with(re.FindStringSubmatch(m))
		size += len(to) - len(m)
		return to
	})
}

// Unread stands for what only the tool whose file is read knows.
const Unread = "\x01"
