package coverage

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// Not parallel: it counts what the whole process allocates.
func TestMemoryIsBoundedByTheModel(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	lines := func(format string) string {
		var b strings.Builder
		for n := 1; n <= 200; n++ {
			fmt.Fprintf(&b, format, n)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, head, piece, tail string
		want                    int // lines
	}{
		{"lcov, one record for each test", "", "TN:\nSF:a.js\n" + lines("DA:%[1]d,1\nBRDA:%[1]d,0,0,1\n") + "end_of_record\n", "", 200},
		{"go, one block for each package", "mode: set\n", lines("a.go:%[1]d.1,%[1]d.9 1 1\n"), "", 200},
		{"cobertura, one class again and again", "<coverage line-rate='1'>", "<class filename='a.c'><lines>" + lines("<line number='%d' hits='1'/>") + "</lines></class>", "</coverage>", 200},
		{"istanbul, a long source map", `{"a.js":{"statementMap":{"0":{"start":{"line":1}}},"s":{"0":1},"inputSourceMap":{"mappings":"`, strings.Repeat("AAAA;", 1000), `"}}}`, 1},
	} {
		const size = 16 << 20
		pieces := make([]io.Reader, 0, size/len(tt.piece)+2)
		pieces = append(pieces, strings.NewReader(tt.head))
		for range size / len(tt.piece) {
			pieces = append(pieces, strings.NewReader(tt.piece))
		}
		in := io.MultiReader(append(pieces, strings.NewReader(tt.tail))...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		cov, err := parseText(in, "r", Options{})
		runtime.ReadMemStats(&after)
		if err != nil || cov.Lines.Total != tt.want {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 6<<20 {
			t.Errorf("%s: %d MiB allocated for 16 MiB that say the same again", tt.name, grown>>20)
		}
	}
}
