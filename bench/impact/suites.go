package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/javascript"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/framework/python"
)

// suite is how the tests of a clone run, and which faults they may see.
type suite struct {
	adapter.Adapter
	adapter.Detection
	report     string
	extensions []string
}

// suiteOf is that of pytest in .venv, else that of jest.
func suiteOf(dir string) (suite, error) {
	if program := filepath.Join(dir, ".venv", "bin", "python"); exists(program) {
		return suite{python.Pytest, adapter.Detection{Framework: "pytest", Dir: ".", Tools: adapter.Tools{Program: []string{program, "-m", "pytest"}}}, "pytest.xml", []string{".py"}}, nil
	}
	found, err := framework.Find(project.Here(), dir, "", javascript.Jest.Name)
	if err != nil {
		return suite{}, err
	}
	if len(found.Detections) != 1 || found.Detections[0].Dir != "." && found.Detections[0].Dir != "" {
		return suite{}, errors.New("there is neither pytest in .venv nor one suite of jest")
	}
	return suite{javascript.Jest, found.Detections[0], "jest.json", []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"}}, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
