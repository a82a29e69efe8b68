// Package bench compares the readers with their peers on the same generated
// files in one run. See docs/benchmarks.md for numbers and for how to run it.
package bench

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/cover"

	"github.com/org/qa-action/internal/coverage"
	"github.com/org/qa-action/internal/process"
)

// The generated reports describe lines lines in files of linesPerFile, a third
// of them not covered, every tenth with a branch.
const (
	coverageLines = 1_000_000
	linesPerFile  = 250
)

// coverageReport is one generated report.
type coverageReport struct {
	name  string // format and peculiarity
	file  string
	write func(w io.Writer)
}

var coverageReports = []coverageReport{
	{"lcov", "lcov.info", writeLCOV},
	{"istanbul", "coverage-final.json", writeIstanbul},
	{"coveragepy", "coverage.json", writeCoveragepy},
	{"gocover", "cover.out", writeGocover},
	{"cobertura", "cobertura.xml", writeCobertura},
	{"clover", "clover.xml", writeClover},
	{"jacoco", "jacoco.xml", writeJacoco},
}

func hits(line int) int { return line % 3 * 7 }

func eachFile(f func(i int, name string)) {
	for i := range coverageLines / linesPerFile {
		f(i, fmt.Sprintf("src/module%d/file%d", i%40, i))
	}
}

func writeLCOV(w io.Writer) {
	eachFile(func(_ int, name string) {
		fmt.Fprintf(w, "TN:\nSF:%s.js\nFN:1,main\nFNDA:7,main\nFNF:1\nFNH:1\n", name)
		for n := 1; n <= linesPerFile; n++ {
			fmt.Fprintf(w, "DA:%d,%d\n", n, hits(n))
			if n%10 == 0 {
				fmt.Fprintf(w, "BRDA:%d,%d,0,%d\nBRDA:%d,%d,1,0\n", n, n/10, hits(n), n, n/10)
			}
		}
		fmt.Fprintf(w, "LF:%d\nLH:%d\nend_of_record\n", linesPerFile, linesPerFile-linesPerFile/3)
	})
}

func writeIstanbul(w io.Writer) {
	io.WriteString(w, "{")
	eachFile(func(i int, name string) {
		if i > 0 {
			io.WriteString(w, ",")
		}
		fmt.Fprintf(w, "%q: {\"path\":%q,\"statementMap\":{", name+".js", name+".js")
		for n := 1; n <= linesPerFile; n++ {
			fmt.Fprintf(w, "%s\"%d\":{\"start\":{\"line\":%d,\"column\":2},\"end\":{\"line\":%d,\"column\":31}}", comma(n), n-1, n, n)
		}
		io.WriteString(w, `},"fnMap":{"0":{"name":"main","decl":{"start":{"line":1,"column":0},"end":{"line":1,"column":9}},"loc":{"start":{"line":1,"column":0},"end":{"line":9,"column":1}},"line":1}},"branchMap":{},"s":{`)
		for n := 1; n <= linesPerFile; n++ {
			fmt.Fprintf(w, "%s\"%d\":%d", comma(n), n-1, hits(n))
		}
		io.WriteString(w, "},\"f\":{\"0\":7},\"b\":{}}\n")
	})
	io.WriteString(w, "}\n")
}

func comma(n int) string {
	if n > 1 {
		return ","
	}
	return ""
}

// writeCoveragepy repeats the lines for a function and a class, as versions from
// 7.6 do.
func writeCoveragepy(w io.Writer) {
	io.WriteString(w, `{"meta": {"format": 3, "version": "7.11.0", "branch_coverage": false}, "files": {`)
	eachFile(func(i int, name string) {
		executed, missing, covered := "", "", 0
		for n := 1; n <= linesPerFile; n++ {
			if hits(n) > 0 {
				covered++
				executed += fmt.Sprintf("%s%d", separator(executed), n)
			} else {
				missing += fmt.Sprintf("%s%d", separator(missing), n)
			}
		}
		region := fmt.Sprintf(`{"executed_lines": [%s], "summary": {"covered_lines": %d, "num_statements": %d, "percent_covered": 66.66, "percent_covered_display": "67", "missing_lines": %d, "excluded_lines": 0}, "missing_lines": [%s], "excluded_lines": []`,
			executed, covered, linesPerFile, linesPerFile-covered, missing)
		fmt.Fprintf(w, `%s"%s.py": %s, "functions": {"main": %s, "start_line": 1}, "": {"executed_lines": []}}, "classes": {"": %s}}}`, separator(name[:min(i, 1)]), name, region, region, region)
	})
	io.WriteString(w, `}, "totals": {}}`)
}

