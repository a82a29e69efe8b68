package coverage

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
)

// tracked are the files of the small projects that the reports in testdata were
// made from; see the COMMANDS.md files.
var tracked = []string{
	"src/shop.js", "src/types.js", "src/unused.js", "src/größe/übung.js", "nodetest/shop.test.mjs",
	"lib/shop.js",
	"src/shop/__init__.py", "src/shop/prices.py", "src/shop/unused.py",
	"src/main.c", "src/shop.c", "src/shop.h",
	"php/src/Shop.php", "lib/shop.rb", "source/area.m", "src/Shop/Basket.cs",
	"shop/shop.go", "stock/stock.go", "stock/types.go",
	"core/src/main/java/com/example/shop/Main.java", "core/src/main/java/com/example/shop/Prices.java",
	"web/src/main/java/com/example/shop/Main.java",
}

// reports lists the reports of a format, those that must be refused included.
func reports(t testing.TB, format string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join("testdata", format))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".golden" && ext != ".md" && !e.IsDir() {
			files = append(files, filepath.Join("testdata", format, e.Name()))
		}
	}
	return files
}

// show renders what a reader made of a report: one line a file and metric.
func show(cov *qa.Coverage) string {
	var b strings.Builder
	count := func(name string, c *qa.Count) {
		if c == nil {
			fmt.Fprintf(&b, " %s -", name)
			return
		}
		fmt.Fprintf(&b, " %s %d/%d", name, c.Covered, c.Total)
	}
	row := func(name string, l, s, br, f *qa.Count) {
		fmt.Fprintf(&b, "%s:", name)
		count("lines", l)
		count("statements", s)
		count("branches", br)
		count("functions", f)
		b.WriteByte('\n')
	}
	row("total", cov.Lines, cov.Statements, cov.Branches, cov.Functions)
	for _, f := range cov.Files {
		row(f.Path, f.LineCount, f.Statements, f.Branches, f.Functions)
		b.WriteString("  lines")
		for _, l := range f.Lines {
			fmt.Fprintf(&b, " %d:%d", l.Line, l.Hits)
			if l.Branches > 0 {
				fmt.Fprintf(&b, "(%d/%d)", l.BranchesTaken, l.Branches)
			}
		}
		b.WriteByte('\n')
		for _, fn := range f.Funcs {
			fmt.Fprintf(&b, "  function %q line %d: %d\n", fn.Name, fn.Line, fn.Hits)
		}
	}
	for _, w := range cov.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	for _, c := range cov.Conflicts {
		fmt.Fprintf(&b, "conflict: %s\n", c)
	}
	return b.String()
}

// TestConformance holds every format to the same contract: its reports are
// detected as its own and by nobody else, and read as their goldens say.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		files := reports(t, name)
		if len(files) == 0 {
			t.Errorf("%s has no reports in testdata", name)
		}
		for _, file := range files {
			t.Run(name+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				cov, err := readTestdata(file, name)
				got := ""
				if err != nil {
					got = "error: " + strings.ReplaceAll(err.Error(), filepath.ToSlash(file), filepath.Base(file)) + "\n"
				} else {
					got = strings.ReplaceAll(show(cov), filepath.ToSlash(file), filepath.Base(file))
				}
				golden.Assert(t, got, name+"/"+filepath.Base(file)+".golden")
				if strings.HasPrefix(filepath.Base(file), "bad-") {
					if err == nil {
						t.Error("a bad report was read without error")
					}
					return
				}
				head, _ := os.ReadFile(file)
				if found, err := detect(head[:min(len(head), headSize)]); err != nil || found != name {
					t.Errorf("detected as %q, %v", found, err)
				}
				for _, other := range Names() {
					if other != name && formats[other].Detects(head) {
						t.Errorf("%s takes it for its own", other)
					}
				}
			})
		}
	}
}

func readTestdata(file, format string) (*qa.Coverage, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parseText(f, filepath.ToSlash(file), Options{Tracked: tracked, Format: format})
}

// parseText reads one report from r; name is used in messages only. Unlike [Read]
// it accepts a report of which nothing maps: ask for Files.
func parseText(r io.Reader, name string, o Options) (*qa.Coverage, error) {
	t, err := measured.NewTree(o.Root, o.Dir, o.Tracked)
	if err != nil {
		return nil, fmt.Errorf("read coverage: %w", err)
	}
	defer t.Close()
	return parse(r, name, o, t, measured.NewRoom())
}
