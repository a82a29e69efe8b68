package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/joshdk/go-junit"
	"gotest.tools/gotestsum/testjson"

	"github.com/org/qa-action/internal/testreport"
)

// The generated reports have 200,000 tests, of which every 50th failed.
const (
	reportTests = 200_000
	failEvery   = 50
)

const failureText = "AssertionError: expected 3 to be 4 // Object.is equality\n    at Object.toBe (/home/runner/work/app/app/src/module.test.js:5:52)\n    at run (/home/runner/work/app/app/node_modules/runner/index.js:789:3)\n"

// reportFile generates one report and gives its path.
func reportFile(b *testing.B, name string, write func(out *bytes.Buffer)) string {
	b.Helper()
	var out bytes.Buffer
	write(&out)
	path := filepath.Join(b.TempDir(), name)
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func junitReport(out *bytes.Buffer) {
	out.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"all\">\n")
	for i := range reportTests {
		if i%100 == 0 {
			if i > 0 {
				out.WriteString("</testsuite>\n")
			}
			fmt.Fprintf(out, "<testsuite name=\"com.example.Module%dTest\" tests=\"100\" failures=\"2\" time=\"0.5\">\n", i/100)
		}
		fmt.Fprintf(out, "  <testcase classname=\"com.example.Module%dTest\" name=\"does the thing number %d &amp; more\" time=\"0.00%d\"", i/100, i, i%10)
		if i%failEvery == 0 {
			fmt.Fprintf(out, ">\n    <failure message=\"expected 3 to be 4\" type=\"AssertionError\"><![CDATA[%s]]></failure>\n  </testcase>\n", failureText)
		} else {
			out.WriteString("/>\n")
		}
	}
	out.WriteString("</testsuite>\n</testsuites>\n")
}

func jestReport(out *bytes.Buffer) {
	text, _ := json.Marshal(failureText)
	fmt.Fprintf(out, `{"numFailedTests":%d,"numTotalTests":%d,"success":false,"testResults":[`, reportTests/failEvery, reportTests)
	for i := range reportTests {
		if i%100 == 0 {
			if i > 0 {
				fmt.Fprintf(out, `],"endTime":2,"message":"","name":"/home/runner/work/app/app/src/module%d.test.js","startTime":1,"status":"failed","summary":""},`, i/100-1)
			}
			out.WriteString(`{"assertionResults":[`)
		} else {
			out.WriteByte(',')
		}
		status, failures := "passed", "[]"
		if i%failEvery == 0 {
			status, failures = "failed", "["+string(text)+"]"
		}
		fmt.Fprintf(out, `{"ancestorTitles":["module","part %d"],"duration":%d,"failureDetails":[],"failureMessages":%s,"fullName":"module part %d does the thing number %d","invocations":1,"location":null,"numPassingAsserts":1,"retryReasons":[],"status":"%s","title":"does the thing number %d"}`,
			i%7, i%10, failures, i%7, i, status, i)
	}
	out.WriteString(`],"endTime":2,"message":"","name":"/home/runner/work/app/app/src/last.test.js","startTime":1,"status":"failed","summary":""}]}`)
}

func gotestReport(out *bytes.Buffer) {
	const head = `{"Time":"2026-11-20T10:00:00.123456789Z","Action":"`
	for i := range reportTests {
		pkg := fmt.Sprintf("example.com/app/pkg%d", i/1000)
		if i%1000 == 0 {
			if i > 0 {
				fmt.Fprintf(out, head+"fail\",\"Package\":\"example.com/app/pkg%d\",\"Elapsed\":0.5}\n", i/1000-1)
			}
			fmt.Fprintf(out, head+"start\",\"Package\":%q}\n", pkg)
		}
		test := fmt.Sprintf("TestThing/number_%d", i)
		line := func(action, more string) {
			fmt.Fprintf(out, head+"%s\",\"Package\":%q,\"Test\":%q%s}\n", action, pkg, test, more)
		}
		line("run", "")
		line("output", fmt.Sprintf(`,"Output":"=== RUN   %s\n"`, test))
		status := "pass"
		if i%failEvery == 0 {
			status = "fail"
			line("output", `,"Output":"    thing_test.go:12: got 3, want 4\n"`)
		}
		line("output", fmt.Sprintf(`,"Output":"    --- %s: %s (0.00s)\n"`, strings.ToUpper(status), test))
		line(status, `,"Elapsed":0`)
	}
	fmt.Fprintf(out, head+"fail\",\"Package\":\"example.com/app/pkg%d\",\"Elapsed\":0.5}\n", reportTests/1000-1)
}

