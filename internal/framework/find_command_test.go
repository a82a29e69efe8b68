package framework

import (
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/testsupport/fixture"
)

func TestSameCommand(t *testing.T) {
	t.Parallel()
	base := map[string]string{"package.json": `{"scripts":{"pretest":"rollup -c","test":"A=1 jest a && node own.js"}}`}
	one := look(t, base, "").Detections
	for name, c := range map[string]struct {
		script    string
		installed bool
		want      bool
	}{
		"the same":           {`"pretest":"rollup -c","test":"A=1 jest a && node own.js"`, false, true},
		"installed":          {`"pretest":"rollup -c","test":"A=1 jest a && node own.js"`, true, true},
		"another argument":   {`"pretest":"rollup -c","test":"A=1 jest b && node other.js"`, false, false},
		"another variable":   {`"pretest":"rollup -c","test":"A=2 jest a && A=2 node own.js"`, false, false},
		"another build":      {`"pretest":"rollup","test":"A=1 jest a && node own.js"`, false, false},
		"what is left out":   {`"pretest":"rollup -c","test":"A=1 jest a --bail && A=1 node own.js"`, false, false},
		"written elsewhere":  {`"pretest":"rollup -c","test":"npm run x && node own.js","x":"A=1 jest a"`, false, true},
		"another program":    {`"pretest":"rollup -c","test":"mocha a && ava"`, false, false},
		"only its reporters": {`"pretest":"rollup -c","test":"A=1 jest a --verbose && node own.js x"`, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"package.json": `{"scripts":{` + c.script + `}}`}
			if c.installed {
				files["node_modules/jest/package.json"] = `{"version":"30.0.0","bin":"bin/jest.js"}`
				files["node_modules/.bin/jest"] = ""
			}
			other := look(t, files, "").Detections
			assert.Equal(t, len(other), len(one))
			for i := range one {
				assert.Equal(t, SameCommand(one[i], other[i]), c.want, "%+v\n%+v", one[i], other[i])
			}
		})
	}
	custom := func(line string) adapter.Detection {
		d, err := Custom("", line, nil, nil)
		assert.NilError(t, err)
		return d
	}
	assert.Assert(t, SameCommand(custom("make a"), custom("make a")) && !SameCommand(custom("make a"), custom("make b")))
}

// What is run by name is found where npm would find it.
func TestProgramsOnPath(t *testing.T) {
	t.Parallel()
	dir := fixture.Files(t, map[string]string{
		"package.json": `{}`, "a b/package.json": `{"scripts":{"test":"own --x 'y z' && A=$HOME own *.js"}}`,
		"node_modules/.bin/own": "#!/bin/sh\necho own \"$@\"\n", "a b/node_modules/.bin/x": "", "a b/1.js": "", "a b/2.js": "",
	})
	assert.NilError(t, os.Chmod(filepath.Join(dir, "node_modules/.bin/own"), 0o755))
	found, err := Find(project.Here(), dir, "", "")
	assert.NilError(t, err)
	assert.Equal(t, len(found.Detections), 2)
	assert.Equal(t, CommandLine(found.Detections[0]), `cd 'a b' && own --x 'y z'`)
	for i, want := range []string{"own --x y z\n", "own 1.js 2.js\n"} {
		inv, err := Command.Invocation(found.Detections[i], adapter.Request{OutDir: "/out"})
		assert.NilError(t, err)
		assert.Equal(t, output(t, filepath.Join(dir, "a b"), inv.Argv), want)
	}
}

func output(t *testing.T, dir string, argv []string) string {
	t.Helper()
	res, err := process.Run(t.Context(), process.Command{Argv: argv, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}})
	assert.NilError(t, err)
	assert.Equal(t, res.ExitCode, 0, "%s", res.Stderr)
	return string(res.Stdout)
}
