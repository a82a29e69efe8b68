package provision

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/repository"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// uvArch names this machine in the files of uv.
var uvArch = map[string]string{"linux/amd64": "manylinux_2_17_x86_64", "linux/arm64": "manylinux_2_17_aarch64",
	"darwin/arm64": "macosx_11_0_arm64", "darwin/amd64": "macosx_10_12_x86_64"}

// UV gives the uv of PATH, or the newest of the Python package index.
func (s Store) UV(ctx context.Context) (Tool, error) {
	if t, ok := s.onPath(ctx, "uv"); ok {
		return t, nil
	}
	if dirs, _ := filepath.Glob(filepath.Join(s.dir, "uv-*-"+Platform())); len(dirs) > 0 {
		newest := slices.MaxFunc(dirs, func(a, b string) int { return strings.Compare(a, b) })
		return Tool{Name: "uv", Version: strings.Split(filepath.Base(newest), "-")[1], Cached: true, Bin: newest}, nil
	}
	index := s.pythonIndex()
	version, file, err := s.newestUV(ctx, index)
	if err != nil {
		return Tool{}, err
	}
	dir, cached, err := s.make("uv", version, func(dir string) error {
		base, err := url.Parse(index + "/uv/")
		if err != nil {
			return err
		}
		address, err := base.Parse(file.URL)
		if err != nil {
			return err
		}
		wheel, err := s.get(ctx, address.String(), "", maxArchive)
		if err != nil {
			return err
		}
		if err := checkSum(wheel, "sha256", file.Hashes["sha256"]); err != nil {
			return err
		}
		return unzipPrograms(wheel, dir)
	})
	return Tool{Name: "uv", Version: version, Cached: cached, Bin: dir}, err
}

