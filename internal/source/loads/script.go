package loads

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/source/outline"
)

// literal is a string of at most some length that stands on a line.
const literal = `"[^"\n\\]{1,300}"|'[^'\n\\]{1,300}'`

var (
	quoted = pattern.New(`"([^"\n\\]{1,300})"|'([^'\n\\]{1,300})'|\x60([^\x60\n\\$]{1,300})\x60`)
	// specifier is what an import, a require or a mock names.
	specifier = pattern.New(`(?:\bfrom\s*|\bimport\s*\(?\s*|\b(?:require|require\.resolve|import\.meta\.resolve|(?:jest|vi|vitest)\.\w*[mM]ock|mock\.module|importActual|requireActual|importMock)\s*(?:<[^>\n]*>)?\s*\(\s*)` +
		`(?:"([^"\n]+)"|'([^'\n]+)'|\x60([^\x60\n]+)\x60)`)
	// strs are those of a call or a list, one after the other, which a join makes a path.
	strs = pattern.New("(?:" + literal + `)(?:\s*,\s*(?:` + literal + "))+")
	// behind is what follows a folder that is worked out.
	behind = pattern.New("\\}(/[^`$\n]{1,300})`")
	// around is what a comment of a test file has it run in.
	around = pattern.New(`@(?:jest|vitest)-environment\s+(?:<rootDir>/)?(\.[^\s*]+|[^\s*]+/[^\s*]+)`)
	// programs start code of a project, and so may each file that starts programs at all.
	programs = pattern.New(`["'\x60](?:node|npx|npm|yarn|pnpm|bun|deno|tsx|ts-node)\b`)
	starts   = pattern.New(`\bchild_process\b|\bexeca\b|\bcross-spawn\b`)
	// computed loads what a program works out.
	computed = pattern.New(`\bimport\s*\(\s*[^"'\x60\s)]|\brequire\s*\(\s*[^"'\x60\s)]|\b(?:import|require)\s*\(\s*\x60[^\x60]*\$\{|\b(?:import|require)\s*\(\s*(?:"[^"]*"|'[^']*')\s*\+|\bimport\.meta\.glob|\brequire\.context|\bcreateRequire\b|\beval\s*\(|\bnew Function\b|\bvm\.(?:run|Script|Source)|\bnew Worker\b|process\.execPath|\bfork\s*\(`)
	// reads are the ways in which code reads or lists files, beside how it says where it
	// lies itself, ownPlace how a module is given the names for that, and besideMe a file
	// of which all is said; folder is a string that may name one, or begin a name.
	reads    = pattern.New(`\b(?:readFile|createReadStream|readdir|opendir|readJson|readJSON)(?:Sync)?\b|\b(?:glob|globby|fast-glob)\b`)
	beside   = pattern.New(`\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b`)
	ownPlace = pattern.New(`\b(?:const|let|var)\s+__(?:dirname|filename)\s*=[^\n;]*`)
	besideMe = pattern.New(`(?:\bpath\s*\.\s*)?\b(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname)\s*(?:,\s*(?:` + literal + `)\s*)+\)|\bnew URL\(\s*(?:` + literal + `)\s*,\s*import\.meta\.url\s*\)|\x60\$\{\s*(?:__dirname|import\.meta\.dirname)\s*\}(/[^\x60$\n]{1,300})\x60`)
	folder   = pattern.New(`["'\x60]([\w@.-][\w@./-]*|/[\w@./-]+)(?:["'\x60]|\$\{)`)
	// looks are the ways in which a test finds files of the repository, or starts programs.
	looks = pattern.New(`\bchild_process\b|\bexeca\b|\bcross-spawn\b|\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename)\b|\bprocess\.(?:cwd|chdir)\b|\breaddir|\bglob\b|\bfast-glob\b`)
)

// npm notes what a package.json is and declares.
func (t *Tree) npm(dir string, src []byte) {
	var m struct {
		Name string                     `json:"name"`
		Dev  map[string]json.RawMessage `json:"devDependencies"`
		Deps map[string]json.RawMessage `json:"dependencies"`
		Peer map[string]json.RawMessage `json:"peerDependencies"`
		Opt  map[string]json.RawMessage `json:"optionalDependencies"`
	}
	declared := map[string]bool{}
	t.declared[dir] = declared
	if json.Unmarshal(src, &m) != nil {
		return
	}
	if m.Name != "" {
		t.packages[m.Name] = true
	}
	for _, list := range []map[string]json.RawMessage{m.Dev, m.Deps, m.Peer, m.Opt} {
		for name, version := range list {
			text := strings.Trim(string(version), `"`)
			local := strings.HasPrefix(text, ".") || strings.HasPrefix(text, "/")
			for _, scheme := range []string{"file:", "link:", "portal:", "workspace:"} {
				local = local || strings.HasPrefix(text, scheme)
			}
			declared[name] = !local // what lies in the repository is none of a registry
		}
	}
}

