package shard

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/baseline"
	"github.com/org/qa-action/internal/config"
)

// Of suites that were run in parts every part is there, once, and all were divided in
// the same way: else a test may be in none of them.
func TestPartsAreComplete(t *testing.T) {
	t.Parallel()
	part := func(name, dir string, index, of int, by string) *shard {
		return &shard{name: name, about: shardFile{Dir: dir, Summary: baseline.Summary{Split: baseline.Split{Shard: config.Shard{Index: index, Of: of}, By: by}}}}
	}
	narrow := part("a", ".", 1, 2, "t")
	narrow.about.Command = "jest test/one.test.js"
	for name, c := range map[string]struct {
		shards Shards
		want   string
	}{
		"whole runs":          {Shards{part("a", "x", 0, 0, ""), part("b", "y", 0, 0, "")}, ""},
		"wholes of one place": {Shards{part("a", ".", 0, 0, ""), part("b", ".", 0, 0, "")}, ""},
		"all":                 {Shards{part("b", ".", 2, 2, "t"), part("a", ".", 1, 2, "t")}, ""},
		"two suites":          {Shards{part("a", "x", 1, 2, "t"), part("b", "x", 2, 2, "t"), part("c", "y", 0, 0, "")}, ""},
		"one is missing":      {Shards{part("a", ".", 1, 3, "t"), part("c", ".", 3, 3, "t")}, "part 2 of 3 is missing"},
		"of another number":   {Shards{part("a", ".", 1, 2, "t"), part("b", ".", 2, 3, "t")}, "shard b is part 2 of 3, shard a part 1 of 2"},
		"beside a whole":      {Shards{part("a", ".", 0, 0, ""), part("b", ".", 1, 2, "t")}, "shard b is part 1 of 2, shard a part 0 of 0"},
		"one twice":           {Shards{part("a", ".", 1, 2, "t"), part("b", ".", 1, 2, "t"), part("c", ".", 2, 2, "t")}, "shards a and b are both part 1 of 2"},
		"another command":     {Shards{narrow, part("b", ".", 2, 2, "t")}, `shards a and b ran other test commands, so they are no parts of one suite: "jest test/one.test.js" and ""`},
		"by other times":      {Shards{part("a", ".", 1, 2, "t"), part("b", ".", 2, 2, "u")}, "shards a and b divided the tests by other times, so a test may be in both or in none; run all shards again"},
	} {
		got := ""
		if err := complete(c.shards); err != nil {
			got = err.Error()
		}
		assert.Equal(t, got, c.want, name)
	}
}
