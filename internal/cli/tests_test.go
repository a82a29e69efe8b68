package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	greenXML  = `<testsuite name="s" tests="2"><testcase classname="a" name="one" time="0.5"/><testcase classname="a" name="two"><skipped/></testcase></testsuite>`
	redXML    = `<testsuite name="s"><testcase classname="a" name="one" file="src/a.test.js" line="7"><failure message="1 is not 2&#10;##[error]no">stack</failure></testcase></testsuite>`
	allSkip   = `<testsuite name="s"><testcase classname="a" name="one"><skipped/></testcase></testsuite>`
	noTests   = `<testsuites tests="0"/>`
	buildFail = `{"ImportPath":"x/a","Action":"build-output","Output":"a.go:1:1: broken\n"}
{"ImportPath":"x/a","Action":"build-fail"}
{"Action":"start","Package":"x/a"}
{"Action":"fail","Package":"x/a","FailedBuild":"x/a"}
`
)

func runTests(t *testing.T, files map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Dir: dir}
	code = Main(t.Context(), env, append([]string{"tests"}, args...))
	return code, out.String(), strings.ReplaceAll(errs.String(), dir, "DIR")
}

// TestTestsExitCode pins what the exit code stands for: never 0 unless a test
// was executed and none was bad.
func TestTestsExitCode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		files map[string]string
		args  []string
		code  int
		says  string // in standard output or error
	}{
		{"all good", map[string]string{"a.xml": greenXML}, []string{"a.xml"}, exitOK, "tests 2: 1 passed, 0 failed, 0 errors, 1 skipped, 0 flaky in 0.5 s"},
		{"pattern", map[string]string{"r/x/a.xml": greenXML, "r/b.xml": greenXML}, []string{"r/**/*.xml"}, exitOK, "tests 4: 2 passed"},
		{"one failed", map[string]string{"a.xml": redXML}, []string{"a.xml"}, exitFail, "failed   src/a.test.js > a > one at src/a.test.js:7\n         1 is not 2\n"},
		{"build failed", map[string]string{"a.json": buildFail}, []string{"a.json"}, exitFail, "build    x/a: a.go:1:1: broken"},
		{"failed and unreadable", map[string]string{"a.xml": redXML, "b.xml": "<testsuite>"}, []string{"a.xml", "b.xml"}, exitFail, "b.xml:1: report ends too early"},
		{"good and unreadable", map[string]string{"a.xml": greenXML, "b.xml": ""}, []string{"a.xml", "b.xml"}, exitInconclusive, "b.xml: report is empty"},
		{"all skipped", map[string]string{"a.xml": allSkip}, []string{"a.xml"}, exitInconclusive, "no test was executed"},
		{"no tests", map[string]string{"a.xml": noTests}, []string{"a.xml"}, exitInconclusive, "report holds no test"},
		{"missing", nil, []string{"a.xml"}, exitInconclusive, "DIR/a.xml: file does not exist"},
		{"pattern without match", nil, []string{"*.xml"}, exitInconclusive, "DIR/*.xml: file does not exist"},
		{"other format", map[string]string{"a.xml": greenXML}, []string{"--format", "jest", "a.xml"}, exitInconclusive, "not a readable test report"},
		{"unknown format", map[string]string{"a.xml": greenXML}, []string{"--format", "allure", "a.xml"}, exitUsage, "bun, ctrf, dart, deno, gotest, gradle, jest, junit, libtest, maven, mocha, nodetap, nunit, outside, rspec, tap, trx, vitest, xunit"},
		{"no file", nil, nil, exitUsage, "expected"},
		{"bad root", map[string]string{"a.xml": greenXML}, []string{"--root", "nowhere", "a.xml"}, exitUsage, "not a directory"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := runTests(t, tc.files, tc.args...)
			if code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			if !strings.Contains(stdout+stderr, tc.says) {
				t.Errorf("want %q in\n%s\n%s", tc.says, stdout, stderr)
			}
			if strings.Contains(stdout, "##[") {
				t.Errorf("a workflow command of the report reached the log:\n%s", stdout)
			}
		})
	}
}

// TestTestsJSON pins the published shape.
func TestTestsJSON(t *testing.T) {
	t.Parallel()
	code, stdout, _ := runTests(t, map[string]string{"a.xml": redXML}, "--json", "a.xml")
	if code != exitFail || strings.Contains(stdout, "##[") {
		t.Errorf("exit code %d, output %s", code, stdout)
	}
	var got, want any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	const shape = `{"tests":1,"passed":0,"failed":1,"errors":0,"skipped":0,"flaky":0,"duration_seconds":0,
		"cases":[{"suite":"a","name":"one","file":"src/a.test.js","line":7,"status":"failed","duration_seconds":0,"message":"1 is not 2\n##[error]no"}]}`
	if err := json.Unmarshal([]byte(shape), &want); err != nil {
		t.Fatal(err)
	}
	gotText, _ := json.Marshal(got)
	wantText, _ := json.Marshal(want)
	if !bytes.Equal(gotText, wantText) {
		t.Errorf("got %s\nwant %s", gotText, wantText)
	}
}
