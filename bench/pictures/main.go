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

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
)

func main() {
	program := flag.String("qa", "bin/qa", "the built program")
	to := flag.String("to", filepath.Join("docs", "pictures"), "where the pictures go")
	flag.Parse()
	repo.Main("pictures", func(ctx context.Context) error { return run(ctx, *program, *to) })
}

func run(ctx context.Context, program, to string) error {
	work, err := os.MkdirTemp("", "qa-pictures-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // what stays is in a folder of temporary files
	project := filepath.Join(work, "shop")
	if err := demo(ctx, program, project); err != nil {
		return err
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
			name := p.name + "-" + scheme + ".png"
			err := p.shoot(ctx, work, scheme, filepath.Join(work, name))
			if err == nil {
				err = shrink(filepath.Join(work, name), filepath.Join(to, name))
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// demo runs the demo and keeps what it printed beside the project.
func demo(ctx context.Context, program, project string) error {
	if err := repo.Absolute(&program); err != nil {
		return err
	}
	res, err := repo.Run(ctx, process.Command{
		Argv: []string{program, "demo", "--quiet", project}, Dir: filepath.Dir(project), Env: os.Environ(), Timeout: 5 * time.Minute,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(project, "console.txt"), res.Stdout, 0o600)
}
