// Command qa closes the QA loop on a change: it scans, tests, measures, writes
// missing tests and gates on evidence. Everything is in package cli.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/org/qa-action/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
	}, os.Args[1:])
	stop()
	os.Exit(code)
}
