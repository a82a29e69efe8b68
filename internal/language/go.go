package language

import (
	"github.com/org/qa-action/internal/pattern"
)

var golang = Language{
	Name: "go", Title: "Go", Extensions: []string{".go"}, Grammar: "go",
	Tests: Tests{
		Compiled: true,
		Names:    pattern.New(`_test\.go$`),
		// Go compiles files of testdata never, all others by their name.
		ByName: true, Folders: pattern.New(`^testdata$`),
		Checks: pattern.New(`\bt\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow|Skip|Run)\b|[(,&{]\s*t\s*[,)}]|\b(tb|b|f|s|suite|ts|g|c|is|as|qt)\.\w+\(|\bpanic\(|testscript|\bos\.Exit\(|Ω\(|\b(Eventually|Consistently)\w*\(|` +
			`(?i:assert|require|expect|check|verify|must|should|compare|fatal)\w*\(`),
	},
	Project: Project{
		Manifests: []string{"go.mod", "go.work"}, Locks: []string{"go.sum", "go.work.sum"}, Versions: []string{".go-version"},
		Vendored: []string{"vendor"}, FolderIsPackage: true,
		Generated: pattern.New(`\.pb(\.gw)?\.go$|_grpc\.pb\.go$|^zz_generated.*\.go$`),
		// The line that go help generate asks for.
		Marker: pattern.New(`(?m)^// Code generated .* DO NOT EDIT\.\r?$`),
	},
	Tools: Tools{
		Pass: []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GONOPROXY", "GOFLAGS", "CGO_ENABLED"},
		Lint: []string{"GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE"},
		Caches: []Cache{
			{Variable: "GOCACHE", Folder: "go-build"},
			{Variable: "GOMODCACHE", Folder: "go-mod", Machine: "$GOMODCACHE $GOPATH/pkg/mod $HOME/go/pkg/mod"},
		},
	},
	Text: Text{Comment: "//", Opaque: cText, Fences: map[string]string{".go": "go"}},
	Style: []Feature{
		{"table-driven tests", pattern.New(`range (tests|cases|tt|testCases)\b|:= range map\[string\]struct`)},
		{"testify", pattern.New(`stretchr/testify`)},
		{"external test package", pattern.New(`(?m)^package \w+_test$`)},
	},
	Policy: &Policy{
		Imports:  pattern.New(`^(net|net/http|net/http/.*|net/rpc.*|net/smtp|os/exec|syscall|plugin|unsafe|golang\.org/x/net.*|golang\.org/x/sys.*)$`),
		Env:      pattern.New(`^os\.(Getenv|LookupEnv|Environ|ExpandEnv|Setenv|Unsetenv|Clearenv)$`),
		Writes:   pattern.New(`^(os|ioutil)\.(WriteFile|Create|OpenFile|Remove|RemoveAll|Mkdir|MkdirAll|Rename|Symlink|Link|Truncate|Chmod|Chown|Chdir)$`),
		Reads:    pattern.New(`^(os|ioutil)\.(ReadFile|Open|ReadDir|DirFS|Readlink)$`),
		Sleeps:   pattern.New(`^time\.(Sleep|After|Tick|NewTimer)$`),
		Harmless: pattern.New(`^golang\.org/x/net/(html|idna|publicsuffix)\b`),
		Servers:  []string{"net", "net/http", "net/http/httptest", "net/http/httputil", "net/http/cookiejar", "net/http/httptrace"},
		Dials:    pattern.New(`^(Get|Head|Post|PostForm|Dial\w*)$`),
	},
	Smells: []Smell{
		{
			Rule: "skipped", Call: pattern.New(`^\w+\.(Skip|Skipf|SkipNow)$`), Why: "does not run",
			// One tab: the first level of a test function, so no condition guards it.
			Line: pattern.New(`^\tt\.Skip(f|Now)?\(`), Review: "A test that is always skipped protects nothing.", Cure: "Repair it, or skip on the condition that stops it.",
		},
		{
			Rule: "sleep", Line: pattern.New(`\btime\.Sleep\((.*\btime\.(Second|Minute)|.*\b[1-9]\d\d+ ?\* ?time\.Millisecond)`), Unless: pattern.New(`"testing/synctest"`),
			Review: slow, Cure: "Wait for the condition itself (a channel, polling with a deadline, testing/synctest).",
		},
		{Rule: "exit", Call: pattern.New(`^os\.Exit$|^log\.Fatal(f|ln)?$|^syscall\.(Kill|Exit)$|^runtime\.Goexit$`), Why: "ends the process"},
		{Rule: "subprocess", Call: pattern.New(`^os\.StartProcess$|^syscall\.(Exec|ForkExec)$`), Why: "runs another program"},
		{Rule: "clock", Line: pattern.New(`(?m)\brand\.(?:Int|Intn|IntN|Float64|Perm|Shuffle|N)\w*\s*\(|\btime\.Now\s*\(`), Why: chance},
	},
}
