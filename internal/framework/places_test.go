package framework

import (
	"slices"
	"testing"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	p := PlacesOf(slices.Values([]string{
		"src/kit/__init__.py", "src/kit/wrap.py", "tests/test_wrap.py", "tests/__init__.py", "lib/queue.ts", "lib/parts/index.js", "lib/plain/a.js",
		"clock/clock.go", "docs/readme.md", "lib/data.json", "lib/types.d.ts",
	}))
	for name, c := range map[string]struct{ takes, covers bool }{
		"src/kit/wrap":                                 {true, false},
		"src/kit/wrap/__init__.py":                     {false, true}, // of the folder something is known already
		"src/kit/wrap.cpython-311-x86_64-linux-gnu.so": {true, true},
		"src/kit/wrap.so":                              {true, true},
		"src/kit/__pycache__/wrap.cpython-311.pyc":     {true, false},
		"src/kit/__pycache__":                          {false, false},
		"tests/kit":                                    {true, false},
		"tests/kit.py":                                 {true, true},
		"tests/kit/__init__.py":                        {false, true},
		"tests/json.py":                                {true, false},
		"tests/new.py":                                 {false, false},
		"tests/conftest.py":                            {true, false},
		"lib/queue.js":                                 {true, true},
		"lib/queue":                                    {true, false},
		"lib/queue.d.ts":                               {false, false},
		"lib/queue.test.ts":                            {false, false},
		"lib/queue/index.js":                           {false, true},
		"lib/parts.js":                                 {true, true},
		"lib/plain.js":                                 {true, false}, // an import finds no lib/plain
		"lib/data.js":                                  {false, false},
		"lib/data2.json":                               {false, false},
		"lib/queue.ts":                                 {false, false}, // it is there
		"vitest.config.ts.timestamp-1730000000000-a.mjs": {false, false},
		"clock/zz_test.go":   {true, false},
		"testdata/a.go":      {false, false},
		"docs/readme.txt":    {false, false},
		"tmp":                {false, false},
		"lib/node_modules":   {true, false},
		"node_modules/chai":  {true, false},
		"node_modules/.vite": {false, false},
		"coverage.xml":       {false, false},
	} {
		if got := p.Takes(name); got != c.takes {
			t.Errorf("Takes(%s): %v", name, got)
		}
		if got := p.Covers(name); got != c.covers {
			t.Errorf("Covers(%s): %v", name, got)
		}
	}
}
