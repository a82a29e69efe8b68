package reporter

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A report.json may be from anybody: what can be read can be shown by everyone.
func FuzzReport(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "situations", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no reports: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(raw) < 32<<10 {
			f.Add(raw)
		}
	}
	f.Add([]byte(`{"schema":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := Read(bytes.NewReader(raw))
		if err != nil {
			return
		}
		for _, member := range Names() {
			var out bytes.Buffer
			if err := Render(&out, member, r, Options{}); err != nil && member != "patch" {
				t.Errorf("%s: %v", member, err)
			}
		}
	})
}
