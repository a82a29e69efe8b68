package reporter

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestExtremeReports: a report.json may come from a fork and hold any number
// and any text anywhere. Nothing panics, every limit holds.
func TestExtremeReports(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for _, number := range []int64{math.MinInt64, -1, 0, math.MaxInt64} {
		for _, text := range []string{"", "<!-- qa-action:v1 -->`` ` ``` ````\x1b[31m\u202e\u2066\x00\x9b1m", string(bytes.Repeat([]byte("`|\n"), 3_000))} {
			for _, file := range []string{"findings-mix.json", "generated-tests.json", "failing-new-test.json"} {
				r := situation(t, file)
				overwrite(reflect.ValueOf(r).Elem(), number, text)
				t.Run(fmt.Sprintf("%s/%d/%d", file, number, len(text)), func(t *testing.T) {
					t.Parallel()
					for _, member := range Names() {
						var out bytes.Buffer
						err := Render(&out, member, r, onHost())
						assert.Assert(t, err == nil || member == "patch", "%s: %v", member, err)
						if rep, _ := For(member); rep.Budget > 0 {
							assert.Assert(t, out.Len() <= rep.Budget, member)
						}
					}
				})
			}
		}
	}
}

// words that decide what is shown keep their value, so that everything is.
var deciding = map[reflect.Type]bool{
	reflect.TypeFor[qa.Triage](): true, reflect.TypeFor[qa.FindingStatus](): true, reflect.TypeFor[qa.Evidence](): true, reflect.TypeFor[qa.FileStatus](): true, reflect.TypeFor[qa.Kind](): true,
}

func overwrite(v reflect.Value, number int64, text string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			overwrite(v.Elem(), number, text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "State" {
				overwrite(v.Field(i), number, text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i), number, text)
		}
	case reflect.String:
		if !deciding[v.Type()] {
			v.SetString(text)
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(number >> (64 - v.Type().Bits()))
	case reflect.Float64:
		v.SetFloat(float64(number))
	}
}
