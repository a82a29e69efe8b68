package runtime

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
)

// asUser makes the test binary, run again as an ordinary user, carry out the
// hostile suite without the rights of root.
const asUser = "RUNTIME_TEST_AS_USER"

// TestHostile runs every program of testdata/hostile with everything laid out
// that a workflow runner has, and believes nothing the programs say: an attack
// is held when nothing changed, nobody was connected to, and nothing lives on.
func TestHostile(t *testing.T) {
	attacks := hostileAttacks(t)
	if len(attacks) < 30 {
		t.Fatalf("%d attacks, want at least 30", len(attacks))
	}
	if os.Getenv("QA_E2E") == "" {
		t.Log("a few attacks only; set QA_E2E=1 for all")
		attacks = slices.DeleteFunc(attacks, func(a attack) bool { return !slices.Contains(quick, a.name) })
	}
	for _, layers := range layersToTry() {
		t.Run(layers, func(t *testing.T) {
			machine := newMachine(t)
			w := open(t, machine.options())
			without(t, w, layers)
			for _, a := range attacks {
				t.Run(a.name, func(t *testing.T) {
					if slices.Contains(gaps[layers], a.name) || slices.Contains(gaps[who()+", "+layers], a.name) {
						t.Skip("is not held")
					}
					machine.attack(t, w, a)
				})
			}
		})
	}
}

// TestHostileAsUser is TestHostile where uid, mounts and network cannot be
// changed by right.
func TestHostileAsUser(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1 to attack as an ordinary user too")
	}
	if os.Getuid() != 0 {
		t.Skip("already run as an ordinary user by TestHostile")
	}
	temp, err := os.MkdirTemp("", "qa-as-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	const uid = 64999
	exe := filepath.Join(temp, "runtime.test")
	if err := copyProgram("/proc/self/exe", exe); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(temp, "hostile")
	if err := copyFolder(hostileDir, data); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(temp, "hostile.bin")
	buildHostile(t, binary)
	for _, path := range []string{temp, exe, binary} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Lchown(path, uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	res, err := process.Run(t.Context(), process.Command{
		Argv: []string{exe, "-test.run=^TestHostile(Phases)?$", "-test.v", "-test.timeout=30m"}, Dir: temp, Timeout: 30 * time.Minute,
		Env:         []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + temp, "TMPDIR=" + temp, asUser + "=" + data, "QA_E2E=1"},
		SysProcAttr: &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}},
	})
	if err != nil || res.ExitCode != 0 || !strings.Contains(string(res.Stdout), "--- PASS: TestHostile") {
		t.Errorf("exit %d, %v\n%s%s", res.ExitCode, err, res.Stdout, res.Stderr)
	}
}

// layersToTry are the ways in which layers can be missing: namespaces in a container,
// Landlock on an old kernel, seccomp where a filter may not be added.
func layersToTry() []string {
	all := []string{"all layers", "no namespaces", "no landlock", "no seccomp", "no namespaces, no landlock"}
	switch {
	case os.Getenv("QA_E2E") == "":
		return all[:2]
	case who() == "user": // nothing would be left, and a run ends before it starts any code
		return all[:4]
	}
	return all
}

// without takes the workspace to where layers are missing.
func without(t *testing.T, w *Workspace, layers string) {
	t.Helper()
	switch {
	case strings.Contains(layers, "no namespaces"):
		w.box.Layers.Namespaces = false
	case !w.box.Layers.Namespaces && layers != "all layers":
		t.Skip("no namespaces here")
	case !w.box.Layers.Namespaces:
		t.Logf("no namespaces here: %q", w.Levels())
	}
	if strings.Contains(layers, "no landlock") {
		w.box.Layers.Landlock = 0
	}
	if strings.Contains(layers, "no seccomp") {
		w.box.Layers.Seccomp, w.box.Layers.Notify = false, false
	}
	if layers == "all layers" {
		return
	}
	w.env = w.baseEnv()
	if err := w.box.Probe(t.Context()); err != nil {
		t.Fatalf("sandbox with %s: %v", layers, err)
	}
}

// who carries out the collection.
func who() string {
	if os.Getuid() != 0 {
		return "user"
	}
	return "root"
}

// gaps are the attacks that are not held, by what is missing, and who runs them;
// docs/isolation.md has them too.
var gaps = map[string][]string{
	// The kernel lets a user lower the priority of what is its own.
	"user, no namespaces": {"starve_judge.py"},
	// Nothing else refuses the call.
	"no seccomp": {"io_uring.py", "namespaces.py", "old_calls.py", "trace_siblings.py", "keyring.go", "kernel.go", "sockets.go"},
	// The rights of files are left, and here everybody has all; processes of another
	// run on this machine have the same user.
	"root, no namespaces, no landlock": {"change_source.mjs", "checkout_credentials.py", "edit_report.mjs", "event_payload.mjs", "exec_memory.py",
		"homes.py", "memory_of_parents.py", "send_descriptors.py", "symlink_out.mjs", "token_file_read.mjs", "write_anywhere.go"},
}

// hostileDir is where the programs are.
var hostileDir = func() string {
	if dir := os.Getenv(asUser); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "testdata", "hostile")
}()

