package sandbox

import (
	"cmp"
	"os"
	osuser "os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/place"
	"github.com/org/qa-action/internal/runtime/repository"
)

// Machine says what of the machine commands must not see.
type Machine struct {
	Root       string   // the checkout
	Env        []string // ours
	Hide       []string // paths, absolute, beside those that the environment names
	Homes      []place.ToolHome
	Repository repository.Repository
}

// EngineSockets are the control sockets of container engines: who may talk to
// one is root on the machine.
var EngineSockets = []string{
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

// Hidden lists what the code must not read, parents first: the checkout, the
// runner's files, homes and credentials.
func (m Machine) Hidden() []string {
	list := append([]string{m.Root}, m.Hide...)
	for _, name := range secretPaths {
		list = append(list, environ.Lookup(m.Env, name))
	}
	for _, name := range runnerDirs {
		file := environ.Lookup(m.Env, name)
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
	out := each.Added(nil, each.Of(each.Where(list, filepath.IsAbs), filepath.Clean)...)
	out = slices.DeleteFunc(out, func(path string) bool { return path == "/" })
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}

// kept lists what stays visible though it may lie in something hidden: the
// workspace, the cache, borrowed git objects, and the toolchains on PATH.
func (m Machine) kept(places ...place.Place) []string {
	var keep []string
	for _, p := range places {
		keep = append(keep, p.Home, p.Cache)
	}
	keep = append(keep, m.Repository.Objects()...)
	for _, h := range m.Homes {
		keep = append(keep, h.Shown()...)
	}
	hide := m.Hidden()
	for _, dir := range filepath.SplitList(environ.Lookup(m.Env, "PATH")) {
		keep = append(keep, inOwnTmp(hide, filepath.Clean(dir))...)
		for _, h := range hide {
			if rel, ok := rooted.Within(h, dir); ok && h != m.Root && rel != "." {
				keep = append(keep, filepath.Join(h, programsRoot(rel)))
			}
		}
	}
	slices.Sort(keep)
	return slices.Compact(keep)
}

// sharedMemory is memory, though it belongs to no process: as of /tmp, the code gets one
// of its own.
const sharedMemory = "/dev/shm"

// inOwnTmp keeps a toolchain that lies in /tmp or shared memory, of which the code gets
// its own: what surrounds bin, or the directory alone when something hidden is there.
func inOwnTmp(hide []string, dir string) []string {
	for _, top := range []string{strings.TrimSuffix(dir, "/bin"), dir} {
		touches := func(h string) bool {
			_, above := rooted.Within(top, h)
			_, below := rooted.Within(h, top)
			return above || below
		}
		for _, own := range []string{"/tmp", sharedMemory} {
			if rel, ok := rooted.Within(own, top); ok && rel != "." && !slices.ContainsFunc(hide, touches) {
				return []string{top}
			}
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

// Sockets lists the engine and agent sockets of this machine.
func (m Machine) Sockets() []string {
	list := append([]string{environ.Lookup(m.Env, "SSH_AUTH_SOCK")}, EngineSockets...)
	if path, ok := strings.CutPrefix(environ.Lookup(m.Env, "DOCKER_HOST"), "unix://"); ok {
		list = append(list, path)
	}
	if dir := environ.Lookup(m.Env, "XDG_RUNTIME_DIR"); dir != "" {
		list = append(list, filepath.Join(dir, "docker.sock"), filepath.Join(dir, "podman", "podman.sock"))
	}
	return each.Where(list, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode()&os.ModeSocket != 0
	})
}
