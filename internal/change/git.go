package change

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/org/qa-action/internal/pattern"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/wording"
)

const (
	gitTimeout = 5 * time.Minute
	// maxGitOutput bounds what one git command may print; a diff above it is
	// read in portions (see patchesOf).
	maxGitOutput = 256 << 20
)

// repo runs git in one working copy. The working copy's own configuration and
// attributes are treated as hostile: whatever in them could start a program is
// overridden on each command.
type repo struct {
	top     string // absolute path of the working tree
	index   string // the same of its index, and of the objects
	objects string
	config  []string // "-c key=value" pairs, fixed for all commands
	scratch []string // environment that moves the index and new objects away
	secret  []string // environment with the credentials of one server
	limit   int64    // bytes a command may print
}

// gitError is a git command that ended with a non-zero code.
type gitError struct {
	args   []string
	code   int
	stderr string
}

func (e *gitError) Error() string {
	text := cmp.Or(e.stderr, "no message")
	return fmt.Sprintf("git %s: exit code %d: %s", strings.Join(e.args, " "), e.code, text)
}

// errTooMuch is returned, wrapped, when git printed more than maxGitOutput.
var errTooMuch = errors.New("output too large")

// safeConfig neutralises the settings by which a repository can make git run
// programs or talk to odd transports; filters and external drivers are added
// per repository by openRepo.
func safeConfig() []string {
	return []string{
		"safe.directory=*",
		"core.hooksPath=/dev/null",
		"core.fsmonitor=false",
		"core.untrackedCache=false",
		"core.quotePath=false",
		"core.pager=cat",
		"core.bigFileThreshold=16m", // larger files are compared as binary
		"core.gitProxy=",
		"credential.helper=",
		"diff.external=",
		"gc.auto=0",
		"maintenance.auto=false",
		"fetch.recurseSubmodules=no",
		"submodule.recurse=false",
	}
}

// openRepo finds the working tree that holds dir, for any question to git.
func openRepo(ctx context.Context, dir string) (*repo, error) {
	r, err := findRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err := r.disarm(ctx); err != nil {
		return nil, err
	}
	if file := excludesFile(); file != "" {
		r.config = append(r.config, "core.excludesFile="+file)
	}
	return r, nil
}

// findRepo finds the working tree that holds dir. Nothing of it may be read by git then
// but where it is.
func findRepo(ctx context.Context, dir string) (*repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find git working copy: %w", err)
	}
	if _, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("find git working copy: %w", err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("find git working copy: %w", err)
	}
	if _, err := process.LookPath("git"); err != nil {
		return nil, fmt.Errorf("detect the change: git is not installed or not on PATH; install git: %w", err)
	}
	// The tree is found without asking git, because core.worktree of a hostile
	// configuration could name any directory.
	top := abs
	for {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			break
		}
		parent := filepath.Dir(top)
		if parent == top {
			return nil, notRepo(abs)
		}
		top = parent
	}
	r := &repo{top: top, config: safeConfig(), limit: maxGitOutput}
	out, err := r.git(ctx, "rev-parse", "--path-format=absolute", "--git-path", "index", "--git-path", "objects")
	if failed := (*gitError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("%w (%s)", notRepo(abs), failed.stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("find git working copy: %w", err)
	}
	paths := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(paths) != 2 {
		return nil, fmt.Errorf("unexpected answer to git rev-parse --git-path: %q", out)
	}
	r.index, r.objects = paths[0], paths[1]
	return r, nil
}

// excludesFile is the user's own list of ignored files: the one setting of theirs
// that decides which files belong to a working copy. It is asked for once.
var excludesFile = sync.OnceValue(func() string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	res, err := process.Run(context.Background(), process.Command{
		Argv: []string{"git", "config", "--global", "--type=path", "--get", "core.excludesFile"}, Dir: string(filepath.Separator), Env: env, Timeout: gitTimeout,
	})
	if err != nil || res.ExitCode != 0 {
		return "" // not set, or no readable configuration: nothing is ignored by it
	}
	return strings.TrimSuffix(string(res.Stdout), "\n")
})