type attack struct {
	name, tries string
	argv        []string // after the interpreter was put into the tree
	// A limit or signal that must have ended it, or a kind of success that is
	// allowed; see expect.
	limit string
}

// quick are the attacks that every test run carries out: one for each layer.
var quick = []string{"env_of_parents.mjs", "file_commands.mjs", "docker_socket.mjs", "connect_out.mjs", "namespaces.py",
	"double_fork.py", "write_anywhere.go", "inherited_files.py"}

// bounds says which attacks must be ended by which limit.
var bounds = map[string]string{"fill_memory.mjs": "memory", "fork_bomb.py": "processes", "busy_many.py": "processes", "fill_disk.py": "disk",
	"many_files.py": "disk"}

func hostileAttacks(t *testing.T) []attack {
	t.Helper()
	var out []attack
	entries, err := os.ReadDir(hostileDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		interpreter := map[string]string{".mjs": "node", ".py": "python3"}[filepath.Ext(e.Name())]
		if interpreter == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(hostileDir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		_, tries, ok := strings.Cut(strings.SplitN(string(data), "\n", 2)[0], "tries: ")
		if !ok {
			t.Errorf("%s does not say what it tries", e.Name())
		}
		out = append(out, attack{e.Name(), tries, []string{interpreter, "attacks/" + e.Name()}, bounds[e.Name()]})
	}
	source, err := os.ReadFile(filepath.Join(hostileDir, "go", "attacks.go"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(hostileDir, "go", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	tries := map[string]string{}
	for _, m := range regexp.MustCompile(`// tries: (.*)\nfunc (\w+)`).FindAllStringSubmatch(string(source), -1) {
		tries[m[2]] = m[1]
	}
	for _, m := range regexp.MustCompile(`"(\w+)": +(\w+),`).FindAllStringSubmatch(string(table), -1) {
		out = append(out, attack{name: m[1] + ".go", tries: tries[m[2]], argv: []string{"attacks/hostile.bin", m[1]}})
	}
	return out
}

// attackTime is when an attack that does not end is given up. The code has a low
// priority, and on a busy machine a limit that counts files or bytes is reached
// late.
const attackTime = 2 * time.Minute

func (m *machine) attack(t *testing.T, w *Workspace, a attack) {
	before := m.look(t)
	m.connected.Store(0)
	heartbeat := filepath.Join(w.Results(), "heartbeat")
	m.targets["results"], m.targets["heartbeat"] = w.Results(), heartbeat
	targets, err := json.Marshal(m.targets)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	res, err := w.Run(t.Context(), Command{Argv: a.argv, Env: []string{"TARGETS=" + string(targets)},
		Timeout: attackTime, MaxOutput: 1 << 20, Network: NetworkLoopback})
	if err != nil {
		t.Fatalf("%v", err)
	}
	said := string(res.Stdout) + string(res.Stderr)
	t.Logf("tries %s: exit %d %s limit %q in %.1fs: %s", a.tries, res.ExitCode, res.Signal, res.Limit, time.Since(start).Seconds(), evidence(said))
	if strings.Contains(said, "ESCAPED") {
		t.Errorf("escaped:\n%.3000s", said)
	}
	if strings.Contains(said, secret) {
		t.Error("the secret is in the output")
	}
	if n := m.connected.Load(); n > 0 {
		t.Errorf("%d connections were made", n)
	}
	if changed := before.Changed(m.look(t)); changed != nil {
		t.Errorf("changed: %v", changed)
	}
	if a.limit != "" && res.Limit != a.limit {
		t.Errorf("ended by limit %q, want %q (timed out: %v)", res.Limit, a.limit, res.TimedOut)
	}
	if res.TimedOut {
		t.Error("ran until its deadline")
	}
	if a.limit == "" && !strings.Contains(said, "held") && res.Signal == "" {
		t.Errorf("said nothing, so the attack did not happen:\n%s", said)
	}
	if len(said) > 3<<20 {
		t.Errorf("kept %d bytes of output", len(said))
	}
	alive(t, heartbeat)
	if _, err := os.Lstat(filepath.Join(w.Results(), "junit.xml")); err == nil {
		if root, err := w.ownRoot(w.Results()); err == nil {
			if _, err := rooted.Read(root, "junit.xml", 1<<20); err == nil {
				t.Error("what is no file of its own was read as a report")
			}
			_ = root.Close()
		}
	}
	for _, dir := range []string{w.box.Place.Tmp, w.box.Place.Results} {
		clean, _ := os.ReadDir(dir)
		for _, e := range clean {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// alive fails when a process of the attack goes on beating.
func alive(t *testing.T, heartbeat string) {
	t.Helper()
	size := func() int64 {
		info, err := os.Stat(heartbeat)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	was := size()
	if was == 0 {
		return
	}
	time.Sleep(200 * time.Millisecond)
	if now := size(); now != was {
		t.Error("a process lives on")
	}
	_ = os.Remove(heartbeat)
}

// evidence is what stopped an attack, each reason once.
func evidence(said string) string {
	var out []string
	for lines := bufio.NewScanner(io.LimitReader(strings.NewReader(said), 1<<16)); lines.Scan(); {
		if line := lines.Text(); strings.HasPrefix(line, "held") && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return fmt.Sprintf("%.400s", strings.Join(out, "; "))
}
