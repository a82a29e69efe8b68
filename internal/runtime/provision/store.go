// Package provision gets the toolchains that a repository asks for: one that is there
// and fits, else one that is fetched, held against its sum and kept for later runs.
// Start at [Store].
package provision

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha1" //nolint:gosec // old npm archives and pins have nothing better
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/web"
)

// A Store keeps toolchains below <cache>/toolchains, one directory each, named
// <name>-<version>-<os>-<arch>. Nothing of the repository goes into the name: a
// cache step of a workflow can therefore use one key for all branches, say
// qa-toolchains-<os>-<arch>, and never has to be cleared. A directory that is
// there is complete: it is made under another name and renamed. The code can
// read it and not write to it.
type Store struct {
	dir  string
	env  []string
	log  io.Writer
	find func(program string) (string, error)
}

const (
	maxArchive  = 512 << 20 // packed
	maxUnpacked = 4 << 30
	fetchTries  = 3
)

// AskTime bounds the question for a program's version.
const AskTime = 30 * time.Second

// Tool is a toolchain that was provisioned.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Source is the file that asked for the version; empty when none did.
	Source string `json:"source,omitempty"`
	// Cached says that nothing had to be fetched.
	Cached bool   `json:"cached"`
	Bin    string `json:"-"` // the folder of its programs
	// Installed says that it is the one on PATH.
	Installed bool `json:"-"`
	// Wanted is the version that was asked for and could not be had; empty where this one
	// fits.
	Wanted string `json:"-"`
}

// Instead says which tools stand in for versions that could not be had.
func Instead(tools []Tool) (said []string) {
	for _, t := range tools {
		if t.Wanted != "" {
			said = append(said, fmt.Sprintf("tested with %s %s: %.50q, which %s asks for, could not be had", t.Name, t.Version, t.Wanted, t.Source))
		}
	}
	return said
}

// New is the one below a directory that outlives runs. Addresses and what may be
// passed on come from env; find looks a program up where the code would find it.
func New(cache string, env []string, log io.Writer, find func(program string) (string, error)) Store {
	return Store{filepath.Join(cache, "toolchains"), env, log, find}
}

// onPath gives a program that the code finds already, with the version that it
// states: "v24.21.0", "uv 0.13.8 (…)".
func (s Store) onPath(ctx context.Context, name string) (Tool, bool) {
	path, err := s.find(name)
	if err != nil {
		return Tool{}, false
	}
	res, err := process.Run(ctx, process.Command{Argv: []string{path, "--version"}, Dir: "/", Timeout: AskTime})
	version := StatedVersion(string(res.Stdout))
	if err != nil || res.ExitCode != 0 || version == "" {
		return Tool{}, false
	}
	return Tool{Name: name, Version: version, Cached: true, Bin: filepath.Dir(path), Installed: true}, true
}

// StatedVersion is the version in what a program says of itself; empty without one.
func StatedVersion(text string) string { return strings.TrimPrefix(version.FindString(text), "v") }

var version = pattern.New(`\bv?\d+\.\d+\.\d+[-+.\w]*`)

