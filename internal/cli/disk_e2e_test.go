//go:build linux

package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/session"
	"github.com/org/qa-action/internal/wording"
)

// smallDisk makes a disk of so many KiB.
func smallDisk(t *testing.T, dir string, kib string, mode string) {
	t.Helper()
	mustDo(t, os.MkdirAll(dir, 0o755))
	err := unix.Mount("none", dir, "tmpfs", 0, "size="+kib+"k,mode="+mode)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skip("no disk can be mounted here")
	}
	mustDo(t, err)
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

// TestDiskFull fills each disk that a run writes to, at every stage: whatever
// did not fit, there is a report that says so where there is any room, none that
// is green, and the error names the disk.
func TestDiskFull(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	const fill = "sh -c 'head -c 9000000 /dev/zero >%; cp -r ready out'"
	for name, c := range map[string]fullDisk{
		"output, before the session":                {output: "4", none: true, want: "name a directory on another one (--output-dir)"},
		"output, before any work":                   {output: "80", want: "the disk that holds qa-report is full"},
		"output, the session's first lines":         {output: "120", want: "the disk that holds qa-report is full"},
		"output, while tasks end":                   {output: "160", want: "the disk that holds qa-report is full"},
		"output, while reports are rendered":        {output: "200", want: "the disk that holds qa-report is full"},
		"scratch, the copy":                         {scratch: "4", want: "copy the checkout: copy git metadata: write "},
		"scratch, files of the copy":                {scratch: "36", want: "no space left on device"},
		"scratch, while dependencies are installed": {scratch: "2048", setup: "head -c 9000000 /dev/zero >x", want: "No space left on device"},
		"scratch, while tests run":                  {scratch: "2048", tests: strings.ReplaceAll(fill, "%", "x"), want: "no space left on device"},
		"scratch, by the tests' own files":          {scratch: "2048", tests: strings.ReplaceAll(fill, "%", "$TMPDIR/x"), want: "no space left on device"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.play(t, nil)
		})
	}
}

// TestDiskFullElsewhere is the same in the image and in other containers.
func TestDiskFullElsewhere(t *testing.T) {
	otherPlaces(t, func(t *testing.T, p *place) {
		for name, c := range map[string]fullDisk{
			"output before the session":                {output: "4", none: true, want: "No space left on device"},
			"output before any work":                   {output: "80", want: "the disk that holds qa-report is full"},
			"output while tasks end":                   {output: "160", want: "the disk that holds qa-report is full"},
			"output while reports are rendered":        {output: "200", want: "the disk that holds qa-report is full"},
			"scratch the copy":                         {scratch: "4", want: "no space left on device"},
			"scratch while dependencies are installed": {scratch: "4096", setup: "head -c 9000000 /dev/zero >x", want: "No space left on device"},
			"scratch while tests run":                  {scratch: "4096", tests: "sh -c 'head -c 9000000 /dev/zero >x; cp -r ready out'", want: "no space left on device"},
		} {
			t.Run(name, func(t *testing.T) { c.play(t, p) })
		}
	})
}

// fullDisk is a run with too little room on one of its disks.
type fullDisk struct {
	output, scratch string // sizes in KiB
	tests, setup    string
	none            bool // no room for a report
	want            string
}

