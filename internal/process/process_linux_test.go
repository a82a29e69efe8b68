package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain lets the test binary play the programs that are run.
func TestMain(m *testing.M) {
	if role := os.Getenv("PROCESS_TEST_ROLE"); role != "" {
		play(role)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is one badly behaved program. Each survivor writes its pid to PIDS.
func play(role string) {
	announce := func() {
		name := filepath.Join(os.Getenv("PIDS"), fmt.Sprint(os.Getpid()))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			panic(err)
		}
	}
	child := func(role string, attr *syscall.SysProcAttr) {
		env := []string{"PROCESS_TEST_ROLE=" + role, "PIDS=" + os.Getenv("PIDS")}
		_, err := syscall.ForkExec("/proc/self/exe", []string{"child"}, &syscall.ProcAttr{
			Env: env, Sys: attr, Files: []uintptr{0, 1, 2},
		})
		if err != nil {
			panic(err)
		}
	}
	switch role {
	case "sleep":
		announce()
		time.Sleep(time.Hour)
	case "deaf":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		announce()
		time.Sleep(time.Hour)
	case "tidy":
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		announce()
		<-c
		fmt.Println("tidied up")
	case "fork": // a child that gives birth to a daemon and goes
		child("sleep", &syscall.SysProcAttr{Setsid: true})
	case "family", "family-waits", "family-crashes":
		child("sleep", nil)
		child("deaf", nil)
		child("deaf", &syscall.SysProcAttr{Setsid: true})
		child("deaf", &syscall.SysProcAttr{Setpgid: true})
		child("fork", &syscall.SysProcAttr{Setsid: true})
		for files, _ := os.ReadDir(os.Getenv("PIDS")); len(files) < 5; files, _ = os.ReadDir(os.Getenv("PIDS")) {
			time.Sleep(5 * time.Millisecond)
		}
		if role == "family-waits" {
			time.Sleep(time.Hour)
		}
		if role == "family-crashes" {
			_ = unix.Kill(os.Getpid(), unix.SIGKILL)
			time.Sleep(time.Hour)
		}
	case "shout":
		line := bytes.Repeat([]byte("x"), 1<<16)
		for range 1 << 11 { // 128 MiB
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(1)
			}
		}
	case "both":
		fmt.Println("out token-12345")
		fmt.Fprintln(os.Stderr, "err")
		os.Exit(7)
	}
}

func command(t *testing.T, role string) (Command, string) {
	t.Helper()
	pids := t.TempDir()
	return Command{Argv: []string{"/proc/self/exe"}, Dir: pids,
		// A program that is built for coverage complains when it has no place for it.
		Env: []string{"PROCESS_TEST_ROLE=" + role, "PIDS=" + pids, "GOCOVERDIR=" + t.TempDir()}}, pids
}

// survivors lists the announced processes that are not dead.
func survivors(t *testing.T, pids string, want int) []string {
	t.Helper()
	entries, err := os.ReadDir(pids)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < want {
		t.Errorf("%d processes were born, want %d: the test shows nothing", len(entries), want)
	}
	var alive []string
	for _, e := range entries {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err == nil {
			alive = append(alive, string(stat))
		}
	}
	return alive
}

func TestNoSurvivors(t *testing.T) {
	for _, end := range []string{"normal", "crash", "timeout", "cancel"} {
		t.Run(end, func(t *testing.T) {
			role := map[string]string{"normal": "family", "crash": "family-crashes"}[end]
			if role == "" {
				role = "family-waits"
			}
			c, pids := command(t, role)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			c.Grace = 100 * time.Millisecond
			c.Timeout = time.Minute
			born := 5
			switch end {
			case "timeout":
				c.Timeout = 2 * time.Second
				born = 1 // a busy machine may not start all of them in that time
			case "cancel":
				go func() {
					for names, _ := os.ReadDir(pids); len(names) < born && ctx.Err() == nil; names, _ = os.ReadDir(pids) {
						time.Sleep(10 * time.Millisecond)
					}
					cancel()
				}()
			}
			res, err := Run(ctx, c)
			switch {
			case end == "cancel" && !errors.Is(err, context.Canceled):
				t.Errorf("err = %v, want cancelled", err)
			case end != "cancel" && err != nil:
				t.Errorf("err = %v", err)
			case end == "timeout" && !res.TimedOut:
				t.Errorf("result = %+v, want timed out", res)
			case end == "crash" && (res.ExitCode != -1 || res.Signal != "killed"):
				t.Errorf("result = %+v, want killed", res)
			}
			if alive := survivors(t, pids, born); len(alive) > 0 {
				t.Errorf("survivors:\n%s", strings.Join(alive, ""))
			}
		})
	}
}

