package entered

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/org/qa-action/internal/framework/adapter"
)

const (
	whole = `{"units":["ROOT/a.test.js","ROOT/b.test.js","ROOT/c.test.js"],"unknown":""}` + "\n"
	a     = `{"unit":"ROOT/a.test.js","entered":{"ROOT/p.js":[200005,100003],"/etc/q.js":[1],"ROOT/node_modules/x/p.js":[1]},"reads":["ROOT/help.js"],"lost":""}` + "\n"
	b     = `{"unit":"ROOT/b.test.js","entered":{"ROOT/p.js":[]},"reads":[],"lost":"a program is started"}` + "\n"
)

// TestRead: what processes note is the whole of one run, or nothing.
func TestRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, c := range map[string]struct {
		answers []string
		want    string // of always, before, read, files
	}{
		"one process":            {[]string{a + b + whole}, "[b.test.js c.test.js] [] map[help.js:[a.test.js]] map[p.js:map[a.test.js:[100003 200005] b.test.js:[]]]"},
		"two":                    {[]string{a + whole, b}, "[b.test.js c.test.js] [] map[help.js:[a.test.js]] map[p.js:map[a.test.js:[100003 200005] b.test.js:[]]]"},
		"what belongs to all":    {[]string{`{"before":["ROOT/env.js","/usr/x.js"]}` + "\n" + `{"reads":["ROOT/p.js","ROOT/../x.js"]}` + "\n" + a + whole}, "[b.test.js c.test.js] [env.js] map[help.js:[a.test.js] p.js:[]] map[p.js:map[a.test.js:[100003 200005]]]"},
		"the end is missing":     {[]string{a + b}, "nothing"},
		"no test file":           {[]string{whole}, "nothing"},
		"none of which is known": {[]string{b + whole}, "nothing"},
		"two ends":               {[]string{a + whole, whole}, "nothing"},
		"a test file twice":      {[]string{a, a + whole}, "nothing"},
		"the run tells nothing":  {[]string{a + strings.Replace(whole, `""`, `"there are several projects"`, 1)}, "nothing"},
		"what jest loads":        {[]string{`{"before":["ROOT/env.js"]}` + "\n" + a + strings.Replace(whole, `""`, `"","apart":["ROOT/env.js","/usr/x.js"]`, 1)}, "[b.test.js c.test.js] [env.js] map[help.js:[a.test.js]] map[p.js:map[a.test.js:[100003 200005]]]"},
		"and nobody saw":         {[]string{a + strings.Replace(whole, `""`, `"","apart":["ROOT/env.mjs"]`, 1)}, "nothing"},
		"half a line":            {[]string{a + whole, b[:20]}, "nothing"},
		"no number":              {[]string{strings.Replace(a, "100003", `"1"`, 1) + whole}, "nothing"},
		"another test file":      {[]string{a + whole + strings.Replace(b, "ROOT/b", "/tmp/b", 1)}, "[b.test.js c.test.js] [] map[help.js:[a.test.js]] map[p.js:map[a.test.js:[100003 200005]]]"},
		"more than is kept":      {[]string{strings.Replace(a, "100003", strings.Repeat("1,", most)+"1", 1) + whole}, "nothing"},
	} {
		var answers [][]byte
		for _, text := range c.answers {
			answers = append(answers, []byte(strings.ReplaceAll(text, "ROOT", root)))
		}
		got := "nothing"
		if e := read(root, answers); e != nil {
			got = fmt.Sprint(e.Always, e.Before, e.Read, e.Files)
		}
		assert.Check(t, cmp.Equal(got, c.want), name)
	}
}

// FuzzRead: what is noted is written by code of the project, and names nothing outside of it.
func FuzzRead(f *testing.F) {
	root := f.TempDir()
	for _, text := range []string{a + b + whole, whole, "null", `{"unit":"ROOT/../a","entered":{"ROOT/../p.js":[1]}}` + "\n" + whole} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		e := Trace.Read(root, adapter.Detection{}, [][]byte{[]byte(strings.ReplaceAll(string(text), "ROOT", root))}).Executed
		if e == nil {
			return
		}
		local := func(name string) {
			if name != "" && !filepath.IsLocal(filepath.FromSlash(name)) {
				t.Errorf("%s names %q as part of the tree", text, name)
			}
		}
		for _, name := range append(append(e.Units, e.Always...), e.Before...) {
			local(name)
		}
		for name, units := range e.Files {
			local(name)
			for unit := range units {
				local(unit)
			}
		}
		if _, err := json.Marshal(e); err != nil {
			t.Error(err)
		}
	})
}
