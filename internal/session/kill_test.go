package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/process"
)

var errDead = errors.New("no space left on device")

// failing fails the n-th operation; with onward also all after it, as for a
// process that is gone or a disk that stays full.
func failing(n int, onward bool) (stepFunc, *int) {
	count := new(int)
	return func(string, string) error {
		*count++
		if *count == n || onward && *count > n {
			return errDead
		}
		return nil
	}, count
}

// snapshot is the content of all files of the newest session, without what
// tells how often and when it ran.
func snapshot(t *testing.T, out string) map[string]string {
	t.Helper()
	known, err := List(output.At(out))
	check(t, err)
	if len(known) == 0 {
		t.Fatal("no session")
	}
	dir := filepath.Join(out, known[0].ID)
	files := map[string]string{}
	for name := range strings.SplitSeq(listing(t, dir), "\n") {
		if strings.HasSuffix(name, "/") || name == lockFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		check(t, err)
		content := strings.ReplaceAll(string(data), known[0].ID, "ID")
		if name == metaFile {
			content = strings.ReplaceAll(content, `"runs": 2`, `"runs": 1`)
		}
		files[name] = content
	}
	return files
}

func undisturbed(t *testing.T) map[string]string {
	t.Helper()
	out := t.TempDir()
	s := mustCreate(t, out)
	check(t, drive(s, map[string]int{}))
	return snapshot(t, out)
}

// goOn does what qa resume does after a kill: it continues the session, or
// starts a new one when the kill came before there was one.
func goOn(t *testing.T, out string, ran map[string]int) {
	t.Helper()
	known, err := List(output.At(out))
	check(t, err)
	for _, k := range known {
		if k.Broken == nil {
			if _, err := Look(output.At(out), k.ID, noon, 0); err != nil {
				t.Errorf("look: %v", err)
			}
			if k.Meta.State == Finished {
				return
			}
		}
	}
	unsynced := func(string, string) error { return nil }
	s, err := resume(output.At(out), "", testKey, at(noon), unsynced)
	if none := new(NoneError); errors.As(err, &none) {
		s, err = create(output.At(out), testSpec(), unsynced)
	}
	if err != nil {
		t.Fatalf("resume: %v", err)
	}
	defer func() { check(t, s.Close()) }()
	if err := drive(s, ran); err != nil {
		t.Fatalf("run after resume: %v", err)
	}
}

// compareTorn allows the two logs to hold one torn line.
func compareTorn(t *testing.T, want, got map[string]string) {
	t.Helper()
	for _, log := range []string{boardFile, messagesFile} {
		var whole []string
		for line := range strings.Lines(got[log]) {
			if strings.HasPrefix(line, "{") && strings.HasSuffix(line, "}\n") {
				whole = append(whole, line)
			}
		}
		got[log] = strings.Join(whole, "")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// instants steps through the writes of a run: all of them with QA_E2E=1, a
// sample otherwise.
func instants(sample int) int {
	if os.Getenv("QA_E2E") == "1" {
		return 1
	}
	return sample
}

// Whatever write a run dies at, the resumed run ends with the files of an
// undisturbed one, and no task with a kept result runs again.
func TestDeathAtAnyWriteLosesNothing(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	last := 0
	for n := 1; ; n += instants(5) {
		out := t.TempDir()
		step, count := failing(n, true)
		ran := map[string]int{}
		s, err := create(output.At(out), testSpec(), step)
		if err == nil {
			err = drive(s, ran)
			check(t, s.Close())
		}
		if *count < n {
			check(t, err)
			break
		}
		last = n
		if !errors.Is(err, errDead) {
			t.Fatalf("instant %d: error %v", n, err)
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			finished := map[string]bool{}
			for id := range ran {
				matches, _ := filepath.Glob(filepath.Join(out, "qa-*", "resume", id+".json"))
				finished[id] = len(matches) > 0
			}
			goOn(t, out, ran)
			compareTorn(t, want, snapshot(t, out))
			for id, n := range ran {
				if finished[id] && n > 1 {
					t.Errorf("%s had its result kept and ran again", id)
				}
			}
		})
	}
	if last < 200 {
		t.Errorf("a run has only %d writes", last)
	}
}

// A single failed write is reported and leaves a session that can go on.
func TestOneFailedWriteIsReported(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	for n := 1; ; n += instants(17) {
		out := t.TempDir()
		step, count := failing(n, false)
		s, err := create(output.At(out), testSpec(), step)
		if err == nil {
			err = drive(s, map[string]int{})
			check(t, s.Close())
		}
		if *count < n {
			break
		}
		if !errors.Is(err, errDead) {
			t.Fatalf("instant %d: error %v", n, err)
		}
		goOn(t, out, map[string]int{})
		compareTorn(t, want, snapshot(t, out))
	}
}

const killEnv = "QA_TEST_KILL_AT"

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	instant, err := strconv.Atoi(os.Getenv(killEnv))
	if err != nil {
		os.Exit(m.Run())
	}
	step := func() stepFunc {
		count := 0
		return func(string, string) error {
			if count++; count == instant {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return nil
		}
	}()
	s, err := create(output.At(os.Args[1]), testSpec(), step)
	if err == nil {
		err = drive(s, map[string]int{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// The same with a real process and a real SIGKILL.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	self, err := os.Executable()
	check(t, err)
	for n := 1; ; n += instants(23) {
		out := t.TempDir()
		res, err := process.Run(t.Context(), process.Command{
			Argv: []string{self, out}, Dir: out,
			Env: []string{killEnv + "=" + strconv.Itoa(n), "TMPDIR=" + os.TempDir()},
		})
		check(t, err)
		if res.ExitCode == 0 {
			if n < 100 {
				t.Errorf("only %d instants", n)
			}
			break
		}
		if res.Signal != "killed" {
			t.Fatalf("instant %d: exit code %d, %s", n, res.ExitCode, res.Stderr)
		}
		goOn(t, out, map[string]int{})
		compareTorn(t, want, snapshot(t, out))
	}
}
