package coverage

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// written is a report that is made while it is read: head, n pieces, tail.
type written struct {
	head, tail string
	piece      func(i int) string
	n, at      int
	rest       []byte
}

func (w *written) Read(p []byte) (int, error) {
	for len(w.rest) == 0 {
		switch {
		case w.at == 0:
			w.rest = []byte(w.head)
		case w.at <= w.n:
			for i := 0; i < 1000 && w.at <= w.n; i++ {
				w.rest = append(w.rest, w.piece(w.at-1)...)
				w.at++
			}
			w.at--
		case w.at == w.n+1:
			w.rest = []byte(w.tail)
		default:
			return 0, io.EOF
		}
		w.at++
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// little is room that a test fills at once.
func little() *measured.Room {
	return &measured.Room{Most: [...]int{measured.OfFiles: 200, measured.OfLines: 20_000, measured.OfUnits: 20_000, measured.OfFunctions: 2_000, measured.OfNames: 100_000}}
}

func TestLimits(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	record := func(body string) func(int) string {
		return func(i int) string { return fmt.Sprintf("SF:f%d\n"+body+"end_of_record\n", i) }
	}
	thousand := func(format string) string {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, format, i+1)
		}
		return b.String()
	}
	for _, tt := range []struct {
		format   string
		document written
		most     int // pieces
		want     string
	}{
		{"lcov", written{head: "TN:\n", piece: record("DA:1,1\n")}, 200, "200 files"},
		{"istanbul", written{head: "{", tail: `"total":0}`, piece: func(i int) string {
			return fmt.Sprintf(`"f%d":{"lines":{"total":1,"covered":1}},`, i)
		}}, 200, "200 files"},
		{"gocover", written{head: "mode: set\n", piece: func(i int) string { return fmt.Sprintf("f%d.go:1.1,1.9 1 1\n", i) }}, 200, "200 files"},
		{"cobertura", written{head: "<coverage line-rate='1'>", tail: "</coverage>", piece: func(i int) string {
			return fmt.Sprintf("<class filename='f%d'><line number='1' hits='1'/></class>", i)
		}}, 200, "200 files"},
		{"clover", written{head: "<coverage><project>", tail: "</project></coverage>", piece: func(i int) string {
			return fmt.Sprintf("<file name='f%d' path='f%[1]d'><line num='1' count='1' type='stmt'/></file>", i)
		}}, 200, "200 files"},
		{"jacoco", written{head: "<report name='r'><package name='p'>", tail: "</package></report>", piece: func(i int) string {
			return fmt.Sprintf("<sourcefile name='f%d'><line nr='1' mi='0' ci='1' mb='0' cb='0'/></sourcefile>", i)
		}}, 200, "200 files"},
		{"lcov", written{head: "TN:\nSF:a\n", tail: "end_of_record\n", piece: func(i int) string { return fmt.Sprintf("DA:%d,1\n", i+1) }}, 20_000, "20000 executable lines"},
		{"lcov", written{head: "TN:\n", piece: record(thousand("DA:%d,1\n"))}, 20, "20000 executable lines"},
		{"gocover", written{head: "mode: set\n", piece: func(i int) string { return fmt.Sprintf("f%d.go:1.1,1000.9 1 1\n", i) }}, 20, "20000 executable lines"},
		{"cobertura", written{head: "<coverage line-rate='1'>", tail: "</coverage>", piece: func(i int) string {
			return fmt.Sprintf("<class filename='f%d'><methods><method name='m'>%s</method></methods></class>", i, thousand("<line number='%d' hits='1'/>"))
		}}, 20, "20000 executable lines"},
		{"coveragepy", written{head: `{"meta":{"version":"7"},"files":{`, tail: `"z":{"executed_lines":[],"missing_lines":[],"excluded_lines":[],"summary":{"covered_lines":0}}}}`, piece: func(i int) string {
			return fmt.Sprintf(`"f%d":{"executed_lines":[0,%s],"missing_lines":[],"excluded_lines":[],"summary":{"covered_lines":999}},`, i, strings.TrimSuffix(thousand("%d,"), ",1000,"))
		}}, 20, "20000 executable lines"},
		{"lcov", written{head: "TN:\n", piece: record("DA:1,1\n" + thousand("BRDA:1,0,%d,1\n"))}, 20, "20000 branch arms and statements"},
		{"gocover", written{head: "mode: set\n", piece: func(i int) string { return fmt.Sprintf("f.go:1.%d,1.%d 1 1\n", i, i+1) }}, 20_000, "20000 branch arms and statements"},
		{"istanbul", written{head: `{"a":{"s":{},"statementMap":{`, tail: `"x":{"start":{"line":1}}}}}`, piece: func(i int) string {
			return fmt.Sprintf(`"%d":{"start":{"line":%[1]d}},`, i+1)
		}}, 19_000, "20000 branch arms and statements"},
		{"lcov", written{head: "TN:\nSF:a\n", tail: "DA:1,1\nend_of_record\n", piece: func(i int) string { return fmt.Sprintf("FN:1,f%d\n", i) }}, 2_000, "2000 functions"},
		{"lcov", written{head: "TN:\nSF:a\n", tail: "DA:1,1\nend_of_record\n", piece: func(i int) string { return fmt.Sprintf("FN:1,%04d%s\n", i, strings.Repeat("n", 996)) }}, 99, "100000 bytes of names"},
	} {
		t.Run(tt.format+" "+tt.want, func(t *testing.T) {
			t.Parallel()
			for _, more := range []bool{false, true} {
				doc := tt.document
				if doc.n = tt.most; more {
					doc.n += 1 + tt.most/4
				}
				cov, err := parse(&doc, "r", Options{Format: tt.format}, everything(t), little())
				if more {
					assert.ErrorIs(t, err, measured.ErrLimit)
					assert.ErrorContains(t, err, "more than "+tt.want)
					assert.ErrorContains(t, err, "; measure parts of the repository")
					assert.Assert(t, cov == nil)
					continue
				}
				assert.NilError(t, err)
				assert.Assert(t, cov.Lines.Total > 0)
			}
		})
	}
}

