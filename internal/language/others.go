package language

import (
	"github.com/org/qa-action/internal/pattern"
)

// others are the languages of which only the names of files are known.
var others = []*Language{
	{Name: "vue", Title: "Vue", Extensions: []string{".vue"}, Tests: named(`\.(test|spec)\.vue$`)},
	{Name: "svelte", Title: "Svelte", Extensions: []string{".svelte"}},
	{Name: "astro", Title: "Astro", Extensions: []string{".astro"}},
	{Name: "kotlin", Title: "Kotlin", Extensions: []string{".kt", ".kts"}, Tests: named(`(Test|Tests|Spec|IT)\.kts?$`)},
	{Name: "scala", Title: "Scala", Extensions: []string{".scala"}, Tests: named(`(Test|Spec|Suite)\.scala$`)},
	{Name: "groovy", Title: "Groovy", Extensions: []string{".groovy"}, Tests: named(`(Test|Tests|Spec)\.groovy$`)},
	{
		Name: "ruby", Title: "Ruby", Extensions: []string{".rb", ".rake"}, Files: []string{"rakefile", "gemfile"}, Interpreters: []string{"ruby"},
		Tests:   named(`_(test|spec)\.rb$|^test_.*\.rb$|^(spec|test)_helper\.rb$`),
		Project: Project{Locks: []string{"Gemfile.lock"}, Requirements: []string{"Gemfile"}, Scripts: pattern.New(`^rakefile$`), Generated: pattern.New(`_pb\.rb$`)},
	},
	{
		Name: "php", Title: "PHP", Extensions: []string{".php"}, Interpreters: []string{"php"}, Tests: named(`Test\.php$|Cest\.php$`),
		Project: Project{Manifests: []string{"composer.json"}, Locks: []string{"composer.lock"}},
	},
	{
		Name: "csharp", Title: "C#", Extensions: []string{".cs"},
		Tests:   Tests{Names: pattern.New(`Tests?\.cs$`), Folders: pattern.New(`\.Tests?$`)},
		Project: Project{Locks: []string{"packages.lock.json"}, Generated: pattern.New(`\.(g|designer|generated)\.cs$`)},
	},
	{Name: "fsharp", Title: "F#", Extensions: []string{".fs"}, Tests: named(`Tests?\.fs$`)},
	{Name: "vb", Title: "Visual Basic", Extensions: []string{".vb"}},
	{Name: "c", Title: "C", Extensions: []string{".c", ".h"}, Tests: named(`_test\.c$|^test_.*\.c$`), Project: Project{Generated: pattern.New(`\.pb\.h$`)}},
	{
		Name: "cpp", Title: "C++", Extensions: []string{".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}, Tests: named(`_(test|unittest)\.(cc|cpp|cxx)$|^test_.*\.(cc|cpp|cxx)$`),
		Project: Project{Generated: pattern.New(`\.pb\.cc$`)},
	},
	{Name: "objectivec", Title: "Objective-C", Extensions: []string{".m", ".mm"}},
	{
		Name: "swift", Title: "Swift", Extensions: []string{".swift"}, Tests: named(`Tests?\.swift$`),
		Project: Project{Locks: []string{"Package.resolved", "Podfile.lock"}, Vendored: []string{"pods", "carthage"}},
	},
	{
		Name: "dart", Title: "Dart", Extensions: []string{".dart"}, Tests: named(`_test\.dart$`),
		Project: Project{Locks: []string{"pubspec.lock"}, Generated: pattern.New(`\.(g|freezed)\.dart$`)},
	},
	{Name: "lua", Title: "Lua", Extensions: []string{".lua"}},
	{Name: "elixir", Title: "Elixir", Extensions: []string{".ex", ".exs"}, Tests: named(`_test\.exs$|^test_helper\.exs$`), Project: Project{Locks: []string{"mix.lock"}}},
	{Name: "erlang", Title: "Erlang", Extensions: []string{".erl"}, Tests: named(`_(SUITE|tests)\.erl$`)},
	{Name: "haskell", Title: "Haskell", Extensions: []string{".hs"}, Tests: named(`(Spec|Test)\.hs$`)},
	{Name: "clojure", Title: "Clojure", Extensions: []string{".clj", ".cljs"}, Tests: named(`_test\.cljs?$`)},
	{Name: "perl", Title: "Perl", Extensions: []string{".pl", ".pm"}, Interpreters: []string{"perl"}, Tests: named(`\.t$`)},
	{Name: "r", Title: "R", Extensions: []string{".r"}},
	{Name: "julia", Title: "Julia", Extensions: []string{".jl"}},
	{Name: "zig", Title: "Zig", Extensions: []string{".zig"}},
	{Name: "nim", Title: "Nim", Extensions: []string{".nim"}},
	{
		Name: "shell", Title: "Shell", Extensions: []string{".sh", ".bash", ".zsh", ".bats"}, Interpreters: []string{"bash", "sh", "zsh", "dash"},
		Tests: named(`_test\.(sh|bash)$|\.bats$`),
	},
	{Name: "powershell", Title: "PowerShell", Extensions: []string{".ps1"}},
	{Name: "sql", Title: "SQL", Extensions: []string{".sql"}},
}

func named(names string) Tests { return Tests{Names: pattern.New(names)} }
