package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A step is one line of the tables:
//
//	write PATH: TEXT       make or replace a file
//	append PATH: TEXT      add to its end
//	prepend PATH: TEXT     add before its beginning
//	edit PATH: OLD => NEW  replace the one place where OLD stands
//	remove PATH            delete a file or folder
//	copy PATH: PATH        copy a file or folder
//
// {repo} in a text is the absolute folder of the repository.
var stepForm = regexp.MustCompile(`(?s)^(write|append|prepend|edit|remove|copy) ([^\s:]+)(?:: (.*))?$`)

// apply carries steps out below dir.
func apply(dir string, steps []string) error {
	for _, s := range steps {
		if err := applyStep(dir, s); err != nil {
			return fmt.Errorf("step %q: %w", s, err)
		}
	}
	return nil
}

func applyStep(dir, step string) error {
	m := stepForm.FindStringSubmatch(step)
	if m == nil {
		return errors.New("is not of the form VERB PATH[: TEXT]")
	}
	path, err := place(dir, m[2])
	if err != nil {
		return err
	}
	verb, text := m[1], strings.ReplaceAll(m[3], "{repo}", dir)
	switch verb {
	case "remove":
		if _, err := os.Lstat(path); err != nil {
			return err
		}
		return os.RemoveAll(path)
	case "copy":
		to, err := place(dir, text)
		if err != nil {
			return err
		}
		return copyTo(path, to)
	case "write":
		return replaceFile(path, text)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch verb {
	case "append":
		return replaceFile(path, string(old)+text)
	case "prepend":
		return replaceFile(path, text+string(old))
	}
	from, to, ok := strings.Cut(text, " => ")
	if !ok {
		return errors.New("edit needs OLD => NEW")
	}
	if n := strings.Count(string(old), from); n != 1 {
		return fmt.Errorf("the text to replace stands in %d places, expected 1", n)
	}
	return replaceFile(path, strings.Replace(string(old), from, to, 1))
}

// place finds a path; a * stands for what differs between machines, such as the
// version in .venv/lib/python3*, and only in the folder.
func place(dir, path string) (string, error) {
	folder, rest, open := strings.Cut(path, "*/")
	if !open {
		return filepath.Join(dir, filepath.FromSlash(path)), nil
	}
	found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(folder)+"*"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("%s* stands for %d folders, expected 1", folder, len(found))
	}
	return filepath.Join(found[0], filepath.FromSlash(rest)), nil
}

// replaceFile never writes through a hard link: the dependencies are linked.
func replaceFile(path, text string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	return os.WriteFile(path, []byte(text), mode)
}

func copyTo(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	raw, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return replaceFile(to, string(raw))
}
