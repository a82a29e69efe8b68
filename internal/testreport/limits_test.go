package testreport

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// written is a report that is made while it is read.
func written(head string, n int, piece func(i int) string, tail string) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.WriteString(w, head)
		for i := 0; i < n && err == nil; i++ {
			_, err = io.WriteString(w, piece(i))
		}
		if err == nil {
			_, err = io.WriteString(w, tail)
		}
		_ = w.CloseWithError(err)
	}()
	return r
}

func read1(t *testing.T, r io.Reader, format string, most collect.Room) (qa.Suite, error) {
	t.Helper()
	places, err := collect.NewPlaces(t.TempDir(), "")
	assert.NilError(t, err)
	defer places.Close()
	places.Room = &most
	return read(r, "report", Options{Format: format}, places)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	all := func(most int) collect.Room {
		return collect.Room{Most: [...]int{collect.OfCases: most, collect.OfLevels: most, collect.OfNames: most, collect.OfPaths: most}, Text: collect.MaxText}
	}
	of := func(k collect.Kind, most int) collect.Room {
		r := all(1 << 30)
		r.Most[k] = most
		return r
	}
	event := func(action string) func(int) string {
		return func(i int) string {
			return fmt.Sprintf("{\"Action\":%q,\"Package\":\"p\",\"Test\":\"T%d\"}\n", action, i)
		}
	}
	const xml, xmlEnd = "<testsuites><testsuite name='s'>", "</testsuite></testsuites>"
	for name, tt := range map[string]struct {
		format, head, tail string
		piece              func(i int) string
		room               collect.Room
		most               int // pieces
		want               string
	}{
		"tests of junit": {"junit", xml, xmlEnd, func(i int) string { return fmt.Sprintf("<testcase name='t%d'/>", i) }, of(collect.OfCases, 1000), 1000, "at most 1000 tests"},
		"tests of jest": {"jest", `{"numTotalTests":1,"testResults":[{"name":"/a.js","status":"passed","assertionResults":[`, `{"title":"z","status":"passed","ancestorTitles":[]}]}]}`,
			func(i int) string { return fmt.Sprintf(`{"title":"t%d","status":"passed","ancestorTitles":[]},`, i) }, of(collect.OfCases, 1001), 1000, "at most 1001 tests"},
		"tests of ctrf": {"ctrf", `{"reportFormat":"CTRF","results":{"tool":{"name":"x"},"summary":{},"tests":[`, `{"name":"z","status":"passed","duration":1}]}}`,
			func(i int) string { return fmt.Sprintf(`{"name":"t%d","status":"passed","duration":1},`, i) }, of(collect.OfCases, 1001), 1000, "at most 1001 tests"},
		"tests of go":          {"gotest", "", "", event("pass"), of(collect.OfCases, 1000), 1000, "at most 1000 tests"},
		"tests that never end": {"gotest", "", "", event("run"), of(collect.OfLevels, 1001), 1000, "at most 1001 levels of sub-tests"},
		"packages": {"gotest", "", event("pass")(0), func(i int) string { return fmt.Sprintf("{\"Action\":\"pass\",\"Package\":\"p%d\"}\n", i) },
			of(collect.OfLevels, 1002), 1000, "at most 1002 levels of sub-tests"},
		"sub-tests": {"gotest", "", "", func(i int) string {
			return fmt.Sprintf("{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"T%d%s\"}\n", i, strings.Repeat("/a", 100))
		}, of(collect.OfLevels, 100*(101+100)+1), 100, "levels of sub-tests"},
		"names": {"junit", xml, xmlEnd, func(i int) string { return fmt.Sprintf("<testcase name='%06d%s'/>", i, strings.Repeat("n", 94)) }, of(collect.OfNames, 10_010), 100, "at most 10010 bytes of names"},
		"names of suites": {"junit", xml, xmlEnd, func(i int) string {
			return fmt.Sprintf("<testcase name='t' classname='%06d%s'/>", i, strings.Repeat("n", 94))
		}, of(collect.OfNames, 10_200), 100, "at most 10200 bytes of names"},
		"paths": {"junit", xml, xmlEnd, func(i int) string { return fmt.Sprintf("<testcase name='t%d' file='a/b/c/%[1]d.js'/>", i) }, of(collect.OfPaths, 520), 100, "at most 520 paths"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suite, err := read1(t, written(tt.head, tt.most, tt.piece, tt.tail), tt.format, tt.room)
			assert.NilError(t, err)
			assert.Assert(t, len(suite.Cases) > 0)
			_, err = read1(t, written(tt.head, 2*tt.most, tt.piece, tt.tail), tt.format, tt.room)
			assert.ErrorIs(t, err, collect.ErrLimit)
			assert.ErrorContains(t, err, tt.want)
			assert.ErrorContains(t, err, "; run parts of the suite on their own")
		})
	}
}