// script reads a file of JavaScript or TypeScript.
func (t *Tree) script(name string, src []byte, test bool) Loads {
	var l Loads
	if m := computed.Find(src); m != nil {
		l.Doubt = "loads what it works out (" + string(m[:min(len(m), 40)]) + ")"
	} else if m := looks.Find(src); test && m != nil {
		l.Doubt = "may look for files by itself (" + string(m) + ")"
	} else if m := programs.Find(src); m != nil && starts.Match(src) {
		l.Doubt = "starts programs that may be of the repository (" + string(m[1:]) + ")"
	} else if m := reads.Find(src); !test && m != nil && t.chooses(name, src) {
		l.Doubt = "may read files that it works out (" + string(m) + ")"
	}
	add := func(at string, guess bool) {
		if guess {
			at = t.scriptAt(at)
		}
		if t.files[at] {
			l.Files = append(l.Files, at)
		}
	}
	for _, text := range slices.Concat(literals(src), joined(src)) { // also what a mock or a join names
		add(path.Join(path.Dir(name), text), test || strings.HasPrefix(text, "."))
		add(path.Clean(text), test)
	}
	for _, m := range around.FindAllSubmatch(src, -1) {
		add(path.Join(path.Dir(name), string(m[1])), true)
		add(path.Clean(string(m[1])), true)
	}
	for _, m := range specifier.FindAllSubmatch(src, -1) {
		text, _, _ := strings.Cut(string(m[1])+string(m[2])+string(m[3]), "?")
		why := ""
		switch {
		case strings.HasPrefix(text, "."):
			file := t.scriptAt(path.Join(path.Dir(name), text))
			if file == "" {
				why = "is not in the repository"
			} else {
				l.Files = append(l.Files, file)
			}
		case !t.foreign(path.Dir(name), text):
			why = "is no package that package.json declares"
		}
		if why != "" && l.Doubt == "" {
			l.Doubt = "loads " + text + ", which " + why
		}
	}
	return l
}

// chooses reports whether code that reads files may work out which of the repository: it
// names a folder, or where it lies itself, and not a file that is there.
func (t *Tree) chooses(name string, src []byte) bool {
	rest := []byte(ownPlace.ReplaceAllString(string(src), " "))
	for _, m := range besideMe.FindAllSubmatch(rest, -1) {
		var parts []string
		for _, q := range quoted.FindAllSubmatch(m[0], -1) {
			parts = append(parts, string(q[1])+string(q[2]))
		}
		if t.files[path.Join(path.Dir(name), path.Join(parts...)+string(m[1]))] {
			rest = bytes.ReplaceAll(rest, m[0], []byte(" "))
		}
	}
	if beside.Match(rest) {
		return true
	}
	return slices.ContainsFunc(folder.FindAllSubmatch(rest, -1), func(m [][]byte) bool {
		at := strings.TrimPrefix(string(m[1]), "/")
		return t.folders[path.Clean(at)] || t.folders[path.Join(path.Dir(name), at)]
	})
}

// literals are the strings of a text, and what stands in them behind a folder that is
// worked out.
func literals(src []byte) (out []string) {
	for _, m := range quoted.FindAllSubmatch(src, -1) {
		out = append(out, string(m[1])+string(m[2])+string(m[3]))
	}
	for _, m := range behind.FindAllSubmatch(src, -1) {
		out = append(out, "."+string(m[1]))
	}
	return out
}

// joined are the paths that strings which follow each other may be joined to.
func joined(src []byte) (out []string) {
	for _, m := range strs.FindAllString(string(src), -1) {
		var parts []string
		for _, q := range quoted.FindAllStringSubmatch(m, -1) {
			parts = append(parts, q[1]+q[2])
		}
		if len(parts) <= mostJoined {
			out = append(out, "./"+strings.Join(parts, "/"))
		}
	}
	return out
}

// mostJoined is how many strings are a path and no list.
const mostJoined = 12

// foreign reports whether a name is that of a package of a registry, or of node.
func (t *Tree) foreign(dir, name string) bool {
	if strings.HasPrefix(name, "node:") || builtin[name] {
		return true
	}
	parts := strings.SplitN(name, "/", 3)
	if pkg := parts[0]; strings.HasPrefix(pkg, "@") && len(parts) > 1 {
		name = pkg + "/" + parts[1]
	} else {
		name = pkg
	}
	if t.packages[name] {
		return false
	}
	for {
		if known, ok := t.declared[dir][name]; ok {
			return known
		}
		if dir == "." || dir == "/" {
			return builtin[name]
		}
		dir = path.Dir(dir)
	}
}

// scripts are the extensions that a name may be without, in any order: all that are there
// are one module too many at most.
var scripts = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".d.ts", ".vue", ".svelte"}

// scriptAt is the file that a path without an extension, or with that of what it is
// compiled to, means; empty is none.
func (t *Tree) scriptAt(base string) string {
	if base == ".." || strings.HasPrefix(base, "../") || strings.HasPrefix(base, "/") {
		return ""
	}
	return outline.ScriptAt(t.files, base, scripts...)
}

// builtin are the modules of node that need no prefix.
var builtin = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
		events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream
		string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib assert/strict dns/promises
		fs/promises path/posix path/win32 readline/promises stream/consumers stream/promises stream/web timers/promises util/types`) {
		out[name] = true
	}
	return out
}()
