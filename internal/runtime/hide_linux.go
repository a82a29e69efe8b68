package runtime

import (
	"cmp"
	"os"

	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/repository"

	osuser "os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/stage"
)

// engineSockets are the control sockets of container engines: who may talk to
// one is root on the machine.
var engineSockets = []string{
	"/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock",
	"/run/crio/crio.sock", "/run/buildkit/buildkitd.sock",
}

// runnerDirs are variables of the workflow runner that name a file; everything
// beside that file is the runner's too.
var runnerDirs = []string{
	"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH",
}

// secretPaths are variables that name a file or directory with credentials.
var secretPaths = []string{
	"HOME", "RUNNER_TEMP", "XDG_RUNTIME_DIR", "KUBECONFIG", "GOOGLE_APPLICATION_CREDENTIALS",
	"AWS_SHARED_CREDENTIALS_FILE", "NETRC", "DOCKER_CONFIG", "GNUPGHOME",
}

// hidden lists what the code must not read, parents first: the checkout, the
// runner's files, homes and credentials.
func hidden(o Options) []string {
	list := append([]string{o.Root}, o.Hide...)
	for _, name := range secretPaths {
		list = append(list, environ.Lookup(o.Env, name))
	}
	for _, name := range runnerDirs {
		file := environ.Lookup(o.Env, name)
		if dir := filepath.Dir(file); strings.Count(dir, "/") >= 2 {
			list = append(list, dir)
		} else {
			list = append(list, file)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, home)
	}
	// HOME may name another one, as in a job; what we may read is there all the same.
	if self, err := osuser.LookupId(strconv.Itoa(os.Getuid())); err == nil {
		list = append(list, self.HomeDir)
	}
	var out []string
	for _, path := range list {
		if filepath.IsAbs(path) && filepath.Clean(path) != "/" && !slices.Contains(out, filepath.Clean(path)) {
			out = append(out, filepath.Clean(path))
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}

// kept lists what stays visible though it may lie in something hidden: the
// workspace, the cache, borrowed git objects, and the toolchains on PATH.
func kept(o Options, homes []place.ToolHome, places []place.Place) []string {
	var keep []string
	for _, p := range places {
		keep = append(keep, p.Home, p.Cache)
	}
	keep = append(keep, repository.At(o.Root, "").Objects()...)
	for _, h := range homes {
		keep = append(keep, h.Shown()...)
	}
	hide := hidden(o)
	for _, dir := range filepath.SplitList(environ.Lookup(o.Env, "PATH")) {
		keep = append(keep, inOwnTmp(hide, filepath.Clean(dir))...)
		for _, h := range hide {
			if rel, ok := rooted.Within(h, dir); ok && h != o.Root && rel != "." {
				keep = append(keep, filepath.Join(h, programsRoot(rel)))
			}
		}
	}
	slices.Sort(keep)
	return slices.Compact(keep)
}

// inOwnTmp keeps a toolchain that lies in /tmp, of which the code gets one of its
// own: what surrounds bin, or the directory alone when something hidden is there.
func inOwnTmp(hide []string, dir string) []string {
	for _, top := range []string{strings.TrimSuffix(dir, "/bin"), dir} {
		touches := func(h string) bool {
			_, above := rooted.Within(top, h)
			_, below := rooted.Within(h, top)
			return above || below
		}
		if rel, ok := rooted.Within("/tmp", top); ok && rel != "." && !slices.ContainsFunc(hide, touches) {
			return []string{top}
		}
	}
	return nil
}

// programsRoot widens a directory on PATH, relative to a home, to what its programs
// need around them: .pyenv/shims to .pyenv. Folders that mix programs with
// credentials are not widened.
func programsRoot(rel string) string {
	first, _, _ := strings.Cut(rel, "/")
	switch first {
	case ".local", ".config", ".cache", ".cargo", ".docker", "work", "actions-runner":
		return rel
	}
	return first
}

// masks turns hidden paths into mounts, for a namespace of the command's own.
func masks(hide, keep, sockets, writable []string, tmp string) []stage.Mask {
	var out []stage.Mask
	add := func(path, place string) {
		m := stage.Mask{Path: path, Place: place}
		for _, k := range keep {
			if _, ok := rooted.Within(path, k); ok && k != path {
				m.Keep = append(m.Keep, k)
				if !slices.ContainsFunc(writable, func(w string) bool { _, ok := rooted.Within(w, k); return ok }) {
					m.ReadOnly = append(m.ReadOnly, k)
				}
			}
		}
		out = append(out, m)
	}
	own := []string{"/tmp"}
	if info, err := os.Lstat("/var/tmp"); err == nil && info.IsDir() {
		own = append(own, "/var/tmp")
	}
	for _, dir := range own {
		add(dir, tmp)
	}
	for _, path := range hide {
		if !slices.Contains(own, path) && !slices.Contains(keep, path) {
			add(path, "")
		}
	}
	for _, socket := range sockets {
		add(socket, "")
	}
	return out
}
