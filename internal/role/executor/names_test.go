package executor

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

// TestNamesDoNotTellWhereTheCopyWas: one test, run in two copies, has one id.
func TestNamesDoNotTellWhereTheCopyWas(t *testing.T) {
	t.Parallel()
	ids := func(dir string) (ids, raw []string) {
		cases := []qa.Case{
			{Suite: "paths", Name: "joins " + dir + "/tree/src"},
			{Suite: "paths", Name: "cwd is " + dir + "/tree"},
			{Suite: "paths", Name: "writes " + dir + "/tmp/x"},
			{Suite: "paths", Name: "at 1764000000123"},
			{Suite: "paths", Name: "at 1765000000123"},
			{Suite: "plain", Name: "adds"},
		}
		settleNames(stand{dir: dir + "/tree"}, cases)
		for _, c := range cases {
			ids = append(ids, c.ID())
			if c.Raw != nil {
				raw = append(raw, c.Raw.Name)
			}
		}
		return ids, raw
	}
	head, raw := ids("/srv/work/qa-1")
	base, _ := ids("/srv/work/qa-2")
	assert.DeepEqual(t, head, base)
	assert.DeepEqual(t, head, []string{"paths > joins ./src", "paths > cwd is .", "paths > writes <tmp>",
		"paths > at 1764000000123", "paths > at 1765000000123", "plain > adds"})
	assert.DeepEqual(t, raw, []string{"joins /srv/work/qa-1/tree/src", "cwd is /srv/work/qa-1/tree", "writes /srv/work/qa-1/tmp/x"})
}
