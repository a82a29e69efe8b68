package framework

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/script"
	"github.com/org/qa-action/internal/framework/settings"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/shell"
)

// What a check runs by is not what it looks at: the program of the project that its
// command starts, and what configures a program that everybody knows. Whoever writes that
// anew decides what the check says of code that is as it was.

// starters are words behind which a command still names its program, interpreters those
// behind which it names a file that is one.
var (
	starters     = set(`env exec time command run npx bunx pnpx uvx npm pnpm yarn uv poetry pdm pipenv rye hatch pipx nice timeout cross-env dotenv if then elif else while until do ! {`)
	interpreters = set(`node nodejs deno bun tsx ts-node ts-node-esm jiti babel-node coverage sh bash dash zsh ksh ruby perl php source .`)
)

func set(list string) map[string]bool { return each.Set(strings.Fields(list)) }

var (
	// configuring are options that name what a program runs by.
	configuring = pattern.New(`^--?(?:[\w-]*(?:config|rc|project|rules?|rulesdir|plugins?|ignore|preset|settings?|baseline|require|import|loader)(?:-?(?:file|path))?|c|p|r|f|m)$`)
	pathLike    = pattern.New(`[./]`)
)

// Basis is what a check runs by.
type Basis struct {
	// Files are those that its command starts, or names as what they run by, from the root
	// of the repository and possibly without their extension.
	Files []string

	dir             string
	programs, names []string // names that the configuration of the programs goes by
	sections, files *regexp.Regexp
}

// Basis reads what a check runs by.
func (c Check) Basis() Basis {
	b := Basis{dir: folder.FromDot(c.Run.Dir)}
	b.Files, b.programs = c.started()
	if b.names = ruleNames(b.programs); len(b.names) > 0 {
		quoted := each.Of(b.names, regexp.QuoteMeta)
		b.sections = regexp.MustCompile(`[\[.:" ](?:` + strings.Join(quoted, "|") + `)[\].:"-]`)
		b.files = regexp.MustCompile(`(?i)^(?:` + strings.Join(each.Of(quoted, ruled), "|") + `)$`)
	}
	return b
}

func (c Check) started() (files, programs []string) {
	list, err := shell.Parse(c.Run.Line)
	if err != nil || slices.ContainsFunc(list, func(s shell.Simple) bool { return s.Piped }) {
		list = nil // what stands in it is told all the same
		for line := range strings.FieldsFuncSeq(c.Run.Line, func(r rune) bool { return strings.ContainsRune("&|;()`\n", r) }) {
			list = append(list, shell.Simple{Words: shell.WordsOf(strings.Fields(line))})
		}
	}
	for len(list) > 0 {
		words := shell.Texts(list[0].Words)
		list = slices.Concat(list[0].Group, list[1:])
		named, started := startedBy(words)
		programs = append(programs, started...)
		for _, word := range named {
			if name := path.Join(c.Run.Dir, word); word != "" && !path.IsAbs(word) && name != "." && !strings.HasPrefix(name, "..") {
				files = append(files, name)
			}
		}
	}
	return files, programs
}

// startedBy are the words of one command that name what it runs and runs by.
func startedBy(words []string) (named, programs []string) {
	lead, file := true, false
	for i := 0; i < len(words); i++ {
		option, value, joined := strings.Cut(words[i], "=")
		switch program := path.Base(words[i]); {
		case lead && shell.Assignment.MatchString(words[i]):
		case configuring.MatchString(option):
			if !joined && i+1 < len(words) {
				i++
				value = words[i]
			}
			if option == "-m" { // a module of Python
				value = strings.ReplaceAll(value, ".", "/")
				lead, programs = false, append(programs, path.Base(value))
			}
			named = append(named, value)
		case strings.HasPrefix(option, "-") || !lead:
		case interpreters[program], script.IsPython(program):
			file = true
		case starters[program]:
			file = false
		default:
			named, programs = append(named, words[i]), append(programs, program)
			lead = file && !pathLike.MatchString(words[i])
		}
	}
	return named, programs
}

// settled are the names that configuration of a program goes by where they are not the
// program's own.
var settled = map[string][]string{
	"eslint_d": {"eslint"}, "next": {"eslint"}, "ng": {"eslint"}, "gts": {"eslint", "prettier"}, "wp-scripts": {"eslint", "stylelint"}, "aegir": {"eslint"}, "tsdx": {"eslint"},
	"xo": {"xo", "xo-config"}, "golangci-lint": {"golangci"}, "markdownlint-cli2": {"markdownlint", "markdownlint-cli2"}, "depcruise": {"dependency-cruiser"},
	"basedpyright": {"pyright", "basedpyright"}, "lint-imports": {"importlinter"}, "cargo": {"clippy", "rustfmt", "lints"},
}

// unruled are programs that take no rules from the repository, or whose files are something
// else: what git ignores is not what a check leaves out.
var unruled = set("go git make just test [ ! exit cd echo printf cat grep diff cmp jq ls")

// edited are the programs that take their rules from .editorconfig, typed those that take
// them from a tsconfig.json.
var (
	edited = set("prettier ec editorconfig-checker ktlint shfmt dotnet")
	typed  = set("tsc tsgo vue-tsc svelte-check ngc attw tsd tstyche astro nuxi next")
)

// ruled are the names of files that configure a program.
func ruled(n string) string {
	return `\.` + n + `(?:rc|ignore|config)?(?:[._-][\w.-]*)?|` + n + `(?:rc|ignore)|` + n + `[._-]?(?:config|workspace|suppressions|baseline|todo)[\w.-]*|` +
		n + `\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf)|` + n + `-config\.\w+`
}