// TestOutputsOfRunningTests: what tests print that never end is held up to a
// limit, and what they did is told all the same.
func TestOutputsOfRunningTests(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	const size = 32 << 10
	suite, err := read1(t, written("", collect.MaxHeld/size+100, func(i int) string {
		return fmt.Sprintf("{\"Action\":\"run\",\"Package\":\"p\",\"Test\":\"T%d\"}\n{\"Action\":\"output\",\"Package\":\"p\",\"Test\":\"T%[1]d\",\"Output\":%q}\n", i, strings.Repeat("o", size))
	}, "{\"Action\":\"fail\",\"Package\":\"p\"}\n"), "gotest", *collect.NewRoom())
	assert.NilError(t, err)
	assert.Equal(t, suite.Tally().Errors, collect.MaxHeld/size+100)
	kept := 0
	for _, c := range suite.Cases {
		kept += len(c.Output)
	}
	assert.Check(t, kept <= collect.MaxText, "%d bytes are kept", kept)
	assert.Check(t, strings.Contains(strings.Join(suite.Warnings, "\n"), "outputs over 64 MiB in total were left out"), "%q", suite.Warnings)
}

// TestPackageThatEndsAgain: each end looks at what runs, not at all there is.
func TestPackageThatEndsAgain(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	suite, err := read1(t, written("", 200_000, func(i int) string {
		return fmt.Sprintf("{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"T%d\"}\n{\"Action\":\"run\",\"Package\":\"p\",\"Test\":\"T0\"}\n{\"Action\":\"pass\",\"Package\":\"p\"}\n", i)
	}, ""), "gotest", *collect.NewRoom())
	assert.NilError(t, err)
	assert.Equal(t, len(suite.Cases), 200_000)
}

// TestLimitsAreOfAllReports: many files do not get around them, and the error
// names the one with which there was too much.
func TestLimitsAreOfAllReports(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	for n := range 4 {
		path := filepath.Join(dir, fmt.Sprint(n))
		f, err := os.Create(path)
		assert.NilError(t, err)
		_, err = io.Copy(f, written("<testsuites><testsuite name='s'>", collect.MaxCases/2, func(i int) string { return fmt.Sprintf("<testcase name='%d/%d'/>", n, i) }, "</testsuite></testsuites>"))
		assert.NilError(t, err)
		assert.NilError(t, f.Close())
		paths = append(paths, path)
	}
	suite, err := Read(paths[:2], Options{})
	assert.NilError(t, err)
	assert.Equal(t, len(suite.Cases), collect.MaxCases)
	_, err = Read(paths, Options{})
	assert.ErrorIs(t, err, collect.ErrLimit)
	assert.ErrorContains(t, err, paths[2]+": beyond a limit, expected at most 500000 tests")
}

// TestNamesOfMegabytes: parameters stand in the names of tests, and pytest cuts no bytes.
func TestNamesOfMegabytes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\\r\\n", 1_300_000)
	piece := func(i int) string { return fmt.Sprintf("<testcase name='t[%s%d]'/>", long, i) }
	suite, err := read1(t, written("<testsuites><testsuite name='s'>", 2, piece, "</testsuite></testsuites>"), "junit", *collect.NewRoom())
	assert.NilError(t, err)
	assert.Equal(t, len(suite.Cases), 2)
	assert.Assert(t, suite.Cases[0].Name != suite.Cases[1].Name && len(suite.Cases[0].Name) < 4096)
}
