package provision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Go provisions a Go toolchain through the module proxy, by the go command
// of the image. The name must be exact: "auto" would never take an older one
// than the image's.
func (s Store) Go(ctx context.Context, want toolchain.Want) (Tool, error) {
	goTool, err := process.LookPath("go")
	if err != nil {
		return Tool{}, fmt.Errorf("find go: %w", err)
	}
	dir, err := os.MkdirTemp("", "qa-go-")
	if err != nil {
		return Tool{}, fmt.Errorf("provision go: %w", err)
	}
	defer func() { _ = rooted.RemoveAll(dir) }()
	modules := filepath.Join(s.dir, "go-mod")
	ask := func(env []string, args ...string) (string, error) {
		res, err := process.Run(ctx, process.Command{
			Argv: append([]string{goTool}, args...), Dir: dir, Timeout: 10 * time.Minute,
			Env: environ.Merge(environ.NetworkEnv(s.env), []string{"HOME=" + dir, "GOCACHE=" + dir, "GOMODCACHE=" + modules, "GOPATH=" + dir,
				"PATH=" + environ.Lookup(s.env, "PATH"), "GOENV=off", "GOFLAGS=-modcacherw", "GOTOOLCHAIN=local"}, env)})
		if err != nil {
			return "", err
		}
		if res.ExitCode != 0 {
			return "", fmt.Errorf("go %s: %s", strings.Join(args, " "), diagnosis.Line(res.Stderr))
		}
		return strings.TrimSpace(string(res.Stdout)), nil
	}
	local, err := ask(nil, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return Tool{}, err
	}
	ours, root, _ := strings.Cut(local, "\n")
	ours = strings.TrimPrefix(ours, "go")
	if want.Spec == "" || want.Spec == ours {
		return Tool{Name: "go", Version: ours, Source: want.Source, Cached: true, Bin: filepath.Join(root, "bin")}, nil
	}
	version := want.Spec
	if strings.Count(version, ".") < 2 {
		list, err := ask(nil, "list", "-m", "-versions", "golang.org/toolchain")
		if err != nil {
			return Tool{}, err
		}
		if version, err = toolchain.PickGo(want.Spec, goReleases(list)); err != nil {
			return Tool{}, err
		}
	}
	_, missing := os.Stat(filepath.Join(modules, "golang.org", fmt.Sprintf("toolchain@v0.0.1-go%s.%s", version, strings.ReplaceAll(goPlatform(), "/", "-"))))
	if missing != nil {
		_, _ = fmt.Fprintf(s.log, "provision go %s\n", version)
	}
	root, err = ask([]string{"GOTOOLCHAIN=go" + version}, "env", "GOROOT")
	if err != nil {
		return Tool{}, fmt.Errorf("provision go %s: %w", version, err)
	}
	if root == "" {
		return Tool{}, errors.New("provision go " + version + ": no GOROOT")
	}
	return Tool{Name: "go", Version: version, Source: want.Source, Cached: missing == nil, Bin: filepath.Join(root, "bin")}, nil
}

// goReleases reads "golang.org/toolchain v0.0.1-go1.22.3.linux-amd64 …".
func goReleases(list string) []string {
	var out []string
	for field := range strings.FieldsSeq(list) {
		v, ok := strings.CutSuffix(field, "."+strings.ReplaceAll(goPlatform(), "/", "-"))
		if _, v, found := strings.Cut(v, "-go"); ok && found && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
