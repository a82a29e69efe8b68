package cli

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
)

// TestEveryFrameworkCanBeAskedFor: the input "framework" takes the name of every
// adapter, and no other.
func TestEveryFrameworkCanBeAskedFor(t *testing.T) {
	t.Parallel()
	f, ok := reflect.TypeFor[config.Inputs]().FieldByName("Framework")
	assert.Assert(t, ok)
	got := slices.Sorted(slices.Values(strings.Split(f.Tag.Get("oneof"), ",")))
	want := slices.Sorted(slices.Values(append(framework.Names(), "auto")))
	assert.DeepEqual(t, want, got)
}
