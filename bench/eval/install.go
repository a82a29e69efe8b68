package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/org/qa-action/bench/repo"
	"github.com/org/qa-action/internal/process"
)

// manifests are what npm installs from.
var manifests = []string{"package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc"}

// installing keeps two cases from installing the same thing at once.
var installing sync.Mutex

const installLimit = 10 * time.Minute

// install gives a stage the dependencies of its library. They are installed once
// for all cases, and linked into each.
func (e *evaluation) install(ctx context.Context, s *stage, clone string) error {
	lib := s.upstream.library
	if lib.Framework == "gotest" {
		_, err := repo.Run(ctx, process.Command{Argv: []string{"go", "mod", "download"}, Dir: s.Repo, Env: s.testEnv(), Timeout: installLimit})
		return err
	}
	key := sha256.Sum256(fmt.Append(nil, lib.Packages, lib.Manifest, lib.Sources))
	dir := filepath.Join(e.installed, fmt.Sprintf("%s-%.8x", lib.name, key))
	installing.Lock()
	defer installing.Unlock()
	if !fileExists(filepath.Join(dir, "done")) {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
			return err
		}
		if err := lib.installTo(ctx, dir, clone); err != nil {
			return err
		}
	}
	folder, _, _ := strings.Cut(commands[lib.Framework][0], "/")
	return repo.Link(filepath.Join(dir, folder), filepath.Join(s.Repo, folder))
}

// installTo fills an empty folder. No script of a package runs.
func (l *library) installTo(ctx context.Context, dir, clone string) error {
	run := func(argv ...string) ([]byte, error) {
		res, err := repo.Run(ctx, process.Command{Argv: argv, Dir: dir, Env: os.Environ(), Timeout: installLimit})
		return res.Stdout, err
	}
	done := func() error { return os.WriteFile(filepath.Join(dir, "done"), nil, 0o644) }
	if l.Framework == "pytest" {
		if _, err := run("python3", "-m", "venv", ".venv"); err != nil {
			return err
		}
		pip := []string{".venv/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"}
		if _, err := run(append(pip, l.Packages...)...); err != nil {
			return err
		}
		if err := l.importable(dir); err != nil {
			return err
		}
		return done()
	}
	verb := "install"
	for _, name := range manifests {
		raw, err := run("git", "-C", clone, "show", l.Manifest+":"+name)
		if err != nil { // most have no more than two of them
			continue
		}
		if strings.HasSuffix(name, "lock.json") || strings.HasSuffix(name, "shrinkwrap.json") {
			verb = "ci"
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o644); err != nil {
			return err
		}
	}
	if _, err := run("npm", verb, "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"); err != nil {
		return err
	}
	return done()
}

// importable lets Python import the library from the checkout that the environment
// lies in, wherever that is.
func (l *library) importable(dir string) error {
	found, err := filepath.Glob(filepath.Join(dir, ".venv", "lib", "python*", "site-packages"))
	if err != nil || len(found) != 1 {
		return errors.Join(err, fmt.Errorf("%d folders of packages in %s, expected one", len(found), dir))
	}
	return os.WriteFile(filepath.Join(found[0], "checkout.pth"), []byte("../../../../"+l.Sources+"\n"), 0o644)
}
