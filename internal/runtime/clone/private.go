package clone

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/runtime/repository"
)

// Files that nobody has committed and whose names say that they hold somebody's
// secrets are not copied: the code would read them, and what it prints goes into
// reports and to the model. The tree of base has none of them either. Who needs
// one for the tests writes it in the setup command, out of a committed example.
var (
	privateNames = []string{".env", ".envrc", ".netrc", "_netrc", ".pypirc", ".git-credentials", ".dockercfg", ".vault-token",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials.json", "client_secret.json", "service-account.json"}
	privateEnds  = []string{".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx", ".kubeconfig", ".tfvars"}
	dotenvShared = []string{"example", "sample", "template", "dist", "defaults", "schema"}
	// privateWords are what makes a file of such a name private.
	privateWords = map[string][]string{".pem": {"PRIVATE KEY"}, ".key": {"PRIVATE KEY"}, ".npmrc": {"_auth", "_password"}}
)

// Privacy decides which files of a checkout stay out of the copy.
type Privacy struct {
	Root    string
	Caches  []string // folders in which test runners note what they have seen
	Tracked *repository.Tracked
	Left    []string // what stayed out so far
}

// keeps reports whether a file or link, slash separated and relative to the root,
// stays out of the copy, and remembers it.
func (p *Privacy) keeps(name string) bool {
	if !p.speaksOf(name) || p.Tracked.File(name) {
		return false
	}
	p.Left = append(p.Left, name)
	return true
}

// Levels says what was left out, if anything was.
func (p *Privacy) Levels() []string {
	if len(p.Left) == 0 {
		return nil
	}
	slices.Sort(p.Left)
	shown := p.Left[:min(len(p.Left), 5)]
	more := ""
	if n := len(p.Left) - len(shown); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return []string{fmt.Sprintf("files: not committed and named like credentials, so not in the copy: %s%s; a setup command can write what the tests need",
		strings.Join(shown, ", "), more)}
}

// speaksOf judges by the name and, where that does not suffice, the contents.
// What package managers have installed is left alone: they ship certificates.
func (p *Privacy) speaksOf(name string) bool {
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if language.IsInstalled(dir) {
			return false
		}
	}
	base := strings.ToLower(path.Base(name))
	if rest, ok := strings.CutPrefix(base, ".env."); ok {
		return !slices.Contains(dotenvShared, rest)
	}
	ext := path.Ext(base)
	if words, ok := privateWords[ext]; ok {
		return p.holds(name, words)
	}
	return slices.Contains(privateNames, base) || slices.Contains(privateEnds, ext) ||
		strings.HasPrefix(base, "gha-creds-") && ext == ".json"
}

// privateHead is how much of a file is looked at.
const privateHead = 64 << 10

// holds reports whether the beginning of a file has one of the words. One that
// cannot be read, or is a link, holds them for all we know.
func (p *Privacy) holds(name string, words []string) bool {
	root, err := os.OpenRoot(p.Root)
	if err != nil {
		return true
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return true
	}
	f, err := root.Open(name)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	head, err := io.ReadAll(io.LimitReader(f, privateHead))
	return err != nil || slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(head, []byte(w)) })
}

// leftover reports whether a directory or file of the checkout is the note of an
// earlier test run that nobody committed: what somebody's tools left there is not
// the change's, and it decides which tests run first, or hides that a source was
// read. Installed packages are left alone.
func (p *Privacy) leftover(rel string, isDir bool) bool {
	parts := strings.Split(filepath.ToSlash(rel), "/")
	name := parts[len(parts)-1]
	if isDir && p.stale(rel, name) {
		return true
	}
	if slices.ContainsFunc(parts, language.IsInstalled) || !language.IsCache(name) && !slices.Contains(p.Caches, name) {
		return false
	}
	return isDir && !p.Tracked.Dir(rel) || !isDir && !p.Tracked.File(rel)
}

// stale reports whether a folder is what a build made, beside the manifest that
// says so.
func (p *Privacy) stale(rel, name string) bool {
	return !p.Tracked.Dir(rel) && slices.ContainsFunc(language.All(), func(l *language.Language) bool {
		return slices.Contains(l.Project.Stale, name) && slices.ContainsFunc(l.Project.Manifests, func(m string) bool {
			return p.Tracked.File(filepath.Join(filepath.Dir(rel), m))
		})
	})
}
