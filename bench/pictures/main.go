// Command pictures takes the pictures of docs/pictures: the console, the comment and
// the HTML page of `qa demo`, each light and dark. It needs chromium and a font with emoji. Run it by make
// pictures.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/org/qa-action/internal/process"
)

func main() {
	program := flag.String("qa", "bin/qa", "the built program")
	to := flag.String("to", filepath.Join("docs", "pictures"), "where the pictures go")
	from := flag.String("demo", "", "what an earlier `qa demo` left, with console.txt; default: run it")
	flag.Parse()
	if err := run(context.Background(), *program, *from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program, project, to string) error {
	work, err := os.MkdirTemp("", "qa-pictures-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // what stays is in a folder of temporary files
	if project == "" {
		project = filepath.Join(work, "shop")
		if err := demo(ctx, program, project); err != nil {
			return err
		}
	}
	pages, err := pagesOf(project)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, p := range pages {
		for _, scheme := range []string{"light", "dark"} {
			shot := filepath.Join(work, p.name+"-"+scheme+".png")
			if err := p.shoot(ctx, work, scheme, shot); err != nil {
				return fmt.Errorf("%s %s: %w", p.name, scheme, err)
			}
			if err := shrink(shot, filepath.Join(to, p.name+"-"+scheme+".png")); err != nil {
				return fmt.Errorf("%s %s: %w", p.name, scheme, err)
			}
		}
	}
	return nil
}

// demo runs the demo and keeps what it printed beside the project.
func demo(ctx context.Context, program, project string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	res, err := process.Run(ctx, process.Command{
		Argv: []string{program, "demo", "--quiet", project}, Dir: filepath.Dir(project), Env: os.Environ(), Timeout: 5 * time.Minute,
	})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 {
		return fmt.Errorf("qa demo: exit code %d: %s", res.ExitCode, res.Stderr)
	}
	return os.WriteFile(filepath.Join(project, "console.txt"), res.Stdout, 0o600)
}
