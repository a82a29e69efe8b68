package runtime

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
)

// inNamespace is set for the second life of TestOneUser.
const inNamespace = "RUNTIME_TEST_ONE_USER"

// TestOneUser works as root of a user namespace that has no other user, as some
// builders and sandboxes give. It runs itself again in one.
func TestOneUser(t *testing.T) {
	if os.Getenv(inNamespace) != "" {
		workAsOnlyUser(t)
		return
	}
	t.Parallel()
	one := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	groups := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	res, err := process.Run(t.Context(), process.Command{
		Argv: []string{"/proc/self/exe", "-test.run=^TestOneUser$", "-test.v"}, Dir: t.TempDir(), Timeout: 2 * time.Minute,
		Env:         append(os.Environ(), inNamespace+"=1"),
		SysProcAttr: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: one, GidMappings: groups},
	})
	if err != nil {
		t.Skipf("no user namespaces here: %v", err)
	}
	if res.ExitCode != 0 || !strings.Contains(string(res.Stdout), "--- PASS: TestOneUser") {
		t.Errorf("exit %d\n%s%s", res.ExitCode, res.Stdout, res.Stderr)
	}
}

func workAsOnlyUser(t *testing.T) {
	root, base := repo(t)
	w := open(t, Options{Root: root, Driver: "host", Cache: t.TempDir()})
	t.Logf("%s", strings.Join(w.Levels(), "\n"))
	if want := "uid: commands run as ourselves: this user namespace has no other id to change to"; !slices.Contains(w.Levels(), want) {
		t.Errorf("levels %q, want %q", w.Levels(), want)
	}
	if got := run(t, w, "cat", "file"); got != "head\n" {
		t.Errorf("file = %q", got)
	}
	b, err := w.At(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, b, "cat", "file"); got != "base\n" {
		t.Errorf("file of base = %q", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