// A sweep must not take the fresh children of a program started meanwhile.
func TestSweepSparesOtherRuns(t *testing.T) {
	long, _ := command(t, "tidy")
	long.Timeout = 3 * time.Second
	done := make(chan Result, 1)
	go func() {
		res, err := Run(t.Context(), long)
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	for range 10 {
		c, pids := command(t, "fork")
		if _, err := Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		_ = pids
	}
	if res := <-done; !res.TimedOut || !strings.Contains(string(res.Stdout), "tidied up") {
		t.Errorf("the other program did not live until its deadline: %+v", res)
	}
	if left := Children(os.Getpid()); len(left) > 0 {
		t.Errorf("children left: %v", left)
	}
}

func TestTermBeforeKill(t *testing.T) {
	c, _ := command(t, "tidy")
	c.Timeout, c.Grace = 500*time.Millisecond, 5*time.Second
	res, err := Run(t.Context(), c)
	if err != nil || !res.TimedOut || string(res.Stdout) != "tidied up\n" || res.Seconds > 4 {
		t.Errorf("result = %+v, %v", res, err)
	}
}

func TestOutputIsCappedAndStreamed(t *testing.T) {
	c, _ := command(t, "shout")
	c.MaxOutput = 1 << 20
	var live, report counter
	c.Live, c.Stdout = &live, &report
	res, err := Run(t.Context(), c)
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("%+v, %v", res.ExitCode, err)
	}
	if !res.Truncated || len(res.Stdout) > 1<<20+100 || !strings.Contains(string(res.Stdout), "bytes dropped") {
		t.Errorf("kept %d bytes, truncated %v", len(res.Stdout), res.Truncated)
	}
	if live != 1<<27 || report != 1<<27 {
		t.Errorf("live saw %d, the report %d bytes, want 128 MiB", live, report)
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

func TestRun(t *testing.T) {
	c, _ := command(t, "both")
	var live bytes.Buffer
	c.Live, c.Redact = &live, NewRedactor([]string{"token-12345"})
	res, err := Run(t.Context(), c)
	if err != nil || res.ExitCode != 7 || string(res.Stdout) != "out ***\n" || string(res.Stderr) != "err\n" {
		t.Errorf("result = %+v, %v", res, err)
	}
	if got := live.String(); got != "out ***\nerr\n" && got != "err\nout ***\n" {
		t.Errorf("live = %q", got)
	}
}

func TestRunErrors(t *testing.T) {
	if _, err := Run(t.Context(), Command{}); err == nil {
		t.Error("empty command ran")
	}
	if _, err := Run(t.Context(), Command{Argv: []string{"no-such-program"}}); !errors.Is(err, ErrNotFound) {
		t.Errorf("err = %v, want not found", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	c, pids := command(t, "sleep")
	if _, err := Run(cancelled, c); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want cancelled", err)
	}
	survivors(t, pids, 0)
}

// A log that can no longer be written to must not stop the program.
func TestBrokenLive(t *testing.T) {
	c, _ := command(t, "both")
	r, w := io.Pipe()
	_ = r.Close()
	c.Live = w
	res, err := Run(t.Context(), c)
	if err != nil || string(res.Stdout) != "out token-12345\n" {
		t.Errorf("result = %+v, %v", res, err)
	}
}

func TestReap(t *testing.T) {
	stop, err := Reap()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	c, _ := command(t, "fork")
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"x"}, &syscall.ProcAttr{
		Env: c.Env, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); len(zombies(pid)) == 0; {
		if time.Now().After(deadline) {
			break // already reaped: as good
		}
		time.Sleep(5 * time.Millisecond)
	}
	for deadline := time.Now().Add(5 * time.Second); len(zombies(pid)) > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("zombies left: %v", zombies(pid))
		}
		time.Sleep(20 * time.Millisecond)
	}
	(&tree{pid: pid}).sweep() // the daemon
}

func zombies(pid int) []string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil || !strings.Contains(string(stat), ") Z ") {
		return nil
	}
	return []string{string(stat)}
}