// Known reports whether the programs take rules from a file, as far as its name tells.
func (b Basis) Known(file string) bool {
	if len(b.names) == 0 || !b.around(file) {
		return false
	}
	switch base := path.Base(file); {
	case base == "package.json", ofSections[strings.ToLower(base)]:
		return true
	case b.types(base):
		return true
	case base == ".editorconfig":
		return slices.ContainsFunc(b.programs, func(p string) bool { return edited[p] })
	default:
		return b.files.MatchString(base)
	}
}

// types reports whether a program takes its options from a tsconfig.json of that name.
func (b Basis) types(base string) bool {
	return tsconfig.MatchString(base) && slices.ContainsFunc(b.programs, func(p string) bool { return typed[p] })
}

// Rules is the part of a known file that says how the programs check.
func (b Basis) Rules(file string, data []byte) (part []byte) {
	switch base := path.Base(file); {
	case base == "package.json":
		var all map[string]json.RawMessage
		if json.Unmarshal(data, &all) != nil {
			return nil
		}
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if b.key(key) {
				part = append(append(append(part, key...), ' '), all[key]...)
			}
		}
		return part
	case ofSections[strings.ToLower(base)]:
		part, _ = sections(data, b.sections)
		return part
	case b.types(base):
		return strictness(data)
	}
	return data
}

// WithRules is a known file of the change with base's rules in the place of its own; nil
// when nothing is left of it.
func (b Basis) WithRules(file string, now, was []byte) []byte {
	switch base := path.Base(file); {
	case now == nil:
	case base == "package.json":
		return withKeys(now, was, b.key)
	case ofSections[strings.ToLower(base)]:
		_, rest := sections(now, b.sections)
		own, _ := sections(was, b.sections)
		return slices.Concat(rest, []byte("\n"), own)
	case b.types(base):
		return withStrictness(now, was)
	}
	return was
}

// around reports whether a file lies in the folder of a check, above or below it.
func (b Basis) around(file string) bool {
	at := folder.FromDot(path.Dir(file))
	return b.dir == "" || at == "" || folder.Within(b.dir, at) || folder.Within(at, b.dir)
}

// key reports whether a key of package.json has rules of the programs.
func (b Basis) key(key string) bool {
	return slices.ContainsFunc(b.names, func(n string) bool { return key == n || key == n+"Config" || key == n+"Ignore" })
}

func ruleNames(programs []string) []string {
	var out []string
	for _, p := range programs {
		if unruled[p] {
			continue
		}
		if other, ok := settled[p]; ok {
			out = append(out, other...)
			continue
		}
		out = append(out, p)
	}
	return out
}

// ofSections are files of which a section is for one program.
var ofSections = set("pyproject.toml setup.cfg tox.ini cargo.toml")

// tsconfig are the files that a type checker of TypeScript takes its options from.
var tsconfig = pattern.New(`^[jt]sconfig[\w.-]*\.json$`)

// strict are the options of a tsconfig.json that let a type checker say more or less of the
// same code; what it is to make of it, and where it finds what it loads, are no rules.
var strict = pattern.New(`^(?:strict\w*|noImplicit\w+|noUnused\w+|noUnchecked\w+|noFallthrough\w+|noProperty\w+|exactOptional\w+|useUnknown\w+|allowUn\w+|alwaysStrict|skip(?:Default)?LibCheck|checkJs|noCheck|noErrorTruncation|suppress\w+|isolatedDeclarations|erasableSyntaxOnly|verbatimModuleSyntax)$`)

// scopes are what a tsconfig.json says of which files are looked at.
var scopes = []string{"files", "include", "exclude"}

func typeOptions(data []byte) (all, options map[string]json.RawMessage) {
	if json.Unmarshal(settings.PlainJSON(data), &all) != nil {
		return nil, nil
	}
	_ = json.Unmarshal(all["compilerOptions"], &options) // there may be none
	return all, options
}

func strictness(data []byte) []byte {
	all, options := typeOptions(data)
	if data != nil && all == nil {
		return data
	}
	maps.DeleteFunc(all, func(key string, _ json.RawMessage) bool { return !slices.Contains(scopes, key) })
	maps.DeleteFunc(options, func(key string, _ json.RawMessage) bool { return !strict.MatchString(key) })
	out, err := json.Marshal([]any{all, options})
	if err != nil || len(all)+len(options) == 0 {
		return nil
	}
	return out
}

func withStrictness(now, was []byte) []byte {
	all, options := typeOptions(now)
	before, old := typeOptions(was)
	if all == nil || was != nil && before == nil {
		return was
	}
	if options == nil {
		options = map[string]json.RawMessage{}
	}
	maps.DeleteFunc(options, func(key string, _ json.RawMessage) bool { return strict.MatchString(key) })
	for key, raw := range old {
		if strict.MatchString(key) {
			options[key] = raw
		}
	}
	for _, key := range scopes {
		if delete(all, key); before[key] != nil {
			all[key] = before[key]
		}
	}
	text, err := json.Marshal(options)
	if err != nil {
		return was
	}
	all["compilerOptions"] = text
	if text, err = json.MarshalIndent(all, "", "  "); err != nil {
		return was
	}
	return text
}

// withKeys is a package.json with base's values of some keys.
func withKeys(now, was []byte, which func(key string) bool) []byte {
	var head, old map[string]json.RawMessage
	if json.Unmarshal(now, &head) != nil || head == nil || was != nil && json.Unmarshal(was, &old) != nil { // null is no object
		return was
	}
	maps.DeleteFunc(head, func(key string, _ json.RawMessage) bool { return which(key) })
	for key, raw := range old {
		if which(key) {
			head[key] = raw
		}
	}
	text, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return was
	}
	return text
}