// pythonIndex is where the machine gets its packages of Python.
func (s Store) pythonIndex() string {
	return s.address("https://pypi.org/simple", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL")
}

// uvFile is a file of a page of the index.
type uvFile struct {
	Name   string            `json:"filename"`
	URL    string            `json:"url"`
	Hashes map[string]string `json:"hashes"`
	Yanked any               `json:"yanked"`
}

// newestUV finds the newest wheel of uv for this machine.
func (s Store) newestUV(ctx context.Context, at string) (version string, file uvFile, err error) {
	var page struct {
		Files []uvFile `json:"files"`
	}
	if err := s.list(ctx, index{"uv", at + "/uv/", "application/vnd.pypi.simple.v1+json", 64 << 20}, &page); err != nil {
		return "", file, err
	}
	arch := uvArch[runtime.GOOS+"/"+runtime.GOARCH]
	byVersion := map[string]uvFile{}
	var versions []string
	for _, f := range page.Files {
		parts := strings.Split(f.Name, "-")
		if arch != "" && len(parts) > 2 && strings.Contains(f.Name, arch) && strings.HasSuffix(f.Name, ".whl") && (f.Yanked == nil || f.Yanked == false) {
			byVersion[parts[1]] = f
			versions = append(versions, parts[1])
		}
	}
	version, err = toolchain.PickSemver("uv", "", versions)
	return version, byVersion[version], err
}

// unzipPrograms takes the scripts out of a wheel.
func unzipPrograms(wheel []byte, dir string) error {
	files, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		return fmt.Errorf("unpack wheel: %w", err)
	}
	found := false
	for _, f := range files.File {
		if !strings.HasSuffix(filepath.Dir(f.Name), ".data/scripts") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return fmt.Errorf("unpack wheel: %w", err)
		}
		out, err := os.OpenFile(filepath.Join(dir, filepath.Base(f.Name)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
		if err != nil {
			return errors.Join(fmt.Errorf("unpack wheel: %w", err), in.Close())
		}
		_, err = io.Copy(out, io.LimitReader(in, maxArchive))
		if err := errors.Join(err, out.Close(), in.Close()); err != nil {
			return fmt.Errorf("unpack wheel: %w", err)
		}
		found = true
	}
	if !found {
		return errors.New("unpack wheel: no programs in it")
	}
	return nil
}

// PythonOnPath is the interpreter that a program of the machine starts, if it fits.
// The program may be a script that chooses one.
func (s Store) PythonOnPath(ctx context.Context, want toolchain.Want, program string) (Tool, error) {
	const ask = "import platform, sys; print(platform.python_version()); print(sys.executable)"
	res, err := process.Run(ctx, process.Command{Dir: "/", Timeout: AskTime, Argv: []string{program, "-I", "-c", ask},
		Env: []string{"PATH=" + environ.Lookup(s.env, "PATH"), "HOME=" + environ.Lookup(s.env, "HOME")}})
	version, at, ok := strings.Cut(strings.TrimSpace(string(res.Stdout)), "\n")
	if err != nil || res.ExitCode != 0 || !ok || !filepath.IsAbs(at) {
		return Tool{}, fmt.Errorf("ask %s for its version: %w", program, toolchain.ErrNoVersion)
	}
	if _, err := toolchain.PickPython(want.Spec, []string{version}); err != nil {
		return Tool{}, err
	}
	return Tool{Name: "python", Version: version, Source: want.Source, Cached: true, Bin: at}, nil
}

// Python finds an interpreter that fits: one of the machine, or one that uv
// fetches. Where neither has the very patch that is asked for, another one of its line
// is better than none, and Wanted says so.
func (s Store) Python(ctx context.Context, want toolchain.Want, uv Tool, enterable func(string) bool) (Tool, error) {
	found := s.interpreters(ctx, enterable)
	versions := slices.Sorted(maps.Keys(found))
	if v, err := toolchain.PickPython(want.Spec, versions); err == nil {
		return Tool{Name: "python", Version: v, Source: want.Source, Cached: true, Bin: found[v]}, nil
	} else if !errors.Is(err, toolchain.ErrNoVersion) {
		return Tool{}, err
	}
	dir := filepath.Join(s.dir, "python")
	_, _ = fmt.Fprintf(s.log, "provision python %s\n", want.Spec)
	res, err := process.Run(ctx, process.Command{
		Argv: []string{filepath.Join(uv.Bin, "uv"), "python", "install", "--no-bin", want.Spec}, Dir: "/", Timeout: 10 * time.Minute,
		Env: environ.Merge(environ.NetworkEnv(s.env), []string{"HOME=" + os.TempDir(), "PATH=" + environ.Lookup(s.env, "PATH"), "UV_PYTHON_INSTALL_DIR=" + dir,
			"UV_CACHE_DIR=" + filepath.Join(s.dir, ".uv-cache"), "UV_NO_CONFIG=1"})})
	if err != nil {
		return Tool{}, err
	}
	if res.ExitCode != 0 {
		if v, err := toolchain.PickPython(toolchain.PythonLine(want.Spec), versions); err == nil && ctx.Err() == nil {
			_, _ = fmt.Fprintf(s.log, "%.50q is asked for (%s), the machine has %s, and it could not be fetched: %s\n", want.Spec, want.Source, v, diagnosis.Line(res.Stderr))
			return Tool{Name: "python", Version: v, Source: want.Source, Cached: true, Bin: found[v], Wanted: want.Spec}, nil
		}
		return Tool{}, fmt.Errorf("python %q: none of %s on this machine fits, and none could be fetched: %s",
			want.Spec, strings.Join(versions, ", "), diagnosis.Line(res.Stderr))
	}
	found = s.interpreters(ctx, enterable)
	v, err := toolchain.PickPython(want.Spec, slices.Collect(maps.Keys(found)))
	return Tool{Name: "python", Version: v, Source: want.Source, Bin: found[v]}, err
}

var pythonName = pattern.New(`^python3?(\.\d+)?$`)

// interpreters lists the machine's interpreters by version: on PATH, fetched by
// uv, of pyenv and of the workflow runner's tool cache.
func (s Store) interpreters(ctx context.Context, enterable func(string) bool) map[string]string {
	dirs := filepath.SplitList(environ.Lookup(s.env, "PATH"))
	home := environ.Lookup(s.env, "HOME")
	for _, pattern := range []string{
		filepath.Join(s.dir, "python", "*", "bin"), filepath.Join(home, ".pyenv", "versions", "*", "bin"),
		"/opt/hostedtoolcache/Python/*/*/bin", "/usr/bin", "/usr/local/bin",
	} {
		more, _ := filepath.Glob(pattern)
		dirs = append(dirs, more...)
	}
	found, asked := map[string]string{}, map[string]bool{}
	for _, dir := range dirs {
		if strings.HasSuffix(dir, "/shims") || repository.IsVenv(filepath.Dir(dir)) || !enterable(dir) {
			continue
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			real, err := filepath.EvalSymlinks(path)
			if !pythonName.MatchString(e.Name()) || err != nil || asked[real] {
				continue // one interpreter has many names
			}
			asked[real] = true
			if v := pythonVersion(ctx, path); v != "" && found[v] == "" {
				found[v] = path
			}
		}
	}
	return found
}

// pythonVersion asks an interpreter; one that cannot make environments (a
// distribution's without its venv module, or an old one) does not count.
func pythonVersion(ctx context.Context, path string) string {
	res, err := process.Run(ctx, process.Command{Dir: "/", Timeout: 10 * time.Second,
		Argv: []string{path, "-I", "-c", "import platform, sys; print(platform.python_version() if sys.version_info >= (3, 7) else '')"}})
	if err != nil || res.ExitCode != 0 {
		return ""
	}
	return strings.TrimSpace(string(res.Stdout))
}

func goPlatform() string { return runtime.GOOS + "/" + runtime.GOARCH }
