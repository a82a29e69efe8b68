package testreport

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/org/qa-action/internal/testreport/collect"
)

// fuzz feeds one reader with the reports of real tools and what the fuzzer
// makes of them: no panic, bounded and printable text, no good result for
// nothing, and the same result again.
func fuzz(f *testing.F, format string) {
	for _, report := range reports(f) {
		if formatOf(report) != format {
			continue
		}
		data, err := os.ReadFile(report)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 16<<10)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadFrom(bytes.NewReader(data), "report", Options{Format: format})
		again, errAgain := ReadFrom(bytes.NewReader(data), "report", Options{Format: format})
		if render(s, err) != render(again, errAgain) {
			t.Fatal("two readings differ")
		}
		if err == nil && len(s.Cases) == 0 {
			t.Fatal("no test and no error")
		}
		ids := map[string]bool{}
		for _, c := range s.Cases {
			for what, text := range map[string]string{"name": c.Name, "suite": c.Suite, "file": c.File, "message": c.Message, "output": c.Output} {
				if !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\x00\r\x07") {
					t.Fatalf("%s is not clean: %q", what, text)
				}
			}
			if len(c.Name) > 3*collect.MaxName || len(c.Message) > collect.MaxMessage || len(c.Output) > collect.MaxOutput {
				t.Fatalf("bounds: name %d, message %d, output %d", len(c.Name), len(c.Message), len(c.Output))
			}
			if !(c.Seconds >= 0) || c.Line < 0 || c.Attempts < 0 {
				t.Fatalf("numbers: %v s, line %d, attempts %d", c.Seconds, c.Line, c.Attempts)
			}
			key := c.File + "\x00" + c.Suite + "\x00" + c.Name
			if ids[key] && c.File == "" {
				t.Fatalf("two cases are called %q in %q", c.Name, c.Suite)
			}
			ids[key] = true
		}
		tally := s.Tally()
		if tally.Tests != tally.Passed+tally.Failed+tally.Errors+tally.Skipped+tally.Flaky {
			t.Fatalf("counts do not add up: %+v", tally)
		}
	})
}

func FuzzCTRF(f *testing.F)    { fuzz(f, "ctrf") }
func FuzzGotest(f *testing.F)  { fuzz(f, "gotest") }
func FuzzJest(f *testing.F)    { fuzz(f, "jest") }
func FuzzVitest(f *testing.F)  { fuzz(f, "vitest") }
func FuzzBun(f *testing.F)     { fuzz(f, "bun") }
func FuzzDeno(f *testing.F)    { fuzz(f, "deno") }
func FuzzGradle(f *testing.F)  { fuzz(f, "gradle") }
func FuzzLibtest(f *testing.F) { fuzz(f, "libtest") }
func FuzzMocha(f *testing.F)   { fuzz(f, "mocha") }
func FuzzJUnit(f *testing.F)   { fuzz(f, "junit") }
func FuzzDart(f *testing.F)    { fuzz(f, "dart") }
func FuzzNUnit(f *testing.F)   { fuzz(f, "nunit") }
func FuzzRSpec(f *testing.F)   { fuzz(f, "rspec") }
func FuzzTRX(f *testing.F)     { fuzz(f, "trx") }
func FuzzXUnit(f *testing.F)   { fuzz(f, "xunit") }
func FuzzTAP(f *testing.F)     { fuzz(f, "tap") }
func FuzzNodeTAP(f *testing.F) { fuzz(f, "nodetap") }

// FuzzClean checks the text that goes into reports.
func FuzzClean(f *testing.F) {
	f.Add([]byte("\x1b[31mred\x1b[0m \x1b]8;;https://x\x07link\x1b]8;;\x07\r\n\xff"), 10)
	f.Add([]byte("日本\u0085"), 4)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = min(max(limit, 0), 1<<16)
		text := collect.Clean(data, limit)
		if !utf8.ValidString(text) || len(text) > limit+len(collect.CutMark) || strings.ContainsAny(text, "\x1b\x00\r") {
			t.Fatalf("limit %d: %q", limit, text)
		}
		var e collect.Excerpt
		for len(data) > 0 {
			n := min(len(data), 7)
			e.Add(data[:n])
			data = data[n:]
		}
		if !utf8.ValidString(e.String()) {
			t.Fatalf("excerpt: %q", e.String())
		}
	})
}

// FuzzDetect must name a format whose reader then takes the head as its own.
func FuzzDetect(f *testing.F) {
	for _, report := range reports(f) {
		data, err := os.ReadFile(report)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 4<<10)])
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		name, ok := detect(head)
		if ok != (name != "") {
			t.Fatalf("%q %v", name, ok)
		}
		if _, err := For(name); ok && err != nil {
			t.Fatal(err)
		}
	})
}