// make gives the directory of a toolchain, filled by fill if it is not there.
func (s Store) make(name, version string, fill func(dir string) error) (dir string, cached bool, err error) {
	dir = filepath.Join(s.dir, fmt.Sprintf("%s-%s-%s", name, strings.ReplaceAll(version, "/", "_"), Platform()))
	if _, err := os.Stat(dir); err == nil {
		return dir, true, nil
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return "", false, fmt.Errorf("provision %s: %w", name, err)
	}
	temp, err := os.MkdirTemp(s.dir, ".new-")
	if err != nil {
		return "", false, fmt.Errorf("provision %s: %w", name, err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	_, _ = fmt.Fprintf(s.log, "provision %s %s\n", name, version)
	if err := errors.Join(fill(temp), os.Chmod(temp, 0o755)); err != nil {
		return "", false, fmt.Errorf("provision %s %s: %w", name, version, err)
	}
	if err := os.Rename(temp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := os.Stat(dir); there != nil {
			return "", false, fmt.Errorf("provision %s %s: %w", name, version, err)
		}
	}
	return dir, false, nil
}

// get fetches an address; the body is bounded by limit.
func (s Store) get(ctx context.Context, url, accept string, limit int64) ([]byte, error) {
	var last error
	for try := range fetchTries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			case <-time.After(time.Duration(try) * time.Second):
			}
		}
		data, status, err := s.getOnce(ctx, url, accept, limit)
		if err == nil {
			return data, nil
		}
		last = err
		if refused := web.Refused(err); refused != nil && refused.Final() {
			return nil, refused
		}
		if status >= 400 && status < 500 && status != http.StatusTooManyRequests {
			break
		}
	}
	return nil, last
}

// address is what the first of some variables says, else the usual one.
func (s Store) address(usual string, variables ...string) string {
	for _, name := range variables {
		if named := environ.Lookup(s.env, name); named != "" {
			return strings.TrimSuffix(named, "/")
		}
	}
	return usual
}

// index is where the versions of a tool are listed.
type index struct {
	of, url, accept string
	limit           int64
}

// list fetches which versions there are.
func (s Store) list(ctx context.Context, i index, into any) error {
	data, err := s.get(ctx, i.url, i.accept, i.limit)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("list versions of %s: %w", i.of, err)
	}
	return nil
}

func (s Store) getOnce(ctx context.Context, url, accept string, limit int64) ([]byte, int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, 0, err
	}
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	limits := web.Tool
	limits.Bytes = limit
	client := web.Client(limits)
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return nil, 0, fmt.Errorf("fetch: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, resp.StatusCode, fmt.Errorf("fetch %s: %s", environ.WithoutPassword(url), resp.Status)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, 0, fmt.Errorf("fetch: %w", err)
	}
	return data, resp.StatusCode, nil
}

// checkSum compares data with a sum in hexadecimal.
func checkSum(data []byte, algorithm, want string) error {
	made, known := map[string]func() hash.Hash{
		"sha512": sha512.New, "sha384": sha512.New384, "sha256": sha256.New, "sha224": sha256.New224, "sha1": sha1.New,
	}[algorithm]
	if !known {
		return fmt.Errorf("check sum: unknown algorithm %q", algorithm)
	}
	h := made()
	_, _ = h.Write(data)
	if got := hex.EncodeToString(h.Sum(nil)); !strings.EqualFold(got, want) {
		return fmt.Errorf("check sum: %s is %s, expected %s: the archive is not the one that was pinned", algorithm, got, want)
	}
	return nil
}

// untar unpacks a gzipped archive below dir without its first path element. It
// never leaves dir; links and what they lead through are part of the archive.
func untar(archive io.Reader, dir string) error {
	zipped, err := gzip.NewReader(archive)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	defer func() { _ = root.Close() }()
	var total int64
	for files := tar.NewReader(zipped); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		_, name, ok := strings.Cut(path.Clean(h.Name), "/")
		if !ok {
			continue
		}
		if total += h.Size; total > maxUnpacked || !filepath.IsLocal(name) {
			return fmt.Errorf("unpack: %q: outside of the archive, or more than %d bytes in all", h.Name, int64(maxUnpacked))
		}
		if err := unpackOne(root, name, h, files); err != nil {
			return fmt.Errorf("unpack %s: %w", name, err)
		}
	}
}

func unpackOne(root *os.Root, name string, h *tar.Header, data io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, name)
	case tar.TypeReg:
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644|fs.FileMode(h.Mode)&0o111)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, data)
		return errors.Join(err, f.Close())
	}
	return nil // devices and the like are nobody's need
}

// ErrProvision is wrapped by errors of a toolchain or of dependencies that
// could not be had.
var ErrProvision = errors.New("provision failed")
