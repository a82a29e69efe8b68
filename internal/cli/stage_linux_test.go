package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/process"
)

// TestStagesReadyLittle asks the runtime of Go which packages a stage makes ready: every
// command that runs in a copy pays for them twice.
func TestStagesReadyLittle(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ready := func(args ...string) string {
		res, err := process.Run(t.Context(), process.Command{Argv: append([]string{self}, args...), Env: []string{"GODEBUG=inittrace=1"}})
		if err != nil {
			t.Fatal(err)
		}
		return string(res.Stderr)
	}
	stage, all := ready("__sandbox", "none"), ready("-test.list", "^$")
	for _, name := range []string{"github.com/santhosh-tekuri/jsonschema/v6", "github.com/org/qa-action/internal/role/scout"} {
		if !strings.Contains(all, "init "+name+" ") {
			t.Errorf("the program itself does not make %s ready: name another package here\n%s", name, all)
		}
		if strings.Contains(stage, "init "+name+" ") {
			t.Errorf("a stage makes %s ready", name)
		}
	}
	if !strings.Contains(stage, "init os ") {
		t.Errorf("nothing is known of a stage:\n%s", stage)
	}
}