func separator(before string) string {
	if before == "" {
		return ""
	}
	return ", "
}

// writeGocover writes blocks of two lines, and the whole twice, as -coverpkg does.
func writeGocover(w io.Writer) {
	io.WriteString(w, "mode: count\n")
	for range 2 {
		eachFile(func(_ int, name string) {
			for n := 1; n <= linesPerFile; n += 2 {
				fmt.Fprintf(w, "example.com/app/%s.go:%d.13,%d.27 2 %d\n", name, n, n+1, hits(n))
			}
		})
	}
}

func writeCobertura(w io.Writer) {
	io.WriteString(w, "<?xml version=\"1.0\" ?>\n<coverage lines-valid=\"1\" line-rate=\"0.5\">\n <packages>\n  <package name=\"app\">\n   <classes>\n")
	eachFile(func(_ int, name string) {
		fmt.Fprintf(w, "    <class name=\"c\" filename=\"%s.py\" line-rate=\"0.5\">\n     <methods/>\n     <lines>\n", name)
		for n := 1; n <= linesPerFile; n++ {
			if n%10 == 0 {
				fmt.Fprintf(w, "      <line number=\"%d\" hits=\"%d\" branch=\"true\" condition-coverage=\"50%% (1/2)\"/>\n", n, hits(n))
				continue
			}
			fmt.Fprintf(w, "      <line number=\"%d\" hits=\"%d\"/>\n", n, hits(n))
		}
		io.WriteString(w, "     </lines>\n    </class>\n")
	})
	io.WriteString(w, "   </classes>\n  </package>\n </packages>\n</coverage>\n")
}

func writeClover(w io.Writer) {
	io.WriteString(w, "<?xml version=\"1.0\"?>\n<coverage generated=\"1\">\n <project timestamp=\"1\">\n")
	eachFile(func(_ int, name string) {
		fmt.Fprintf(w, "  <file name=\"%s.php\">\n", name)
		for n := 1; n <= linesPerFile; n++ {
			fmt.Fprintf(w, "   <line num=\"%d\" type=\"stmt\" count=\"%d\"/>\n", n, hits(n))
		}
		io.WriteString(w, "  </file>\n")
	})
	io.WriteString(w, " </project>\n</coverage>\n")
}

func writeJacoco(w io.Writer) {
	io.WriteString(w, "<?xml version=\"1.0\"?><report name=\"app\">")
	eachFile(func(i int, _ string) {
		fmt.Fprintf(w, "<package name=\"com/app/p%d\"><sourcefile name=\"F%d.java\">", i%40, i)
		for n := 1; n <= linesPerFile; n++ {
			fmt.Fprintf(w, "<line nr=\"%d\" mi=\"%d\" ci=\"%d\" mb=\"0\" cb=\"0\"/>", n, 3-n%3, n%3)
		}
		io.WriteString(w, "</sourcefile></package>")
	})
	io.WriteString(w, "</report>")
}

// generate writes a report once for the whole benchmark and gives its path.
func generate(tb testing.TB, r coverageReport) (path string, size int64) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), r.file)
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	r.write(w)
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return path, info.Size()
}

// measure reports, beside the time on the wall, the processor time of the whole
// process and its children: on a machine that does other things it is the number
// to compare.
func measure(b *testing.B, size int64) (done func()) {
	b.SetBytes(size)
	b.ReportAllocs()
	before := processorTime(b)
	return func() {
		spent := processorTime(b) - before
		b.ReportMetric(float64(size)*float64(b.N)/1e6/spent.Seconds(), "MB/cpu-s")
	}
}

