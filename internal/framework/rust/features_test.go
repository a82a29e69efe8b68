package rust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
)

// One choice of features is known again in whatever words it is made.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"test":                                "",
		"test|--features|":                    "",
		"test|--features=":                    "",
		"test|--features|b a":                 "--features=a,b",
		"test|-Fb|--release|-F|a":             "--features=a,b|--release",
		"test|--features=a,b|--|--features":   "--features=a,b|--|--features",
		"test|--no-default-features|-F=std":   "--no-default-features|--features=std",
		"+nightly|test|--features||--release": "--release",
	} {
		kept, _, ok := cargoArgs(strings.Split(args, "|"))
		assert.Assert(t, ok)
		assert.Equal(t, strings.Join(kept, "|"), want, args)
	}
	for told, want := range map[string]string{
		"":                     "",
		"--release":            "",
		"--features=a":         "apart",
		"--all-features|--lib": "apart",
		"--features=a|--target|wasm32-unknown-unknown": "--target",
		"--features=a|--|--ignored":                    "--",
	} {
		is, lacks := apart(adapter.Detection{}, adapter.Detection{Tools: adapter.Tools{Args: strings.Split(told, "|")}})
		assert.Equal(t, is, want != "", told)
		assert.Equal(t, lacks != "", strings.HasPrefix(want, "-"), told)
		assert.Assert(t, want == "apart" || strings.Contains(lacks, want), "%s: %s", told, lacks)
	}
}

// What a compiler notes of the files that it read tells what the tests are built of.
func TestBuiltOf(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/target/debug/deps/a-1.d":           root + "/a/target/debug/deps/a-1.d: src/lib.rs src/my\\ own.rs\n\nsrc/lib.rs:\nsrc/my\\ own.rs:\n/elsewhere/src/lib.rs:\n" + root + "/b/src/lib.rs:\n",
		"a/target/debug/build/a-2/script.d":   "build.rs:\n",
		"a/target/debug/incremental/deps/x.d": "src/x.rs:\n",
		"a/target/debug/a.d":                  "src/y.rs:\n",
	} {
		at := filepath.Join(root, name)
		assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		assert.NilError(t, os.WriteFile(at, []byte(text), 0o600))
	}
	built := readBuilt(root, adapter.Detection{Dir: "a"}, nil).Compiled
	assert.DeepEqual(t, built, []string{"a/build.rs", "a/src/lib.rs", "a/src/my own.rs", "b/src/lib.rs"})
	const no, silent = "no build of the tests here compiles it", "nothing that ran opened it"
	for _, c := range []struct {
		file     string
		unopened bool
		want     string
	}{
		{"a/src/lib.rs", true, ""}, // what was built before is not opened again
		{"a/src/x.rs", false, no},
		{"a/src/deep/er/x.rs", true, no},
		{"a/benches/x.rs", true, no},
		{"a/tests/ui/x.rs", false, ""},
		{"c/src/lib.rs", false, ""},
	} {
		assert.Equal(t, LeftOut(c.file, built, c.unopened), c.want, c.file)
	}
	assert.Equal(t, LeftOut("a/src/x.rs", nil, true), silent)
	assert.Equal(t, LeftOut("a/src/x.rs", nil, false), "")
}
