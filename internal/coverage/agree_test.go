package coverage

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/qa"
)

// agreements are runs that a tool wrote in several formats: all must give the
// same lines, file by file, and the same branches and functions where both know
// them. What the tool itself writes differently is explained.
var agreements = []struct {
	run     string
	reports []string
	explain map[string]string // report/metric → why it differs
}{
	{
		run:     "jest 29",
		reports: []string{"istanbul/jest-final.json", "istanbul/jest-summary.json", "lcov/jest.info", "cobertura/jest.xml", "clover/jest.xml"},
		explain: map[string]string{"cobertura/jest.xml branches": "the format hangs branches on executable lines; a default argument is on none"},
	},
	{
		run:     "vitest 3, v8",
		reports: []string{"istanbul/vitest-v8-final.json", "istanbul/vitest-v8-summary.json", "lcov/vitest-v8.info", "cobertura/vitest-v8.xml", "clover/vitest-v8.xml"},
	},
	{
		run:     "vitest 3, istanbul",
		reports: []string{"istanbul/vitest-istanbul-final.json", "istanbul/vitest-istanbul-summary.json", "lcov/vitest-istanbul.info", "cobertura/vitest-istanbul.xml", "clover/vitest-istanbul.xml"},
		explain: map[string]string{"cobertura/vitest-istanbul.xml branches": "as for jest"},
	},
	{
		run:     "c8 10",
		reports: []string{"istanbul/c8-final.json", "istanbul/c8-summary.json", "lcov/c8.info", "cobertura/c8.xml", "clover/c8.xml"},
	},
	{
		run:     "nyc 17",
		reports: []string{"istanbul/nyc-final.json", "istanbul/nyc-summary.json", "lcov/nyc.info", "cobertura/nyc.xml", "clover/nyc.xml"},
	},
	{
		run:     "coverage.py 7.11",
		reports: []string{"coveragepy/7.11.0.json", "lcov/coveragepy-7.11.0.info", "cobertura/coveragepy-7.11.0.xml"},
		explain: map[string]string{"lcov/coveragepy-7.11.0.info functions": "lcov lists a function that a pragma excludes, JSON does not"},
	},
	{
		run:     "coverage.py 7.6",
		reports: []string{"coveragepy/7.6.12.json", "lcov/coveragepy-7.6.12.info", "cobertura/coveragepy-7.6.12.xml"},
		explain: map[string]string{"lcov/coveragepy-7.6.12.info functions": "as for 7.11"},
	},
	{
		run:     "coverage.py 7.2",
		reports: []string{"coveragepy/7.2.7.json", "cobertura/coveragepy-7.2.7.xml", "lcov/coveragepy-7.2.7.info"},
		explain: map[string]string{"lcov/coveragepy-7.2.7.info lines": "lcov of coverage.py below 7.6 lists docstrings and excluded lines that ran"},
	},
	{
		run:     "coverage.py 6.5",
		reports: []string{"coveragepy/6.5.0.json", "cobertura/coveragepy-6.5.0.xml", "lcov/coveragepy-6.5.0.info"},
		explain: map[string]string{"lcov/coveragepy-6.5.0.info lines": "as for 7.2"},
	},
	{
		run:     "coverage.py 5.5",
		reports: []string{"coveragepy/5.5.json", "cobertura/coveragepy-5.5.xml"},
	},
	{
		run:     "pytest-cov 7 without branches",
		reports: []string{"coveragepy/pytest-cov-nobranch.json", "lcov/pytest-cov-nobranch.info", "cobertura/pytest-cov-nobranch.xml"},
		explain: map[string]string{"lcov/pytest-cov-nobranch.info functions": "as for 7.11"},
	},
	{
		run:     "gcovr 8",
		reports: []string{"lcov/gcovr.info", "cobertura/gcovr.xml", "clover/gcovr.xml", "jacoco/gcovr.xml"},
	},
	{
		run:     "gcovr 8 and lcov 1.16 on the same data",
		reports: []string{"lcov/gcovr.info", "lcov/geninfo.info"},
	},
	{
		run:     "PHPUnit 9",
		reports: []string{"clover/phpunit.xml", "cobertura/phpunit.xml"},
		explain: map[string]string{"cobertura/phpunit.xml functions": "clover lists methods only, cobertura functions too"},
	},
	{
		run:     "go test, three modes",
		reports: []string{"gocover/count.out", "gocover/set.out", "gocover/atomic.out"},
	},
}

func TestFormatsAgree(t *testing.T) {
	t.Parallel()
	for _, a := range agreements {
		t.Run(a.run, func(t *testing.T) {
			t.Parallel()
			var first *qa.Coverage
			explained := 0
			for _, report := range a.reports {
				cov, err := readTestdata(filepath.Join("testdata", report), "")
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = cov
					continue
				}
				for metric, of := range metrics {
					got, want := of(cov), of(first)
					if got == nil || want == nil {
						continue // one of the formats cannot tell
					}
					same := cmp.Equal(got, want)
					_, differs := a.explain[report+" "+metric]
					if _, other := a.explain[report+" lines"]; other && metric == "line numbers" {
						continue
					}
					switch {
					case differs && same:
						t.Errorf("%s: %s agree although they are explained not to", report, metric)
					case differs:
						explained++
					case !same:
						t.Errorf("%s: %s differ from %s:\n%s", report, metric, a.reports[0], cmp.Diff(want, got))
					}
				}
			}
			if explained != len(a.explain) {
				t.Errorf("%d explanations, %d used", len(a.explain), explained)
			}
		})
	}
}

// metrics compare two reports; nil when a report does not know the metric.
var metrics = map[string]func(*qa.Coverage) any{
	"lines": func(cov *qa.Coverage) any {
		rows := []string{}
		for _, f := range cov.Files {
			row := fmt.Sprint(f.Path, " ", f.LineCount.Text())
			rows = append(rows, row)
		}
		return rows
	},
	"line numbers": func(cov *qa.Coverage) any {
		rows := []string{}
		for _, f := range cov.Files {
			if len(f.Lines) == 0 && f.LineCount.Total > 0 {
				return nil
			}
			row := f.Path
			for _, l := range f.Lines {
				row += fmt.Sprintf(" %d:%v", l.Line, l.Hits > 0)
			}
			rows = append(rows, row)
		}
		return rows
	},
	"branches":  func(cov *qa.Coverage) any { return known(cov.Branches) },
	"functions": func(cov *qa.Coverage) any { return known(cov.Functions) },
}

func known(c *qa.Count) any {
	if c == nil {
		return nil
	}
	return *c
}
