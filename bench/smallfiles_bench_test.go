package bench

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// smallFiles is how many source files a report names that has little to say of each.
const smallFiles = 178_000

// smallReports say three or four lines of each file.
var smallReports = []struct {
	name, ext, head, end string
	file                 func(w io.Writer, i int, path string)
}{
	{"lcov.info", ".ts", "", "", func(w io.Writer, i int, path string) {
		fmt.Fprintf(w, "TN:\nSF:%s\nFN:1,f\nFNDA:%d,f\nFNF:1\nFNH:1\nDA:1,1\nDA:2,%d\nDA:3,0\nDA:5,%d\nBRDA:2,0,0,1\nBRDA:2,0,1,0\nBRF:2\nBRH:1\nend_of_record\n", path, i%3, i%3, i%7)
	}},
	{"coverage-final.json", ".ts", "{", "}", func(w io.Writer, i int, path string) {
		fmt.Fprintf(w, `%s%q:{"path":%q,"statementMap":{"0":{"start":{"line":1,"column":2},"end":{"line":1,"column":20}},"1":{"start":{"line":2,"column":2},"end":{"line":2,"column":30}}},`, comma(i+1), path, path)
		fmt.Fprintf(w, `"fnMap":{"0":{"name":"f","decl":{"start":{"line":1,"column":2},"end":{"line":1,"column":9}},"line":1}},"branchMap":{},"s":{"0":1,"1":%d},"f":{"0":%d},"b":{}}`, i%3, i%3)
	}},
	{"cover.out", ".go", "mode: set\n", "", func(w io.Writer, i int, path string) {
		fmt.Fprintf(w, "example.com/shop/%[1]s:3.25,5.2 2 %[2]d\nexample.com/shop/%[1]s:7.30,9.16 1 1\nexample.com/shop/%[1]s:9.16,11.3 1 0\n", path, i%2)
	}},
	{"cobertura.xml", ".py", `<coverage line-rate="0.5"><packages><package name="p"><classes>`, "</classes></package></packages></coverage>", func(w io.Writer, i int, path string) {
		fmt.Fprintf(w, "<class name=\"c%d\" filename=%q complexity=\"0\" line-rate=\"0.5\" branch-rate=\"0\">\n<methods/>\n<lines>\n<line number=\"1\" hits=\"1\"/>\n<line number=\"2\" hits=\"%d\"/>\n<line number=\"4\" hits=\"0\" branch=\"true\" condition-coverage=\"50%% (1/2)\"/>\n</lines>\n</class>\n", i, path, i%3)
	}},
}

// BenchmarkCoverageSmallFiles runs the built program, bin/qa or the one that QA names,
// on reports of many small files in a tree that has all of them. It reports processor
// time and the peak of resident memory of the whole process.
func BenchmarkCoverageSmallFiles(b *testing.B) {
	qa, err := filepath.Abs(filepath.Join("..", "bin", "qa"))
	if name := os.Getenv("QA"); name != "" {
		qa = name
	}
	if _, missing := os.Stat(qa); err != nil || missing != nil {
		b.Skip("no program at ", qa, ": make build")
	}
	for _, r := range smallReports {
		b.Run(r.name, func(b *testing.B) {
			root := b.TempDir()
			report := filepath.Join(b.TempDir(), r.name)
			out, err := os.Create(report)
			if err != nil {
				b.Fatal(err)
			}
			w := bufio.NewWriter(out)
			io.WriteString(w, r.head)
			for i := range smallFiles {
				path := fmt.Sprintf("src/module%03d/feature%02d/component%06d%s", i/450, i/15%30, i, r.ext)
				if i%15 == 0 {
					os.MkdirAll(filepath.Join(root, filepath.Dir(path)), 0o755)
				}
				if err := os.WriteFile(filepath.Join(root, path), nil, 0o600); err != nil {
					b.Fatal(err)
				}
				r.file(w, i, path)
			}
			io.WriteString(w, r.end)
			os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/shop\n"), 0o600)
			if err := w.Flush(); err != nil {
				b.Fatal(err)
			}
			info, err := out.Stat()
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
				if err != nil {
					b.Fatal(err)
				}
				p, err := os.StartProcess(qa, []string{"qa", "coverage", "--root", root, report}, &os.ProcAttr{Files: []*os.File{null, null, os.Stderr}})
				if err != nil {
					b.Fatal(err)
				}
				ended, err := p.Wait()
				if err != nil || !ended.Success() {
					b.Fatal(ended, err)
				}
				spent := ended.UserTime() + ended.SystemTime()
				peak := float64(ended.SysUsage().(*syscall.Rusage).Maxrss) * 1024
				b.ReportMetric(float64(info.Size())/1e6/spent.Seconds(), "MB/cpu-s")
				b.ReportMetric(peak/1e6, "MB-peak")
				b.ReportMetric(peak/float64(info.Size()), "peak-B/B")
				null.Close()
			}
		})
	}
}