func processorTime(tb testing.TB) time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			tb.Fatal(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// BenchmarkCoverage reads each format from a file of a million lines.
func BenchmarkCoverage(b *testing.B) {
	for _, r := range coverageReports {
		b.Run(r.name, func(b *testing.B) {
			path, size := generate(b, r)
			defer measure(b, size)()
			for b.Loop() {
				cov, err := coverage.Read([]string{path}, coverage.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if cov.Lines.Total != coverageLines {
					b.Fatalf("%d lines", cov.Lines.Total)
				}
			}
		})
	}
}

// BenchmarkCoveragePeers reads the same files with what else there is; programs
// that are not installed are left out.
func BenchmarkCoveragePeers(b *testing.B) {
	report := func(name string) coverageReport {
		i := slices.IndexFunc(coverageReports, func(r coverageReport) bool { return r.name == name })
		return coverageReports[i]
	}
	for _, r := range []coverageReport{report("lcov"), report("istanbul"), report("cobertura")} {
		program(b, r, "wc", "-l", r.file)
	}
	program(b, report("lcov"), "lcov", "--summary", "lcov.info")
	for _, r := range []coverageReport{report("lcov"), report("cobertura")} {
		program(b, r, "diff-cover", r.file, "--diff-file", "one.diff", "-q")
	}
	b.Run("gocover/x-tools", func(b *testing.B) {
		path, size := generate(b, report("gocover"))
		defer measure(b, size)()
		for b.Loop() {
			profiles, err := cover.ParseProfiles(path)
			if err != nil || len(profiles) != coverageLines/linesPerFile {
				b.Fatal(len(profiles), err)
			}
		}
	})
	b.Run("cobertura/encoding-xml", func(b *testing.B) {
		path, size := generate(b, report("cobertura"))
		defer measure(b, size)()
		for b.Loop() {
			var doc struct {
				Classes []struct {
					Filename string `xml:"filename,attr"`
					Lines    []struct {
						Number    int    `xml:"number,attr"`
						Hits      int    `xml:"hits,attr"`
						Condition string `xml:"condition-coverage,attr"`
					} `xml:"lines>line"`
				} `xml:"packages>package>classes>class"`
			}
			decode(b, path, func(r io.Reader) error { return xml.NewDecoder(r).Decode(&doc) })
			if len(doc.Classes) != coverageLines/linesPerFile {
				b.Fatal(len(doc.Classes))
			}
		}
	})
	b.Run("istanbul/encoding-json", func(b *testing.B) {
		path, size := generate(b, report("istanbul"))
		defer measure(b, size)()
		for b.Loop() {
			var doc map[string]struct {
				Path         string `json:"path"`
				StatementMap map[string]struct {
					Start struct {
						Line int `json:"line"`
					} `json:"start"`
				} `json:"statementMap"`
				S map[string]int   `json:"s"`
				F map[string]int   `json:"f"`
				B map[string][]int `json:"b"`
			}
			decode(b, path, func(r io.Reader) error { return json.NewDecoder(r).Decode(&doc) })
			if len(doc) != coverageLines/linesPerFile {
				b.Fatal(len(doc))
			}
		}
	})
}

func decode(b *testing.B, path string, read func(io.Reader) error) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := read(bufio.NewReader(f)); err != nil {
		b.Fatal(err)
	}
}

// program runs a command line in the folder of the generated report.
func program(b *testing.B, r coverageReport, argv ...string) {
	if _, err := process.LookPath(argv[0]); err != nil {
		b.Logf("%s is not installed, no comparison", argv[0])
		return
	}
	b.Run(r.name+"/"+argv[0], func(b *testing.B) {
		path, size := generate(b, r)
		dir := filepath.Dir(path)
		diff := "diff --git a/src/module0/file0.js b/src/module0/file0.js\n--- a/src/module0/file0.js\n+++ b/src/module0/file0.js\n@@ -1,0 +1,1 @@\n+x\n"
		if err := os.WriteFile(filepath.Join(dir, "one.diff"), []byte(diff+strings.ReplaceAll(diff, ".js", ".py")), 0o600); err != nil {
			b.Fatal(err)
		}
		run := func(argv ...string) {
			res, err := process.Run(b.Context(), process.Command{Argv: argv, Dir: dir, Env: os.Environ()})
			if err != nil || res.ExitCode != 0 {
				b.Fatalf("%v: %v, exit %d: %s", argv, err, res.ExitCode, res.Stderr)
			}
		}
		if argv[0] == "diff-cover" { // wants a repository
			run("git", "init", "-q")
		}
		defer measure(b, size)()
		for b.Loop() {
			run(argv...)
		}
	})
}
