package testreport

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testreport/junit"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func utf16le(text string) string {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

// TestJUnitOddities is one small document per way in which writers of JUnit XML
// differ or are wrong, with everything the reader must make of it.
func TestJUnitOddities(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, doc, want string }{
		{"bare root", `<testsuite name="s"><testcase name="a"/></testsuite>`, "passed s | a"},
		{"case below the root", `<testsuites><testcase classname="c" name="a"/></testsuites>`, "passed c | a"},
		{"unknown elements are looked through", `<testsuites><package><testsuite name="s"><group><testcase name="a"/></group></testsuite></package></testsuites>`, "passed s | a"},
		{"nested suites of one name do not retry each other", `<testsuites><testsuite name="s"><testcase name="a"><failure/></testcase></testsuite><testsuite name="s"><testcase name="a"/></testsuite></testsuites>`,
			`warning tests with the name of another one, numbered: 1, for example "s > a"` + "\nfailed s | a\npassed s | a (2)"},
		{"fail then pass is a retry", `<testsuite name="s"><testcase name="a"><failure>no</failure></testcase><testcase name="a"/></testsuite>`,
			`warning entries taken together with an earlier one of the same test: 1, for example "s > a"` + "\nflaky s | a : no"},
		{"pass then fail is no retry", `<testsuite name="s"><testcase name="a"/><testcase name="a"><failure>no</failure></testcase></testsuite>`,
			`warning tests with the name of another one, numbered: 1, for example "s > a"` + "\npassed s | a\nfailed s | a (2) : no"},
		{"fail twice is one failure", `<testsuite name="s"><testcase name="a"><failure>no</failure></testcase><testcase name="a"><error>oh</error></testcase></testsuite>`,
			`warning entries taken together with an earlier one of the same test: 1, for example "s > a"` + "\nfailed s | a : no/oh"},
		{"flakyFailure", `<testsuite name="s"><testcase name="a"><flakyFailure message="no"/></testcase></testsuite>`, "flaky s | a : no"},
		{"flakyError", `<testsuite name="s"><testcase name="a"><flakyError message="no"/></testcase></testsuite>`, "flaky s | a : no"},
		{"rerunFailure beside a failure", `<testsuite name="s"><testcase name="a"><failure message="no"/><rerunFailure message="again"/></testcase></testsuite>`, "failed s | a : no/again"},
		{"rerunFailure alone", `<testsuite name="s"><testcase name="a"><rerunError message="no"/></testcase></testsuite>`, "failed s | a : no"},
		{"several failures in one case", `<testsuite name="s"><testcase name="a"><failure message="one"/><failure message="two"/><error message="three"/></testcase></testsuite>`, "failed s | a : one/two/three"},
		{"failure beats skipped", `<testsuite name="s"><testcase name="a"><skipped/><failure message="no"/></testcase></testsuite>`, "failed s | a : no"},
		{"disabled by attribute", `<testsuite name="s"><testcase name="a" status="disabled"/><testcase name="b" status="notrun"/></testsuite>`, "skipped s | a\nskipped s | b"},
		{"aborted is not passed", `<testsuite name="s"><testcase name="a" status="aborted"/></testsuite>`, "error s | a"},
		{"aborted with skipped is skipped", `<testsuite name="s"><testcase name="a" status="aborted"><skipped/></testcase></testsuite>`, "skipped s | a"},
		{"failed by attribute only", `<testsuite name="s"><testcase name="a" status="failed"/></testsuite>`, "failed s | a"},
		{"attributes that lie low", `<testsuite name="s" tests="1" failures="0"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>`,
			`warning suite "s" claims 1 tests, 0 failures; counted were 2 tests, 1 failures, 0 errors, 0 skipped` + "\npassed s | a\nfailed s | b"},
		{"failed tests that are not listed", `<testsuite name="s" tests="3" failures="1"><testcase name="a"/></testsuite>`,
			`warning suite "s" claims 3 tests, 1 failures; counted were 1 tests, 0 failures, 0 errors, 0 skipped` +
				"\nproblem crash s: the report claims 3 tests, 1 failures and does not list the failed tests; 1 tests, 0 failures, 0 errors, 0 skipped are listed\npassed s | a"},
		{"counts without cases", `<testsuites><testsuite name="s" tests="2" errors="1"/><testsuite name="t"><testcase name="a"/></testsuite></testsuites>`,
			`warning suite "s" claims 2 tests, 1 errors; counted were 0 tests, 0 failures, 0 errors, 0 skipped` +
				"\nproblem crash s: the report claims 2 tests, 1 errors and does not list the failed tests; 0 tests, 0 failures, 0 errors, 0 skipped are listed\npassed t | a"},
		{"negative and overflowing counts", `<testsuite name="s" tests="-5" failures="99999999999999999999"><testcase name="a"/></testsuite>`,
			"warning line 1: tests is \"-5\", not a number of tests\nwarning line 1: failures is \"99999999999999999999\", not a number of tests\npassed s | a"},
		{"a suite that could not start", `<testsuite name="s"><error message="no database"/><testcase name="a"/></testsuite>`, "problem crash s: no database\npassed s | a"},
		{"ISO-8859-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><testsuite name=\"s\"><testcase name=\"\xfcber\"/></testsuite>", "passed s | über"},
		{"UTF-16", utf16le(`<?xml version="1.0" encoding="UTF-16"?><testsuite name="s"><testcase name="über"/></testsuite>`), "passed s | über"},
		{"byte order mark", "\xef\xbb\xbf" + `<testsuite name="s"><testcase name="a"/></testsuite>`, "passed s | a"},
		{"raw < in an attribute", `<testsuite name="s"><testcase name="a < b"/></testsuite>`,
			"warning line 1: ill-formed XML (raw \"<\", control characters, unknown entities, broken text), read as it stands: 1\npassed s | a < b"},
		{"control characters", "<testsuite name=\"s\"><testcase name=\"a\x01b\"><failure message=\"&#27;[31mred&#x1B;[0m\">\x1b[1mx</failure></testcase></testsuite>",
			"warning line 1: ill-formed XML (raw \"<\", control characters, unknown entities, broken text), read as it stands: 3\nfailed s | ab : red"},
		{"unknown entities", `<!DOCTYPE x [<!ENTITY a "b">]><testsuite name="s"><testcase name="&a;"/></testsuite>`,
			"warning line 1: ill-formed XML (raw \"<\", control characters, unknown entities, broken text), read as it stands: 1\npassed s | &a;"},
		{"durations", `<testsuite name="s"><testcase name="a" time="1,234.5"/><testcase name="b" time="0,5"/><testcase name="c" time="NaN"/><testcase name="d" time="-1"/></testsuite>`,
			"passed s | a 1234.500\npassed s | b 0.500\npassed s | c\npassed s | d"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := ReadFrom(strings.NewReader(tc.doc), "r", Options{Format: "junit"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, brief(s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// brief is a suite in a few words.
func brief(s qa.Suite) string {
	var lines []string
	for _, w := range s.Warnings {
		lines = append(lines, "warning "+strings.TrimPrefix(w, "r: "))
	}
	for _, p := range s.Problems {
		lines = append(lines, fmt.Sprintf("problem %s %s: %s", p.Kind, p.Where, p.Message))
	}
	for _, c := range s.Cases {
		text := fmt.Sprintf("%s %s | %s", c.Status, c.Suite, c.Name)
		if c.Seconds > 0 {
			text += fmt.Sprintf(" %.3f", c.Seconds)
		}
		if c.Message != "" {
			text += " : " + strings.ReplaceAll(c.Message, "\n", "/")
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// TestErrors pins what is said of reports that cannot be relied on.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, format, doc string
		kind              error
		says              string
		cases             int
	}{
		{"junit without tests", "junit", `<testsuites name="x" tests="0"/>`, collect.ErrNoTests, "r: report holds no test", 0},
		{"junit claims only", "junit", `<testsuite name="x" tests="3" failures="2"/>`, collect.ErrNoTests, "expected at least one test; x: the report claims 3 tests, 2 failures", 0},
		{"junit cut off", "junit", "<testsuite>\n<testcase name=\"a\"/>\n<testcase name=\"b\">", collect.ErrTruncated, "r:3: report ends too early", 1},
		{"junit broken", "junit", "<testsuite>\n<testcase name=\"a\"/>\n</testsuites>", collect.ErrFormat, "r:3: not a readable test report", 1},
		{"NUnit without tests", "", `<?xml version="1.0"?><test-run id="2" testcasecount="1"></test-run>`, collect.ErrNoTests, "", 0},
		{"NUnit as JUnit", "junit", `<?xml version="1.0"?><test-run id="2" testcasecount="1"></test-run>`, collect.ErrFormat, "r:1: not a readable test report", 0},
		{"TRX as NUnit", "nunit", `<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"/>`, collect.ErrFormat, "expected <test-run> or <test-results> as root", 0},
		{"Dart that ends in a test", "dart", "{\"protocolVersion\":\"0.1.1\",\"type\":\"start\"}\n{\"test\":{\"id\":1,\"name\":\"a\"},\"type\":\"testStart\"}\n{\"success\":true,\"type\":\"done\"}\n", collect.ErrNoTests, "1 tests began", 0},
		{"coverage", "junit", "<?xml version=\"1.0\"?>\n<coverage/>", collect.ErrFormat, "r:2: not a readable test report: found <coverage>, expected <testsuites> or <testsuite> as root", 0},
		{"jest without tests", "jest", `{"numTotalTests":0,"success":true,"testResults":[]}`, collect.ErrNoTests, "", 0},
		{"jest without results", "jest", `{"numTotalTests":0,"success":true}`, collect.ErrFormat, `expected a "testResults" list`, 0},
		{"jest cut off", "jest", "{\"success\":true,\n\"testResults\":[{\"assertionResults\":[{\"title\":\"a\",\"status\":\"passed\"},", collect.ErrTruncated, "r:2: report ends too early", 1},
		{"mocha without lists", "mocha", `{"stats":{"tests":1}}`, collect.ErrFormat, `the lists "passes", "failures" and "pending"`, 0},
		{"ctrf without tests", "ctrf", `{"reportFormat":"CTRF","results":{"tool":{"name":"x"}}}`, collect.ErrFormat, `"results.tests"`, 0},
		{"gotest without events", "gotest", `{"Time":"now"}` + "\n", collect.ErrFormat, "events of go test -json", 0},
		{"gotest of no test", "gotest", `{"Action":"start","Package":"p"}` + "\n" + `{"Action":"skip","Package":"p"}` + "\n", collect.ErrNoTests, "", 0},
		{"gotest cut off", "gotest", `{"Action":"run","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Pack`, collect.ErrTruncated, "r:2: report ends too early, expected a whole event", 1},
		{"tap without a plan", "tap", "TAP version 13\nok 1 - a\n", collect.ErrTruncated, "a plan such as", 1},
		{"tap of no test", "", "TAP version 13\n1..0 # SKIP no database\n", collect.ErrNoTests, "", 0},
		{"unknown", "", "PASS: a\nFAIL: b\n", collect.ErrFormat, "expected one of bun, ctrf, dart, deno, gotest, gradle, jest, junit, libtest, maven, mocha, nodetap, nunit, outside, rspec, tap, trx, vitest, xunit", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := ReadFrom(strings.NewReader(tc.doc), "r", Options{Format: tc.format})
			if !errors.Is(err, tc.kind) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v", err)
			}
			if len(s.Cases) != tc.cases {
				t.Errorf("kept %d cases, want %d", len(s.Cases), tc.cases)
			}
		})
	}
}

// TestHostileSizes feeds documents that grow without end in one place; the
// suite must stay within the stated bounds.
func TestHostileSizes(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	long := strings.Repeat("x", 3<<20)
	for name, doc := range map[string]string{
		"junit name":    `<testsuite name="s"><testcase name="` + long + `"><failure message="` + long + `">` + long + `</failure></testcase></testsuite>`,
		"junit nesting": `<testsuite name="s"><testcase name="a"><failure/></testcase>` + strings.Repeat("<a>", 1_000_000),
		"jest":          `{"success":false,"testResults":[{"name":"` + long + `","assertionResults":[{"title":"` + long + `","status":"failed","failureMessages":["` + long + `","` + long + `"]}]}]}`,
		"jest nesting":  `{"success":false,"x":` + strings.Repeat("[", 3_000_000) + strings.Repeat("]", 3_000_000) + `,"testResults":[{"assertionResults":[{"title":"a","status":"failed"}]}]}`,
		"gotest output": `{"Action":"run","Package":"p","Test":"TestA"}` + "\n" + strings.Repeat(`{"Action":"output","Package":"p","Test":"TestA","Output":"`+strings.Repeat("y", 1000)+`\n"}`+"\n", 3000) + `{"Action":"fail","Package":"p","Test":"TestA"}` + "\n",
		"gotest line":   `{"Action":"run","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"output","Package":"p","Test":"TestA","Output":"` + long + `"}` + "\n" + `{"Action":"fail","Package":"p","Test":"TestA"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := ReadFrom(strings.NewReader(doc), "r", Options{})
			if len(s.Cases) != 1 || !s.Cases[0].Status.Bad() {
				t.Fatalf("got %d cases, %v", len(s.Cases), err)
			}
			c := s.Cases[0]
			if len(c.Name) > collect.MaxName || len(c.Message) > collect.MaxMessage || len(c.Output) > collect.MaxOutput || len(c.File) > collect.MaxName {
				t.Errorf("name %d, message %d, output %d, file %d bytes", len(c.Name), len(c.Message), len(c.Output), len(c.File))
			}
		})
	}
}

// TestSeveralFiles joins the reports of one run.
func TestSeveralFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name, text string) string {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return at
	}
	good := path("good.xml", `<testsuite name="s" time="1"><testcase name="a"/></testsuite>`)
	bad := path("bad.xml", `<testsuite name="s" time="2"><testcase name="a"><failure message="no"/></testcase></testsuite>`)
	none := path("none.xml", `<testsuite name="t" tests="0"/>`)
	setup := path("setup.xml", `<testsuite name="u"><testcase name="" classname="U"><error message="no database"/></testcase></testsuite>`)
	empty := path("empty.xml", "")
	for _, tc := range []struct {
		name  string
		files []string
		want  string
		kind  error
	}{
		{"the same file twice", []string{good, good}, "passed s | a", nil},
		{"a failure in one job of a matrix stays one", []string{bad, good},
			`warning tests that are in several reports, counted for each: 1, for example "s > a"` + "\nfailed s | a : no\npassed s | a (2)", nil},
		{"no tests beside others", []string{good, none}, "warning DIR/none.xml: holds no test\npassed s | a", nil},
		{"a broken class beside others", []string{good, setup}, "problem setup U: no database\npassed s | a", nil},
		{"a broken class alone", []string{setup}, "problem setup U: no database", collect.ErrNoTests},
		{"an empty file beside others", []string{good, empty}, "passed s | a", collect.ErrEmpty},
		{"nothing", nil, "", collect.ErrNoTests},
	} {
		s, err := Read(tc.files, Options{})
		if diff := cmp.Diff(tc.want, strings.ReplaceAll(brief(s), dir, "DIR")); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		if !errors.Is(err, tc.kind) || (err != nil) != (tc.kind != nil) {
			t.Errorf("%s: got error %v, want %v", tc.name, err, tc.kind)
		}
	}
}

// TestPlaces maps file names of reports into a tree, and never out of it.
func TestPlaces(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, f := range []string{"src/a.test.js", "packages/web/src/b.test.js", "packages/web/tests/test_sum.py", "tests/test_sum.py", "pkg/x_test.go", "go.mod"} {
		path := filepath.Join(root, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("module example.com/m\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc", filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	p, err := collect.NewPlaces(root, "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	report := filepath.Join(root, "packages", "web", "junit.xml")
	for name, want := range map[string]string{
		root + "/src/a.test.js":             "src/a.test.js",
		"file://" + root + "/src/a.test.js": "src/a.test.js",
		"src/a.test.js":                     "src/a.test.js",
		"./src/a.test.js":                   "src/a.test.js",
		"/builds/job/7/src/a.test.js":       "src/a.test.js",
		`C:\agent\1\s\src\a.test.js`:        "src/a.test.js",
		`src\a.test.js`:                     "src/a.test.js",
		"app/src/a.test.js":                 "src/a.test.js",
		"src/b.test.js":                     "packages/web/src/b.test.js", // relative to the report
		"src/gone.test.js":                  "src/gone.test.js",           // inside, deleted since
		"../../etc/passwd":                  "",
		"/etc/passwd":                       "",
		root + "/../other/a.js":             "",
		"out/passwd":                        "out/passwd", // inside by name; never opened
		"":                                  "",
	} {
		got, ok := p.Relative(report, name)
		if got != want || ok != (want != "" || name == "") {
			t.Errorf("%q: got %q, %v; want %q", name, got, ok, want)
		}
	}
	if at, ok := p.GoFile("example.com/m/pkg", "x_test.go"); at != "pkg/x_test.go" || !ok {
		t.Errorf("go file: %q %v", at, ok)
	}
	if at := junit.PythonModule(p, "tests.test_sum.TestClass"); at != "tests/test_sum.py" {
		t.Errorf("python module: %q", at)
	}
	inside, err := collect.NewPlaces(root, "packages/web")
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	for name, want := range map[string]string{
		"src/b.test.js":              "packages/web/src/b.test.js",
		"packages/web/src/b.test.js": "packages/web/src/b.test.js",
		"../../src/a.test.js":        "src/a.test.js",
		"../src/a.test.js":           "src/a.test.js",                  // no such file there: the longest end that is one
		"tests/test_sum.py":          "packages/web/tests/test_sum.py", // both have one
		"src/a.test.js":              "src/a.test.js",                  // the root has it alone
	} {
		if got, _ := inside.Relative("/tmp/kept/pytest.xml", name); got != want {
			t.Errorf("from packages/web, %q is %q, want %q", name, got, want)
		}
	}
	if at := junit.PythonModule(inside, "tests.test_sum"); at != "packages/web/tests/test_sum.py" {
		t.Errorf("python module of packages/web: %q", at)
	}
	if _, err := collect.NewPlaces("relative", ""); err == nil {
		t.Error("a relative root was taken")
	}
}

// TestNamesakesOfAFailedRun: where the command failed, a test that fails before one of its
// name that passes is another test, unless the writer says that it tried again.
func TestNamesakesOfAFailedRun(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		`<testsuite name="s"><testcase name="a"><failure>no</failure></testcase><testcase name="a"/></testsuite>`: `warning tests with the name of another one, numbered: 1, for example "s > a"` + "\nfailed s | a : no\npassed s | a (2)",
		`<testsuite name="s"><testcase name="a"><flakyFailure message="no"/></testcase></testsuite>`:              "flaky s | a : no",
	} {
		s, err := ReadFrom(strings.NewReader(doc), "r", Options{Format: "junit", Failed: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, brief(s)); diff != "" {
			t.Error(diff)
		}
	}
}