// disarm overrides every driver that the repository's configuration defines:
// filters run on checkout and comparison, text converters and merge drivers.
func (r *repo) disarm(ctx context.Context) error {
	out, err := r.git(ctx, "config", "--null", "--name-only", "--get-regexp",
		`^(filter|remote|diff)\..*\.(clean|smudge|process|required|uploadpack|receivepack|vcs|command|textconv|binary|cachetextconv)$`)
	var failed *gitError
	if errors.As(err, &failed) && failed.code == 1 {
		return nil // nothing of the kind is set
	}
	if err != nil {
		return fmt.Errorf("read repository configuration: %w", err)
	}
	for _, key := range splitNull(out) {
		value := ""
		switch {
		case strings.HasSuffix(key, ".required"), strings.HasSuffix(key, ".cachetextconv"):
			value = "false"
		case strings.HasSuffix(key, ".uploadpack"):
			value = "git-upload-pack"
		case strings.HasSuffix(key, ".receivepack"):
			value = "git-receive-pack"
		case strings.HasSuffix(key, ".binary"):
			value = "false"
		}
		if strings.Contains(key, "=") {
			// "-c" splits at the first "=", so such a name cannot be overridden.
			return fmt.Errorf("repository configuration defines %q, which cannot be disarmed; remove it from .git/config", key)
		}
		r.config = append(r.config, key+"="+value)
	}
	return nil
}

// env is the whole environment of a git command. protocols lists the allowed
// transports.
func (r *repo) env(protocols string) []string {
	env := []string{
		"LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=true",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_LITERAL_PATHSPECS=1",
		"GIT_PAGER=cat",
		"GIT_SSH_COMMAND=ssh -o BatchMode=yes",
		"GIT_ALLOW_PROTOCOL=" + protocols,
		"GIT_WORK_TREE=" + r.top,
	}
	for _, name := range []string{
		"PATH", "HOME", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK",
		"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO",
	} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(append(env, r.scratch...), r.secret...)
}

// secret lets git speak to one server with a token. It travels in the
// environment: arguments are shown to every process of the machine, and a file
// could be left behind. It is for that server alone, whatever address the clone
// names, and is not taken along when the server sends us elsewhere. A header that
// the checkout kept is put aside first: GitHub refuses two of them.
func secret(server, token string) []string {
	u, err := url.Parse(server)
	if token == "" || err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	header := "http." + u.Scheme + "://" + u.Host + "/.extraheader"
	return []string{
		"GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=" + header,
		"GIT_CONFIG_VALUE_0=",
		"GIT_CONFIG_KEY_1=" + header,
		"GIT_CONFIG_VALUE_1=Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token)),
		"GIT_CONFIG_KEY_2=http.followRedirects",
		"GIT_CONFIG_VALUE_2=false",
	}
}

// lost is how git names an object that a clone should have.
var lost = pattern.New(`fatal: (?:unable to read(?: tree)?|could not fetch) \(?([0-9a-f]{40,64})`)

// git runs one git command and returns what it printed. A partial clone may
// fetch missing blobs on the way, by network transports only.
func (r *repo) git(ctx context.Context, args ...string) ([]byte, error) {
	return r.gitInput(ctx, "", "https:http:ssh", args...)
}

func (r *repo) gitInput(ctx context.Context, stdin, protocols string, args ...string) ([]byte, error) {
	argv := []string{"git", "--no-pager"}
	for _, c := range r.config {
		argv = append(argv, "-c", c)
	}
	command := process.Command{
		Argv: append(argv, args...), Dir: r.top, Env: r.env(protocols),
		Timeout: gitTimeout, MaxOutput: r.limit,
	}
	if stdin != "" {
		command.Stdin = strings.NewReader(stdin)
	}
	res, err := process.Run(ctx, command)
	switch {
	case err != nil:
		return nil, err
	case res.TimedOut:
		return nil, fmt.Errorf("git %s: not done after %s", args[0], gitTimeout)
	case res.ExitCode != 0 && lost.Match(res.Stderr):
		return nil, incomplete(r.top, string(lost.FindSubmatch(res.Stderr)[1]))
	case res.ExitCode != 0:
		return nil, &gitError{args: shortArgs(args), code: res.ExitCode, stderr: wording.First(wording.Plain(string(res.Stderr)))}
	case res.Truncated:
		return nil, fmt.Errorf("git %s: %w: more than %d bytes", args[0], errTooMuch, r.limit)
	}
	return res.Stdout, nil
}

// line runs a git command that prints one line.
func (r *repo) line(ctx context.Context, args ...string) (string, error) {
	out, err := r.git(ctx, args...)
	return strings.TrimSpace(string(out)), err
}

func shortArgs(args []string) []string {
	if len(args) > 8 {
		return append(append([]string{}, args[:8]...), "…")
	}
	return args
}

func splitNull(b []byte) []string {
	s := strings.TrimSuffix(string(b), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}
