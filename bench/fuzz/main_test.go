package main

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestListed(t *testing.T) {
	t.Parallel()
	got := listed("FuzzOne\nFuzzTwo\nok  \texample.com/m/one\t0.1s\nok  \texample.com/m/none\t0.1s\nFuzzOne\nok  \texample.com/m/two\t(cached)\n?   \texample.com/m/three\t[no test files]\n")
	var names []string
	for _, one := range got {
		names = append(names, one.pkg+" "+one.String())
	}
	assert.DeepEqual(t, names, []string{"example.com/m/one one.FuzzOne", "example.com/m/one one.FuzzTwo", "example.com/m/two two.FuzzOne"})
}

func TestProgress(t *testing.T) {
	t.Parallel()
	executions, interesting := progress("fuzz: elapsed: 0s, gathering baseline coverage: 0/9 completed\n" +
		"fuzz: elapsed: 3s, execs: 325 (108/sec), new interesting: 11 (total: 202)\nfuzz: elapsed: 6s, execs: 680 (113/sec), new interesting: 12 (total: 203)\nPASS\n")
	assert.Equal(t, executions, int64(680))
	assert.Equal(t, interesting, int64(12))
}

func TestReport(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := report(&out, []target{{pkg: "m/a", name: "FuzzA", executions: 5}, {pkg: "m/b", name: "FuzzB", failure: "panic: x"}})
	assert.Error(t, err, "1 of 2 targets failed")
	assert.Assert(t, strings.Contains(out.String(), "2 targets: 5 executions, 0.00 processor hours, 1 failed"), out.String())
	assert.Assert(t, strings.Contains(out.String(), "b.FuzzB:\npanic: x"), out.String())
}
