package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// kinds are the words that all questions of a job have in common: the stable
// prefix and the schema of the answer. One file for each job.
type kinds struct{ dir string }

// beside are the common words of a recording.
func beside(recording string) kinds {
	return kinds{filepath.Join(filepath.Dir(filepath.Dir(recording)), "common")}
}

func (k kinds) file(job string) string {
	return filepath.Join(k.dir, strings.ReplaceAll(job, "/", "-")+extension)
}

func (k kinds) read(job string) (prefix, shape string, err error) {
	archive, err := txtar.ParseFile(k.file(job))
	if err != nil {
		return "", "", err
	}
	if len(archive.Files) != 2 || archive.Files[0].Name != system || archive.Files[1].Name != schema {
		return "", "", fmt.Errorf("read %s: expected the sections %s and %s", k.file(job), system, schema)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, archive.Files[1].Data); err != nil {
		return "", "", fmt.Errorf("read %s: %w", k.file(job), err)
	}
	return strings.TrimSuffix(string(archive.Files[0].Data), "\n"), compact.String(), nil
}

func (k kinds) write(e Exchange) error {
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(e.Schema), "", "  "); err != nil {
		return fmt.Errorf("schema of %s: %w", e.Job, err)
	}
	raw := txtar.Format(&txtar.Archive{Files: []txtar.File{
		{Name: system, Data: []byte(e.System + "\n")}, {Name: schema, Data: append(indented.Bytes(), '\n')},
	}})
	return errors.Join(os.MkdirAll(k.dir, 0o755), os.WriteFile(k.file(e.Job), raw, 0o644))
}
