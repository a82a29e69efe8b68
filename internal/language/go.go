package language

import "regexp"

var golang = Language{
	Name: "go", Title: "Go", Extensions: []string{".go"}, Grammar: "go",
	Tests: Tests{
		Names: regexp.MustCompile(`_test\.go$`),
		// Go compiles files of testdata never, all others by their name.
		ByName: true, Folders: regexp.MustCompile(`^testdata$`),
		Checks: regexp.MustCompile(`\bt\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow|Skip|Run)\b|[(,&{]\s*t\s*[,)}]|\b(tb|b|f|s|suite|ts|g|c|is|as|qt)\.\w+\(|\bpanic\(|testscript|\bos\.Exit\(|Ω\(|\b(Eventually|Consistently)\w*\(|` +
			`(?i:assert|require|expect|check|verify|must|should|compare|fatal)\w*\(`),
	},
	Project: Project{
		Manifests: []string{"go.mod", "go.work"}, Locks: []string{"go.sum", "go.work.sum"}, Versions: []string{".go-version"},
		Vendored: []string{"vendor"}, FolderIsPackage: true,
		Generated: regexp.MustCompile(`\.pb(\.gw)?\.go$|_grpc\.pb\.go$|^zz_generated.*\.go$`),
		// The line that go help generate asks for.
		Marker: regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.\r?$`),
	},
	Tools: Tools{
		Pass:   []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GONOPROXY", "GOFLAGS", "CGO_ENABLED"},
		Lint:   []string{"GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE"},
		Caches: []Cache{{Variable: "GOCACHE", Folder: "go-build"}, {Variable: "GOMODCACHE", Folder: "go-mod"}},
	},
	Text: Text{Comment: "//", Opaque: cText, Fences: map[string]string{".go": "go"}},
	Style: []Feature{
		{"table-driven tests", regexp.MustCompile(`range (tests|cases|tt|testCases)\b|:= range map\[string\]struct`)},
		{"testify", regexp.MustCompile(`stretchr/testify`)},
		{"external test package", regexp.MustCompile(`(?m)^package \w+_test$`)},
	},
	Policy: &Policy{
		Imports:  regexp.MustCompile(`^(net|net/http|net/http/.*|net/rpc.*|net/smtp|os/exec|syscall|plugin|unsafe|golang\.org/x/net.*|golang\.org/x/sys.*)$`),
		Env:      regexp.MustCompile(`^os\.(Getenv|LookupEnv|Environ|ExpandEnv|Setenv|Unsetenv|Clearenv)$`),
		Writes:   regexp.MustCompile(`^(os|ioutil)\.(WriteFile|Create|OpenFile|Remove|RemoveAll|Mkdir|MkdirAll|Rename|Symlink|Link|Truncate|Chmod|Chown|Chdir)$`),
		Reads:    regexp.MustCompile(`^(os|ioutil)\.(ReadFile|Open|ReadDir|DirFS|Readlink)$`),
		Sleeps:   regexp.MustCompile(`^time\.(Sleep|After|Tick|NewTimer)$`),
		Harmless: regexp.MustCompile(`^golang\.org/x/net/(html|idna|publicsuffix)\b`),
		Servers:  []string{"net", "net/http", "net/http/httptest", "net/http/httputil", "net/http/cookiejar", "net/http/httptrace"},
		Dials:    regexp.MustCompile(`^(Get|Head|Post|PostForm|Dial\w*)$`),
	},
	Smells: []Smell{
		{
			Rule: "skipped", Call: regexp.MustCompile(`^\w+\.(Skip|Skipf|SkipNow)$`), Why: "does not run",
			// One tab: the first level of a test function, so no condition guards it.
			Line: regexp.MustCompile(`^\tt\.Skip(f|Now)?\(`), Review: "A test that is always skipped protects nothing.", Cure: "Repair it, or skip on the condition that stops it.",
		},
		{
			Rule: "sleep", Line: regexp.MustCompile(`\btime\.Sleep\((.*\btime\.(Second|Minute)|.*\b[1-9]\d\d+ ?\* ?time\.Millisecond)`), Unless: regexp.MustCompile(`"testing/synctest"`),
			Review: slow, Cure: "Wait for the condition itself (a channel, polling with a deadline, testing/synctest).",
		},
		{Rule: "exit", Call: regexp.MustCompile(`^os\.Exit$|^log\.Fatal(f|ln)?$|^syscall\.(Kill|Exit)$|^runtime\.Goexit$`), Why: "ends the process"},
		{Rule: "subprocess", Call: regexp.MustCompile(`^os\.StartProcess$|^syscall\.(Exec|ForkExec)$`), Why: "runs another program"},
		{Rule: "clock", Line: regexp.MustCompile(`(?m)\brand\.(?:Int|Intn|IntN|Float64|Perm|Shuffle|N)\w*\s*\(|\btime\.Now\s*\(`), Why: chance},
	},
}