func (c fullDisk) play(t *testing.T, p *place) {
	v := newVictim(t)
	mustDo(t, os.Chmod(filepath.Dir(filepath.Dir(v.dir)), 0o755))
	mustDo(t, os.Chmod(filepath.Dir(v.dir), 0o755))
	scratch := filepath.Join(filepath.Dir(v.dir), "scratch")
	mustDo(t, os.Mkdir(scratch, 0o777))
	if c.output != "" {
		smallDisk(t, v.out(), c.output, "755")
	}
	if c.scratch != "" {
		smallDisk(t, scratch, c.scratch, "1777")
	}
	fills := c.tests != ""
	if !fills {
		c.tests = "cp -r ready out"
	}
	args := arguments("run", c.tests)
	if c.setup != "" {
		args = append(args, "--setup-command", c.setup)
	}
	var code int
	var text string
	if p != nil {
		args = slices.DeleteFunc(args, func(arg string) bool { return arg == "--runtime" || arg == "host" })
		// Copies are made in the first where the commands' container sees it.
		code, text = p.run(t, v.dir, map[string]string{"RUNNER_TEMP": scratch, "TMPDIR": scratch}, args...)
	} else {
		v.more = append(v.more, "TMPDIR="+scratch)
		res := v.qa(args...)
		code, text = res.ExitCode, string(res.Stdout)+string(res.Stderr)
	}
	said := wording.Fold(text)
	// Of what the code fills, the limit that leaves a part to us may be the first.
	limited := fills && strings.Contains(said, "used more disk than its limit")
	if code != exitInconclusive || !strings.Contains(strings.ToLower(said), strings.ToLower(c.want)) && !limited {
		t.Errorf("exit code %d, want %q in\n%s", code, c.want, text)
	}
	found, err := filepath.Glob(filepath.Join(v.out(), "qa-*", "report.json"))
	mustDo(t, err)
	if c.none {
		left, err := filepath.Glob(filepath.Join(v.out(), "qa-*"))
		if mustDo(t, err); len(left) > 0 {
			t.Errorf("left %v on a full disk", left)
		}
		return
	}
	if len(found) != 1 {
		t.Fatalf("%d reports\n%s", len(found), text)
	}
	raw, err := os.ReadFile(found[0])
	mustDo(t, err)
	var r qa.Report
	mustDo(t, json.Unmarshal(raw, &r))
	mustDo(t, quality.Verify(&r))
	if r.Manifest.Runtime != "" {
		p.ran(t, &r)
	}
	if r.Result != qa.Inconclusive || r.Reason == "" {
		t.Errorf("%s: %s", r.Result, r.Reason)
	}
	if left, _ := filepath.Glob(filepath.Join(v.out(), "qa-*", ".*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// TestReadOnlyCheckout: git and we only read a checkout; a run needs a place for
// its session, which may be mounted there.
func TestReadOnlyCheckout(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	v := newVictim(t)
	mustDo(t, os.Chmod(filepath.Dir(filepath.Dir(v.dir)), 0o755))
	mustDo(t, os.Chmod(filepath.Dir(v.dir), 0o755))
	v.write("lib.go", victimChange) // the index knows another time
	mustDo(t, os.Mkdir(filepath.Join(v.dir, "out-there"), 0o755))
	smallDisk(t, filepath.Join(v.dir, "out-there"), "20480", "755")
	err := unix.Mount(v.dir, v.dir, "", unix.MS_BIND|unix.MS_REC, "")
	mustDo(t, err)
	t.Cleanup(func() { _ = unix.Unmount(v.dir, unix.MNT_DETACH) })
	mustDo(t, unix.Mount("", v.dir, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""))
	if err := os.WriteFile(filepath.Join(v.dir, "x"), nil, 0o600); !errors.Is(err, unix.EROFS) {
		t.Fatalf("the checkout can be written: %v", err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{arguments("run", victimTests), exitInconclusive, "read-only file system; the checkout cannot be written: choose a directory in it that can with --output-dir"},
		{append(arguments("run", victimTests), "--output-dir", "out-there"), exitFail, "QA FAIL"},
		{[]string{"report", "--output-dir", "out-there"}, exitFail, "QA FAIL"},
		{[]string{"status", "--output-dir", "out-there"}, exitOK, "finished"},
		{[]string{"scan"}, exitOK, "0 new findings"},
		{[]string{"plan"}, exitOK, "QASTRAT-001"},
	} {
		res := v.qa(c.args...)
		text := string(res.Stdout) + string(res.Stderr)
		if res.ExitCode != c.code || !strings.Contains(text, c.want) {
			t.Errorf("qa %q: exit code %d, want %d and %q in\n%s", c.args, res.ExitCode, c.code, c.want, text)
		}
	}
}

// TestTwoRunsInOneCheckout: each has a session of its own, and both are in the
// history.
func TestTwoRunsInOneCheckout(t *testing.T) {
	if os.Getenv("QA_E2E") == "" {
		t.Skip("set QA_E2E=1")
	}
	t.Parallel()
	v := newVictim(t)
	const runs = 3
	codes := make(chan int, runs)
	for range runs {
		p := v.start(arguments("run", victimTests)...)
		go func() {
			state, err := p.Wait()
			if err != nil {
				codes <- -1
				return
			}
			codes <- state.ExitCode()
		}()
	}
	for range runs {
		if code := <-codes; code != exitFail {
			t.Errorf("exit code %d", code)
		}
	}
	known, err := session.List(output.At(v.out()))
	mustDo(t, err)
	for _, k := range known {
		if k.Broken != nil || k.Meta.State != session.Finished {
			t.Errorf("%s: %s, %v", k.ID, k.Meta.State, k.Broken)
		}
		raw, err := os.ReadFile(filepath.Join(v.out(), k.ID, "report.json"))
		mustDo(t, err)
		var r qa.Report
		mustDo(t, json.Unmarshal(raw, &r))
		if r.Result != qa.Fail || r.Session != k.ID {
			t.Errorf("%s: %s of %s", k.ID, r.Result, r.Session)
		}
	}
	if n := v.outcome()["runs recorded"]; len(known) != runs || n != runs {
		t.Errorf("%d sessions, %v recorded, want %d", len(known), n, runs)
	}
}
