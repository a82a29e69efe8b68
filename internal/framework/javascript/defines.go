package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

var (
	// jsCall is a call that defines a test: its name, what qualifies it, and the
	// beginning of its title, for which text stands as "".
	jsCall = pattern.New("(?:^|[^\\w$.])(test|it|describe|suite|context|specify|scenario|QUnit\\.(?:test|module))((?:\\s*\\.\\s*\\w+)*)\\s*(?:<[^()]*>|\"\"\\s*)?\\(\\s*(\"\"|[\\w$.]+\\s*(?:,|\\+)|)")
	// jsLibrary is an import of a library whose tests may have any name.
	jsLibrary = pattern.New(`(?:import\s+(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}|\*\s*as\s+([\w$]+))?\s*(?:from\s*)?|(?:const|let|var)\s+(?:([\w$]+)|\{([^}]*)\})\s*=\s*(?:await\s+import|require)\s*\(\s*)["'](?:node:test|ava|tap|tape|uvu|bun:test|zora|@japa/runner|brittle|libtap|t?ape-promise|supertape)["']`)
	// jsDirect calls such a library where it is loaded: require('tape')('adds', …).
	jsDirect  = pattern.New(`(?m)^[^"'/*]*\brequire\s*\(\s*["'](?:node:test|tap|tape|uvu|zora|libtap|supertape)["']\s*\)(?:\s*\.\s*(?:test|only|skip|it|describe|suite))*\s*\(`)
	jsRenamed = pattern.New(`\b(?:test|it|describe|suite|default)\s*(?:as|:)\s*([\w$]+)`)
	jsExport  = pattern.New(`^(?:export\b|module\.exports\b|exports\.)`)
)

// definesJS: calls that name a test, outside of what the file exports for
// others.
func Defines(src []byte) bool {
	code := ownCode(code(src))
	for _, m := range jsCall.FindAllStringSubmatch(code, -1) {
		table := strings.Contains(m[2], "each") || strings.Contains(m[2], "for")
		if (m[3] != "" || table) && !notTests.MatchString(m[2]) {
			return true
		}
	}
	if jsDirect.Match(src) {
		return true
	}
	for _, m := range jsLibrary.FindAllStringSubmatch(string(src), 20) {
		for _, name := range libraryNames(m) {
			call := regexp.MustCompile(`(?:^|[^\w$.])` + regexp.QuoteMeta(name) + `(?:\s*\.\s*(?:test|only|skip|serial|failing|todo|it|describe))*\s*\(\s*(?:""|async\b|function\b|\(|[\w$]+\s*=>|\{|[\w$.]+\s*,)`)
			if call.MatchString(code) {
				return true
			}
		}
	}
	return false
}

// notTests are qualified names that define nothing: test.extend, test.use.
var notTests = pattern.New(`\.\s*(?:extend|use|mock|setTimeout|configure|before|after|beforeEach|afterEach|beforeAll|afterAll|step|info|fn|match|replace|exec|test)\b`)

// libraryNames are the names under which a file has a library's test function.
func libraryNames(m []string) []string {
	var out []string
	add := func(name string) {
		if name != "" && len(out) < 20 && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, i := range []int{1, 3, 4} {
		add(m[i])
	}
	for _, list := range []string{m[2], m[5]} {
		for _, name := range strings.Split(list, ",") {
			name = strings.TrimSpace(name)
			if r := jsRenamed.FindStringSubmatch(name); r != nil {
				add(r[1])
			} else if name == "test" || name == "it" || name == "describe" || name == "suite" {
				add(name)
			}
		}
	}
	return out
}

// ownCode leaves out the statements at the top of a file that export something.
func ownCode(code string) string {
	var out strings.Builder
	depth, exporting := 0, false
	for _, line := range strings.Split(code, "\n") {
		trimmed := strings.TrimSpace(line)
		if depth == 0 && jsExport.MatchString(trimmed) {
			exporting = true
		}
		if !exporting {
			out.WriteString(line + "\n")
		}
		for _, c := range line {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth = max(0, depth-1)
			}
		}
		open := strings.HasSuffix(trimmed, "=") || strings.HasSuffix(trimmed, "=>") || strings.HasSuffix(trimmed, ",")
		if exporting && depth == 0 && trimmed != "" && !open {
			exporting = false
		}
	}
	return out.String()
}

// code takes out comments, and leaves "" for text; lines stay lines. A slash
// begins a regular expression where no value stands before it.
func code(src []byte) string {
	var out strings.Builder
	last := byte(0)
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			for i < len(src) && src[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			for i += 2; i < len(src) && (src[i-1] != '*' || src[i] != '/' || i < 3); i++ {
				if src[i] == '\n' {
					out.WriteByte('\n')
				}
			}
			i++
		case c == '"' || c == '\'' || c == '`':
			i = jsText(src, i, &out)
			last = '"'
		case c == '/' && strings.IndexByte("(,=:[!&|?{};+-*%<>~^\x00", last) >= 0:
			i = jsPattern(src, i)
			out.WriteString(" / ")
			last = '"'
		default:
			out.WriteByte(c)
			if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
				last = c
			}
			i++
		}
	}
	return out.String()
}

// jsText skips a string or template and gives where it ends.
func jsText(src []byte, i int, out *strings.Builder) int {
	quote := src[i]
	out.WriteString(`""`)
	for i++; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == quote:
			return i + 1
		case c == '\n' && quote != '`':
			return i
		case c == '\n':
			out.WriteByte('\n')
		}
	}
	return len(src)
}

// jsPattern skips a regular expression.
func jsPattern(src []byte, i int) int {
	class := false
	for i++; i < len(src) && src[i] != '\n'; i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1
		}
	}
	return min(i, len(src))
}
