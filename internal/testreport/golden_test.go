package testreport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// reports lists the files of testdata/<format> that are reports.
func reports(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, name := range Names() {
		files, err := filepath.Glob(filepath.Join("testdata", name, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		n := len(out)
		for _, f := range files {
			if ext := filepath.Ext(f); ext != ".md" && ext != ".golden" {
				out = append(out, f)
			}
		}
		if len(out) == n {
			t.Errorf("format %s has no report in testdata/%s", name, name)
		}
	}
	return out
}

// formatOf is the folder a report lies in.
func formatOf(report string) string { return filepath.Base(filepath.Dir(report)) }

// render writes a suite so that a person can check it against the report.
func render(s qa.Suite, err error) string {
	var out strings.Builder
	tally := s.Tally()
	fmt.Fprintf(&out, "tests %d, passed %d, failed %d, errors %d, skipped %d, flaky %d; %.3f s\n",
		tally.Tests, tally.Passed, tally.Failed, tally.Errors, tally.Skipped, tally.Flaky, s.Seconds)
	if err != nil {
		fmt.Fprintf(&out, "error: %s\n", filepath.ToSlash(err.Error()))
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(&out, "warning: %s\n", filepath.ToSlash(w))
	}
	for _, p := range s.Problems {
		fmt.Fprintf(&out, "problem %s in %s: %s\n", p.Kind, p.Where, indent(p.Message))
	}
	for _, c := range s.Cases {
		fmt.Fprintf(&out, "%-7s %s | %s", c.Status, c.Suite, c.Name)
		if c.File != "" {
			fmt.Fprintf(&out, " (%s:%d)", c.File, c.Line)
		}
		if c.Attempts > 0 {
			fmt.Fprintf(&out, " attempts %d", c.Attempts)
		}
		if len(c.Failures) > 0 {
			fmt.Fprintf(&out, " failures %q", c.Failures)
		}
		if c.Output != "" {
			fmt.Fprintf(&out, " output %d bytes", len(c.Output))
		}
		out.WriteByte('\n')
		if c.Message != "" {
			fmt.Fprintf(&out, "        %s\n", indent(c.Message))
		}
	}
	return out.String()
}

func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n        ") }

// TestGoldens reads every report of testdata with its format detected and with
// it named; both must say what the golden says. COMMANDS.md in each folder
// tells how the reports were made.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, report := range reports(t) {
		t.Run(filepath.ToSlash(strings.TrimPrefix(report, "testdata"+string(filepath.Separator))), func(t *testing.T) {
			t.Parallel()
			s, err := Read([]string{report}, Options{})
			got := render(s, err)
			golden.Assert(t, got, filepath.Join(strings.TrimPrefix(report, "testdata"+string(filepath.Separator))+".golden"))
			s, err = Read([]string{report}, Options{Format: formatOf(report)})
			if again := render(s, err); again != got {
				t.Errorf("with the format named:\n%s", again)
			}
		})
	}
}

// TestConformance checks what every format must do with any report: errors of
// the package's kinds for what is no report, and never a good result.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, tc := range []struct {
				what, text string
				want       error
			}{
				{"nothing", "", collect.ErrEmpty},
				{"white space", " \n\t\n", collect.ErrEmpty},
				{"byte order mark", "\xef\xbb\xbf", collect.ErrEmpty},
				{"prose", "Segmentation fault\n", collect.ErrFormat},
				{"other JSON", `{"hello":[1,2,3]}` + "\n", collect.ErrFormat},
				{"a list", `[1,2]`, collect.ErrFormat},
				{"other XML", `<?xml version="1.0"?><coverage line-rate="1"/>`, collect.ErrFormat},
				{"binary", "\x00\x01\x02\xff", collect.ErrFormat},
			} {
				s, err := ReadFrom(strings.NewReader(tc.text), "report", Options{Format: name})
				if !errors.Is(err, tc.want) {
					t.Errorf("%s: got %v, want %v", tc.what, err, tc.want)
				}
				if len(s.Cases) > 0 {
					t.Errorf("%s: got cases %v", tc.what, s.Cases)
				}
				if err != nil && !strings.HasPrefix(err.Error(), "report:") {
					t.Errorf("%s: %v does not name the file first", tc.what, err)
				}
			}
			if _, err := Read([]string{filepath.Join(t.TempDir(), "missing")}, Options{Format: name}); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("missing file: got %v", err)
			}
			if _, err := Read([]string{t.TempDir()}, Options{Format: name}); !errors.Is(err, collect.ErrFormat) {
				t.Errorf("folder: got %v", err)
			}
		})
	}
}

// TestTruncation cuts every report at many places: what was read before the cut
// comes back with an error, and the report never looks good.
func TestTruncation(t *testing.T) {
	t.Parallel()
	for _, report := range reports(t) {
		t.Run(filepath.ToSlash(report), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(report)
			if err != nil {
				t.Fatal(err)
			}
			whole, wholeErr := ReadFrom(strings.NewReader(string(data)), "report", Options{Format: formatOf(report)})
			if wholeErr != nil {
				return // a report that is wrong as it stands
			}
			end := strings.TrimRight(string(data), " \r\n")
			for i := 1; i < 40; i++ {
				cut := end[:len(end)*i/40]
				s, err := ReadFrom(strings.NewReader(cut), "report", Options{Format: formatOf(report)})
				if len(s.Cases) > len(whole.Cases)+1 {
					t.Fatalf("cut at %d: %d cases of %d", len(cut), len(s.Cases), len(whole.Cases))
				}
				if err == nil && len(s.Problems) == 0 && s.Tally().Errors == 0 && s.Tally().Failed == 0 {
					t.Fatalf("cut at byte %d of %d the report looks good: %+v", len(cut), len(end), s.Tally())
				}
			}
		})
	}
}
