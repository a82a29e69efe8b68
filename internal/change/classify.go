package change

import (
	"path"
	"regexp"
	"strings"

	"github.com/org/qa-action/internal/qa"
)

// languages maps a file extension to its language. JSX, TSX and the module
// flavours count as their base language.
var languages = map[string]string{
	".go": "go",
	".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
	".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".cts": "typescript",
	".vue": "vue", ".svelte": "svelte", ".astro": "astro",
	".py": "python", ".pyi": "python", ".pyx": "python",
	".java": "java", ".kt": "kotlin", ".kts": "kotlin", ".scala": "scala", ".groovy": "groovy",
	".rb": "ruby", ".rake": "ruby", ".rs": "rust", ".php": "php", ".cs": "csharp", ".fs": "fsharp", ".vb": "vb",
	".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp",
	".m": "objectivec", ".mm": "objectivec", ".swift": "swift", ".dart": "dart", ".lua": "lua",
	".ex": "elixir", ".exs": "elixir", ".erl": "erlang", ".hs": "haskell", ".clj": "clojure", ".cljs": "clojure",
	".pl": "perl", ".pm": "perl", ".r": "r", ".jl": "julia", ".zig": "zig", ".nim": "nim",
	".sh": "shell", ".bash": "shell", ".zsh": "shell", ".ps1": "powershell", ".sql": "sql",
}

// interpreters maps the program of a "#!" line to its language, for scripts
// without extension.
var interpreters = map[string]string{
	"python": "python", "python2": "python", "python3": "python", "node": "javascript", "deno": "typescript",
	"bash": "shell", "sh": "shell", "zsh": "shell", "dash": "shell", "ruby": "ruby", "perl": "perl", "php": "php",
}

// testNames are the ways a language's test runners find test files by name.
// They are matched against the file name alone.
var testNames = map[string]*regexp.Regexp{
	"go":         regexp.MustCompile(`_test\.go$`),
	"javascript": regexp.MustCompile(`[.\-_](test|spec|e2e|cy)\.[cm]?jsx?$|^(test|spec)\.[cm]?jsx?$`),
	"typescript": regexp.MustCompile(`[.\-_](test|spec|e2e|cy|test-d)\.[cm]?tsx?$|^(test|spec)\.[cm]?tsx?$`),
	"vue":        regexp.MustCompile(`\.(test|spec)\.vue$`),
	"python":     regexp.MustCompile(`^(test_.*|.*_test|tests?|conftest)\.py$`),
	"java":       regexp.MustCompile(`^Test[A-Z].*\.java$|(Test|Tests|TestCase|IT|ITCase)\.java$`),
	"kotlin":     regexp.MustCompile(`(Test|Tests|Spec|IT)\.kts?$`),
	"scala":      regexp.MustCompile(`(Test|Spec|Suite)\.scala$`),
	"groovy":     regexp.MustCompile(`(Test|Tests|Spec)\.groovy$`),
	"ruby":       regexp.MustCompile(`_(test|spec)\.rb$|^test_.*\.rb$|^(spec|test)_helper\.rb$`),
	"rust":       regexp.MustCompile(`^tests?\.rs$|_test\.rs$`),
	"php":        regexp.MustCompile(`Test\.php$|Cest\.php$`),
	"csharp":     regexp.MustCompile(`Tests?\.cs$`),
	"fsharp":     regexp.MustCompile(`Tests?\.fs$`),
	"cpp":        regexp.MustCompile(`_(test|unittest)\.(cc|cpp|cxx)$|^test_.*\.(cc|cpp|cxx)$`),
	"c":          regexp.MustCompile(`_test\.c$|^test_.*\.c$`),
	"swift":      regexp.MustCompile(`Tests?\.swift$`),
	"dart":       regexp.MustCompile(`_test\.dart$`),
	"elixir":     regexp.MustCompile(`_test\.exs$|^test_helper\.exs$`),
	"erlang":     regexp.MustCompile(`_(SUITE|tests)\.erl$`),
	"clojure":    regexp.MustCompile(`_test\.cljs?$`),
	"haskell":    regexp.MustCompile(`(Spec|Test)\.hs$`),
	"perl":       regexp.MustCompile(`\.t$`),
	"shell":      regexp.MustCompile(`_test\.(sh|bash)$|\.bats$`),
}

// testDirs are folders whose files are tests or their support wherever they
// stand. Go is left out: there only the file name decides.
var testDirs = map[string]bool{
	"__tests__": true, "__mocks__": true, "__fixtures__": true, "__snapshots__": true, "tests": true, "test": true,
	"spec": true, "specs": true, "e2e": true, "cypress": true, "testdata": true, "androidtest": true,
}

// Classify says what a file is for, by the rules of its language. head is the
// start of its content on head, nil when unknown; it decides about scripts
// without extension and generated files. generated holds for generated,
// vendored, minified and lock files, which keep their kind.
func Classify(file string, head []byte) (kind qa.Kind, language string, generated bool) {
	name := path.Base(file)
	language = languageOf(name, head)
	kind = kindOf(file, name, language)
	return kind, language, isGenerated(file, name, head)
}

func languageOf(name string, head []byte) string {
	lower := strings.ToLower(name)
	if lang := languages[path.Ext(lower)]; lang != "" {
		return lang
	}
	switch {
	case strings.HasSuffix(lower, ".bats"):
		return "shell"
	case lower == "rakefile" || lower == "gemfile":
		return "ruby"
	case path.Ext(lower) != "" || len(head) < 3 || head[0] != '#' || head[1] != '!':
		return ""
	}
	first, _, _ := strings.Cut(string(head[:min(len(head), 200)]), "\n")
	for _, word := range strings.Fields(first[2:]) {
		word = path.Base(word)
		if word == "env" || strings.HasPrefix(word, "-") {
			continue
		}
		return interpreters[strings.TrimRight(word, ".0123456789")]
	}
	return ""
}

func kindOf(file, name, language string) qa.Kind {
	lower := strings.ToLower(name)
	ext := path.Ext(lower)
	switch {
	case isConfigScript(lower):
		return qa.KindConfig
	case language != "" && isTest(file, name, language):
		return qa.KindTest
	case ext == ".snap" || ext == ".feature":
		return qa.KindTest
	case styleExts[ext]:
		return qa.KindStyle
	case docExts[ext] || docNames[strings.TrimSuffix(lower, ext)] && (ext == "" || ext == ".txt"):
		return qa.KindDocs
	case configExts[ext] || configNames[lower] || strings.HasPrefix(lower, "dockerfile"):
		return qa.KindConfig
	case strings.HasPrefix(name, ".") && language == "":
		return qa.KindConfig // .gitignore, .editorconfig, .npmrc
	case language != "":
		return qa.KindSource
	}
	return qa.KindOther
}

// isTest decides by the file name, then by the folders above it.
func isTest(file, name, language string) bool {
	if re := testNames[language]; re != nil && re.MatchString(name) {
		return true
	}
	if language == "go" {
		// Go compiles files of testdata never, all others by their name.
		return strings.Contains("/"+file, "/testdata/")
	}
	dirs := strings.Split(path.Dir(file), "/")
	for _, dir := range dirs {
		lower := strings.ToLower(dir)
		if testDirs[lower] || language == "csharp" && (strings.HasSuffix(dir, ".Tests") || strings.HasSuffix(dir, ".Test")) {
			return true
		}
	}
	return false
}
