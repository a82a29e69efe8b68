// Package process is the sole user of os/exec: it runs one program, caps what
// it prints, and leaves nothing of its process tree behind. Start at [Run].
//
// It never uses a shell. Who is allowed to run, as whom and inside which sandbox
// is decided by package runtime; this package only carries it out.
//
// On Linux a program that ends, is cancelled or runs into its deadline leaves
// no descendant: its session is killed, and whatever left the session (setsid,
// double fork) is adopted by us as a child subreaper and swept. Elsewhere the
// process group is killed, which a setsid child survives.
package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/org/qa-action/internal/timing"
)

const (
	// defaultMaxOutput is the number of bytes kept of each stream.
	defaultMaxOutput = 16 << 20
	// defaultGrace is the time between asking a program to end and ending it.
	defaultGrace = 2 * time.Second

	// drainTime bounds the wait for output still in a pipe after the whole
	// tree is dead; more than this only a process that we may not kill needs.
	drainTime = 2 * time.Second
)

// Command is one program to run.
type Command struct {
	Argv []string
	// Label is what a log of times calls the program; empty is its file's name.
	Label string
	Dir   string   // absolute
	Env   []string // the whole environment; nil is an empty one, never ours
	// Stdin may be nil.
	Stdin io.Reader
	// Timeout of zero is none beyond the context's.
	Timeout time.Duration
	// Grace is how long the program may tidy up after SIGTERM before it is
	// killed; zero is DefaultGrace.
	Grace time.Duration
	// MaxOutput caps the bytes kept of each stream; zero is DefaultMaxOutput.
	// The head and the tail are kept, the middle is dropped.
	MaxOutput int64
	// Live, when set, sees both streams as they come, uncapped. Writes to it
	// are serialised; the first write error ends them.
	Live io.Writer
	// Stdout, when set, sees the standard output alone, uncapped: a report
	// that a tool prints.
	Stdout io.Writer
	// Redact, when set, replaces known secrets in everything that is kept or
	// passed on.
	Redact *Redactor
	// ExtraFiles are inherited as descriptors 3, 4, …
	ExtraFiles []*os.File
	// SysProcAttr is filled in by package runtime (uid, namespaces).
	SysProcAttr *syscall.SysProcAttr
}

// Result is what a finished program left.
type Result struct {
	ExitCode  int // -1 when killed by a signal
	Signal    string
	Stdout    []byte
	Stderr    []byte
	Truncated bool
	TimedOut  bool
	// Limit names the resource whose limit ended the program: memory, disk,
	// processes. Empty when none did.
	Limit   string
	Seconds float64
	// Processor is the time that processors worked for the program and for those
	// of its descendants that it waited for.
	Processor time.Duration
}

// ErrNotFound is returned, wrapped, when the program does not exist.
var ErrNotFound = exec.ErrNotFound

// LookPath finds a program on PATH.
func LookPath(name string) (string, error) { return exec.LookPath(name) }

// Run runs c to its end. A non-zero exit code, a signal or a timeout is a
// Result, not an error; an error means that the program could not be started
// or that ctx was cancelled.
func Run(ctx context.Context, c Command) (Result, error) {
	if len(c.Argv) == 0 {
		return Result{}, errors.New("run program: empty command")
	}
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("run %s: %w", c.Argv[0], context.Cause(ctx))
	}
	runCtx, cancel := ctx, context.CancelFunc(func() {})
	if c.Timeout > 0 {
		runCtx, cancel = context.WithTimeout(ctx, c.Timeout)
	}
	defer cancel()

	out, err := newOutput(c)
	if err != nil {
		return Result{}, fmt.Errorf("run %s: %w", c.Argv[0], err)
	}
	defer out.close()
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Env, cmd.ExtraFiles = c.Dir, c.Stdin, c.Env, c.ExtraFiles
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	cmd.Stdout, cmd.Stderr = out.stdout.writer, out.stderr.writer
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if c.SysProcAttr != nil {
		*cmd.SysProcAttr = *c.SysProcAttr
	}
	ownTree(cmd.SysProcAttr)
	cmd.WaitDelay = drainTime // only for copying Stdin: output has its own pipes

	start := time.Now()
	tree, err := startTree(cmd)
	if err != nil {
		return Result{}, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	out.copy()
	waitErr := tree.wait(runCtx, c.Grace)
	res := Result{ExitCode: -1}
	out.finish(&res)
	res.Seconds = time.Since(start).Seconds()
	if cmd.ProcessState != nil {
		res.ExitCode = cmd.ProcessState.ExitCode()
		res.Signal = signalOf(cmd.ProcessState)
		res.Processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	timing.Program(ctx, name(c), start, res.Processor)
	switch {
	case ctx.Err() != nil:
		return res, fmt.Errorf("run %s: %w", c.Argv[0], context.Cause(ctx))
	case runCtx.Err() != nil:
		res.TimedOut = true
		return res, nil
	}
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) && !errors.Is(waitErr, exec.ErrWaitDelay) {
		return res, fmt.Errorf("wait for %s: %w", c.Argv[0], waitErr)
	}
	return res, nil
}

// name is what a log of times calls a program: never its arguments, which may hold
// anything.
func name(c Command) string {
	if c.Label != "" {
		return c.Label
	}
	return filepath.Base(c.Argv[0])
}

// wait waits for the program to end by itself or at the deadline, first asked,
// then killed; in each case nothing of its tree is left.
func (t *tree) wait(ctx context.Context, grace time.Duration) error {
	grace = cmp.Or(grace, defaultGrace)
	ended := make(chan struct{})
	go func() {
		t.awaitEnd()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		t.terminate()
		select {
		case <-ended:
		case <-time.After(grace):
			t.kill()
			<-ended
		}
	}
	return t.finish()
}
