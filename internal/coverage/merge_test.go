package coverage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

// parts reads each text as a report of its own, named r1, r2 and so on.
func parts(t *testing.T, texts ...string) []*qa.Coverage {
	t.Helper()
	var out []*qa.Coverage
	for i, text := range texts {
		cov, err := parseText(strings.NewReader(text), "r"+string(rune('1'+i)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, cov)
	}
	return out
}

const coberturaLines = `<coverage line-rate="1"><packages><package><classes><class filename="a.c"><lines>`
const coberturaEnd = `</lines></class></classes></package></packages></coverage>`

func TestMerge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		reports []string
		want    string
	}{
		{
			name: "lines and arms are united, counts added",
			reports: []string{
				"SF:a.c\nFN:1,f\nFNDA:1,f\nDA:1,1\nDA:2,0\nDA:3,4\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nend_of_record\n",
				"SF:a.c\nFN:1,f\nFNDA:2,f\nDA:1,1\nDA:2,3\nDA:3,0\nBRDA:1,0,0,0\nBRDA:1,0,1,5\nend_of_record\nSF:b.c\nDA:1,0\nend_of_record\n",
			},
			want: `total: lines 3/4 statements - branches 2/2 functions 1/1
a.c: lines 3/3 statements - branches 2/2 functions 1/1
  lines 1:2(2/2) 2:3 3:4
  function "f" line 1: 3
b.c: lines 0/1 statements - branches 0/0 functions 0/0
  lines 1:0
`,
		},
		{
			name: "different lines conflict and are all kept",
			reports: []string{
				"SF:a.c\nDA:1,1\nDA:2,1\nend_of_record\n",
				"SF:a.c\nDA:2,0\nDA:3,0\nDA:4,0\nend_of_record\n",
			},
			want: `total: lines 2/4 statements - branches - functions -
a.c: lines 2/4 statements - branches - functions -
  lines 1:1 2:1 3:0 4:0
conflict: a.c: r1 (lcov) and r2 (lcov) disagree: 2 executable lines against 3, only the first has lines 1, only the second has lines 3-4
`,
		},
		{
			name: "two formats of one execution are not added up",
			reports: []string{
				"SF:a.c\nDA:1,2\nDA:2,0\nend_of_record\n",
				coberturaLines + `<line number="1" hits="2"/><line number="2" hits="0"/>` + coberturaEnd,
			},
			want: `total: lines 1/2 statements - branches - functions -
a.c: lines 1/2 statements - branches - functions -
  lines 1:2 2:0
`,
		},
		{
			name: "two formats that tell of different executions conflict",
			reports: []string{
				"SF:a.c\nDA:1,2\nDA:2,0\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nend_of_record\n",
				coberturaLines + `<line number="1" hits="2" branch="true" condition-coverage="100% (3/3)"/><line number="2" hits="1"/>` + coberturaEnd,
			},
			want: `total: lines 2/2 statements - branches 1/2 functions -
a.c: lines 2/2 statements - branches 1/2 functions -
  lines 1:2(1/2) 2:1
conflict: a.c: r1 (lcov) and r2 (cobertura) disagree: lines 2 ran by one account only
conflict: a.c: r1 (lcov) and r2 (cobertura) disagree: branches of lines 1
`,
		},
		{
			name: "branches without names keep the larger count and say so",
			reports: []string{
				coberturaLines + `<line number="1" hits="2" branch="true" condition-coverage="50% (1/2)"/>` + coberturaEnd,
				coberturaLines + `<line number="1" hits="0" branch="true" condition-coverage="0% (0/2)"/>` + coberturaEnd,
			},
			want: `total: lines 1/1 statements - branches 1/2 functions -
a.c: lines 1/1 statements - branches 1/2 functions -
  lines 1:2(1/2)
warning: a.c: the branches of lines 1 cannot be joined exactly because the format does not name them; the larger count stands
`,
		},
		{
			name: "go profiles join by block",
			reports: []string{
				"mode: set\na.go:1.1,2.2 3 1\na.go:3.1,4.2 1 0\n",
				"mode: set\na.go:1.1,2.2 3 0\na.go:3.1,4.2 1 1\n",
			},
			want: `total: lines 4/4 statements 4/4 branches - functions -
a.go: lines 4/4 statements 4/4 branches - functions -
  lines 1:1 2:1 3:1 4:1
warning: r1: 1 × file without its source at hand, every line of a block counts as executable
warning: r2: 1 × file without its source at hand, every line of a block counts as executable
`,
		},
		{
			name: "many files of two reports that disagree go by the first",
			reports: []string{
				manyFiles("DA:1,1\n", 5),
				manyFiles("DA:2,1\n", 5),
			},
			want: `total: lines 10/10 statements - branches - functions -
a0.c: lines 2/2 statements - branches - functions -
  lines 1:1 2:1
a1.c: lines 2/2 statements - branches - functions -
  lines 1:1 2:1
a2.c: lines 2/2 statements - branches - functions -
  lines 1:1 2:1
a3.c: lines 2/2 statements - branches - functions -
  lines 1:1 2:1
a4.c: lines 2/2 statements - branches - functions -
  lines 1:1 2:1
conflict: a0.c: r1 (lcov) and r2 (lcov) disagree: 1 executable lines against 1, only the first has lines 1, only the second has lines 2; and in 4 other files
`,
		},
		{
			name: "a summary gives way to lines, and must agree",
			reports: []string{
				`{"total": {}, "a.c": {"lines": {"total": 3, "covered": 1, "pct": 33}, "statements": {"total": 3, "covered": 1}, "functions": {}, "branches": {}}}`,
				"SF:a.c\nDA:1,2\nDA:2,0\nend_of_record\n",
			},
			want: `total: lines 1/2 statements - branches - functions -
a.c: lines 1/2 statements - branches - functions -
  lines 1:2 2:0
conflict: a.c: r1 (istanbul) and r2 (lcov) disagree: 1/3 = 33.33 % lines against 1/2 = 50 %
`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := show(Merge(parts(t, tt.reports...)...)); got != tt.want {
				t.Errorf("%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

// The real reports of one run, two formats each, are one execution.
func TestMergeOfOneRun(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"testdata/lcov/jest.info", "testdata/istanbul/jest-final.json"},
		{"testdata/lcov/gcovr.info", "testdata/cobertura/gcovr.xml"},
		{"testdata/coveragepy/7.11.0.json", "testdata/cobertura/coveragepy-7.11.0.xml"},
	} {
		a, err := readTestdata(pair[0], "")
		if err != nil {
			t.Fatal(err)
		}
		b, err := readTestdata(pair[1], "")
		if err != nil {
			t.Fatal(err)
		}
		both := Merge(a, b)
		if len(both.Conflicts) > 0 || *both.Lines != *a.Lines || *both.Branches != *a.Branches {
			t.Errorf("%v: %s", pair, show(both))
		}
	}
}

func TestMergeLeavesItsPartsAlone(t *testing.T) {
	t.Parallel()
	text := "SF:a.c\nFN:1,f\nFNDA:1,f\nDA:1,1\nBRDA:1,0,0,1\nend_of_record\n"
	list := parts(t, text, text)
	before := show(list[0])
	Merge(list...)
	Merge(list[1], nil, list[0])
	if got := show(list[0]); got != before {
		t.Errorf("changed: %s", cmp.Diff(before, got))
	}
}

// manyFiles is lcov of a number of files with the same lines.
func manyFiles(lines string, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "SF:a%d.c\n%send_of_record\n", i, lines)
	}
	return out.String()
}
