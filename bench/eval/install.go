package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
)

// manifests are what npm installs from. A case with other ones is installed apart.
var manifests = []string{"package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc"}

// installing keeps two cases from installing the same thing at once.
var installing sync.Mutex

// install gives a stage the dependencies of its library. They are installed once
// for all cases with the same manifests, and linked into each.
func (e *evaluation) install(ctx context.Context, s *stage) error {
	lib := s.upstream.library
	if lib.Framework == "gotest" {
		_, err := repo.Run(ctx, process.Command{Argv: []string{"go", "mod", "download"}, Dir: s.Repo, Env: s.testEnv(), Timeout: installLimit})
		return err
	}
	folder, _, _ := strings.Cut(commands[lib.Framework][0], "/")
	files, key, err := s.manifests()
	if err != nil {
		return err
	}
	installing.Lock()
	defer installing.Unlock()
	dir := filepath.Join(e.installed, lib.name, key)
	if _, err := os.Stat(filepath.Join(dir, "done")); err != nil {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
			return err
		}
		for name, raw := range files {
			if err := os.WriteFile(filepath.Join(dir, name), raw, 0o644); err != nil {
				return err
			}
		}
		for _, argv := range lib.installers(files) {
			if _, err := repo.Run(ctx, process.Command{Argv: argv, Dir: dir, Env: os.Environ(), Timeout: installLimit}); err != nil {
				return err
			}
		}
		if err := errors.Join(lib.importable(dir), os.WriteFile(filepath.Join(dir, "done"), nil, 0o644)); err != nil {
			return err
		}
	}
	return repo.Link(filepath.Join(dir, folder), filepath.Join(s.Repo, folder))
}

const installLimit = 10 * time.Minute

// manifests reads what the dependencies follow from, and names it.
func (s *stage) manifests() (files map[string][]byte, key string, err error) {
	lib := s.upstream.library
	files = map[string][]byte{}
	sum := sha256.New()
	if lib.Framework == "pytest" {
		fmt.Fprintln(sum, lib.Packages, lib.Sources)
		return files, fmt.Sprintf("%.8x", sum.Sum(nil)), nil
	}
	for _, name := range manifests {
		raw, err := os.ReadFile(filepath.Join(s.Repo, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		files[name] = raw
		fmt.Fprintf(sum, "%s %d\n%s", name, len(raw), raw)
	}
	return files, fmt.Sprintf("%.8x", sum.Sum(nil)), nil
}

// installers are the commands that install what the library's tests need. No script
// of a package runs.
func (l *library) installers(files map[string][]byte) [][]string {
	if l.Framework == "pytest" {
		pip := []string{".venv/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"}
		return [][]string{{"python3", "-m", "venv", ".venv"}, append(pip, l.Packages...)}
	}
	verb := "install"
	if files["package-lock.json"] != nil || files["npm-shrinkwrap.json"] != nil {
		verb = "ci"
	}
	return [][]string{{"npm", verb, "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"}}
}

// importable lets Python import the library from the checkout that the environment
// lies in, wherever that is.
func (l *library) importable(dir string) error {
	if l.Framework != "pytest" {
		return nil
	}
	found, err := filepath.Glob(filepath.Join(dir, ".venv", "lib", "python*", "site-packages"))
	if err != nil || len(found) != 1 {
		return errors.Join(err, fmt.Errorf("%d folders of packages in %s, expected one", len(found), dir))
	}
	return os.WriteFile(filepath.Join(found[0], "checkout.pth"), []byte("../../../../"+l.Sources+"\n"), 0o644)
}