// cpuSeconds is the processor time of this process and its children so far.
// Unlike the clock it says the same on a busy machine.
func cpuSeconds(b *testing.B) float64 {
	b.Helper()
	var total float64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		total += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	return total
}

// reading measures one reader on one file: MB/s, MB per second of processor
// time, and live memory after it.
func reading(b *testing.B, path string, read func() (tests, failed int, keep any)) {
	b.Helper()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	var kept any
	runtime.GC()
	start := cpuSeconds(b)
	for b.Loop() {
		tests, failed, keep := read()
		if tests < reportTests || failed < reportTests/failEvery {
			b.Fatalf("%d tests, %d failed", tests, failed)
		}
		kept = keep
	}
	b.StopTimer()
	b.ReportMetric(float64(info.Size())*float64(b.N)/1e6/(cpuSeconds(b)-start), "MB/cpu-s")
	var with, without runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&with)
	runtime.KeepAlive(kept)
	runtime.GC()
	runtime.ReadMemStats(&without)
	b.ReportMetric(max(0, float64(with.HeapAlloc)-float64(without.HeapAlloc))/(1<<20), "MiB-kept")
}

func ours(b *testing.B, path, format string) {
	reading(b, path, func() (int, int, any) {
		s, err := testreport.Read([]string{path}, testreport.Options{Format: format})
		if err != nil {
			b.Fatal(err)
		}
		t := s.Tally()
		return t.Tests, t.Failed, &s
	})
}

// floor counts lines with wc: the least any reader must do.
func floor(b *testing.B, path string) {
	reading(b, path, func() (int, int, any) {
		if err := exec.Command("wc", "-l", path).Run(); err != nil {
			b.Fatal(err)
		}
		return reportTests, reportTests, nil
	})
}

// BenchmarkTestReport compares the readers with other libraries on the same
// files in one run; docs/benchmarks.md has the numbers.
func BenchmarkTestReport(b *testing.B) {
	b.Run("junit", func(b *testing.B) {
		path := reportFile(b, "junit.xml", junitReport)
		b.Run("wc", func(b *testing.B) { floor(b, path) })
		b.Run("qa", func(b *testing.B) { ours(b, path, "junit") })
		b.Run("go-junit", func(b *testing.B) {
			reading(b, path, func() (int, int, any) {
				suites, err := junit.IngestFile(path)
				if err != nil {
					b.Fatal(err)
				}
				tests, failed := 0, 0
				for _, s := range suites {
					tests += s.Totals.Tests
					failed += s.Totals.Failed
				}
				return tests, failed, suites
			})
		})
	})
	b.Run("gotest", func(b *testing.B) {
		path := reportFile(b, "go.json", gotestReport)
		b.Run("wc", func(b *testing.B) { floor(b, path) })
		b.Run("qa", func(b *testing.B) { ours(b, path, "gotest") })
		b.Run("gotestsum", func(b *testing.B) {
			reading(b, path, func() (int, int, any) {
				f, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				defer f.Close()
				run, err := testjson.ScanTestOutput(testjson.ScanConfig{Stdout: f})
				if err != nil {
					b.Fatal(err)
				}
				return run.Total(), len(run.Failed()), run
			})
		})
	})
	b.Run("jest", func(b *testing.B) {
		path := reportFile(b, "jest.json", jestReport)
		b.Run("wc", func(b *testing.B) { floor(b, path) })
		b.Run("qa", func(b *testing.B) { ours(b, path, "jest") })
		b.Run("encoding-json", func(b *testing.B) {
			type document struct {
				TestResults []struct {
					Name, Message, Status string
					AssertionResults      []struct {
						AncestorTitles, FailureMessages []string
						Title, Status                   string
						Duration                        float64
					}
				}
			}
			reading(b, path, func() (int, int, any) {
				data, err := os.ReadFile(path)
				if err != nil {
					b.Fatal(err)
				}
				var d document
				if err := json.Unmarshal(data, &d); err != nil {
					b.Fatal(err)
				}
				tests, failed := 0, 0
				for _, f := range d.TestResults {
					for _, t := range f.AssertionResults {
						tests++
						if t.Status == "failed" {
							failed++
						}
					}
				}
				return tests, failed, &d
			})
		})
	})
}
