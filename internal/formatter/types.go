package formatter

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime"
	"github.com/org/qa-action/internal/runtime/toolchain"
	"github.com/org/qa-action/internal/wording"
)

const (
	checkTimeout = 2 * time.Minute // of one look of a type checker, which reads the whole project
	maxFile      = 4 << 20         // of a test file that is quoted
	maxReferred  = 10              // projects that a configuration points to
)

var (
	// typeError is how tsc writes a diagnostic: src/a.ts(12,5): error TS2322: why.
	typeError = pattern.New(`(?m)^([^\r\n(]+)\((\d+),\d+\): error (TS\d+): ([^\r\n]*)`)
	// referred is a project that a tsconfig.json only points to.
	referred = pattern.New(`"path"\s*:\s*"([^"]+)"`)
)

// Types says what the project's own type checker has against a file as it stands in
// the copy, with the line in words, so that what was known before can be told from what
// is new. A project without one, and one that leaves the file out, has nothing against
// it; an error says that nobody knows.
func (p Project) Types(ctx context.Context, file string) ([]string, error) {
	checker := language.Of(file).Tools.Types
	if checker == nil {
		return nil, nil
	}
	bin := p.installed(ctx, checker.Program, file)
	config, err := p.typesOf(ctx, *checker, bin, file)
	if bin == "" || config == "" || err != nil {
		return nil, err
	}
	out, err := p.check(ctx, bin, append(checker.Args, "-p", config)...)
	if err != nil {
		return nil, err
	}
	text, err := rooted.ReadIn(p.Copy.Dir(), file, maxFile)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(text), "\n")
	var wrong []string
	for _, m := range typeError.FindAllStringSubmatch(out, -1) {
		if path.Clean(m[1]) != file {
			continue
		}
		at := ""
		if n, err := strconv.Atoi(m[2]); err == nil && n >= 1 && n <= len(lines) {
			at = strings.TrimSpace(lines[n-1])
		}
		wrong = append(wrong, fmt.Sprintf("%s, at %q: %s", m[3], wording.Cut(at, 120), wording.Cut(m[4], 300)))
	}
	return wrong, nil
}

// typesOf is the configuration that the type checker reads a file by, as the project
// has it; empty where there is none.
func (p Project) typesOf(ctx context.Context, c language.TypeChecker, bin, file string) (string, error) {
	for _, dir := range toolchain.Upwards(path.Dir(file)) {
		config := path.Join(dir, c.Config)
		text, err := p.Read(config)
		if err != nil {
			continue
		}
		_, others, found := strings.Cut(string(text), `"references"`)
		if !found || bin == "" {
			return config, nil
		}
		for _, m := range append([][]string{{"", "./" + c.Config}}, referred.FindAllStringSubmatch(others, maxReferred)...) {
			at := path.Join(dir, m[1])
			if path.Ext(at) != ".json" {
				at = path.Join(at, c.Config)
			}
			if _, err := p.Read(at); err != nil {
				continue
			}
			out, err := p.check(ctx, bin, "-p", at, "--listFilesOnly")
			if err != nil {
				return "", err
			}
			if strings.Contains(out+"\n", "/"+file+"\n") {
				return at, nil
			}
		}
		return "", nil
	}
	return "", nil
}

// check runs the type checker. It ends badly when it finds something; where it names no
// line of a file, it did not get so far as to look.
func (p Project) check(ctx context.Context, bin string, args ...string) (string, error) {
	res, err := p.Copy.Run(ctx, runtime.Command{Argv: append([]string{bin}, args...), Timeout: checkTimeout, Network: runtime.NetworkLoopback})
	switch {
	case err != nil:
	case res.TimedOut:
		err = fmt.Errorf("it did not end within %s", checkTimeout)
	case res.Truncated:
		err = errors.New("it said more than is read")
	case res.ExitCode != 0 && !typeError.Match(res.Stdout):
		err = fmt.Errorf("exit code %d: %s", res.ExitCode, wording.Cut(wording.First(string(res.Stdout)+string(res.Stderr)), 200))
	}
	if err != nil {
		return "", fmt.Errorf("look at the types with %s: %w", path.Base(bin), err)
	}
	return string(res.Stdout), nil
}