// TestCountersNamedAgain: keys of JSON may repeat, and each branch would take
// all arms of the counter.
func TestCountersNamedAgain(t *testing.T) {
	t.Parallel()
	doc := &written{head: `{"a":{"statementMap":{},"fnMap":{},"b":{"0":[` + strings.TrimSuffix(strings.Repeat("1,", 1000), ",") + `]},"branchMap":{`,
		tail: `"0":{"line":1}}}}`, n: 1000, piece: func(int) string { return `"0":{"line":1},` }}
	_, err := parse(doc, "r", Options{Format: "istanbul"}, everything(t), little())
	assert.ErrorIs(t, err, measured.ErrLimit)
}

// TestLimitsAreOfAllReports: many files do not get around them.
func TestLimitsAreOfAllReports(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	for n := range 3 {
		path := filepath.Join(dir, fmt.Sprint(n))
		f, err := os.Create(path)
		assert.NilError(t, err)
		_, err = io.Copy(f, &written{head: "TN:\n", n: measured.MaxFiles / 2, piece: func(i int) string { return fmt.Sprintf("SF:%d/%d\nDA:1,1\nend_of_record\n", n, i) }})
		assert.NilError(t, err)
		assert.NilError(t, f.Close())
		paths = append(paths, path)
	}
	_, err := Read(paths[:2], Options{})
	assert.NilError(t, err)
	_, err = Read(paths, Options{})
	assert.ErrorIs(t, err, measured.ErrLimit)
	assert.ErrorContains(t, err, paths[2])
}

// everything is a tree without a repository.
func everything(t *testing.T) *measured.Tree {
	t.Helper()
	all, err := measured.NewTree("", "", nil)
	assert.NilError(t, err)
	return all
}
