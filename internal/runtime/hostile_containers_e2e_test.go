//go:build linux

package runtime

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/runtime/container"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/limits"
)

// TestHostileContainers runs the collection in containers of others: in one for
// each command, and in that of a job, which has the runner's directories and the
// engine's socket. QA_IMAGE names an image with Python and Node.js, ours for
// example.
func TestHostileContainers(t *testing.T) {
	e2e(t)
	image := os.Getenv("QA_IMAGE")
	if image == "" {
		t.Skip("set QA_IMAGE to an image with python3 and node")
	}
	e := podmanAt(t)
	own := container.OwnProgram
	t.Cleanup(func() { container.OwnProgram = own })
	container.OwnProgram = static(t)
	for _, driver := range []string{"container", "job-container"} {
		t.Run(driver, func(t *testing.T) {
			machine := newMachine(t)
			o := machine.options()
			o.Driver, o.Scratch = driver, scratch(t)
			// The canary is a socket that is found in another way than the engine's.
			o.Env = append(environ.WithoutVariable(o.Env, "DOCKER_HOST"), "DOCKER_HOST=unix://"+e.Socket, "XDG_RUNTIME_DIR="+machine.dir)
			if driver == "container" {
				o.Image = image
			} else {
				o.JobContainer = machine.jobContainer(t, e, image, o.Scratch)
				machine.targets["pid"] = 1
			}
			w := open(t, o)
			t.Logf("%s", strings.Join(w.Levels(), "\n"))
			for _, a := range hostileAttacks(t) {
				t.Run(a.name, func(t *testing.T) {
					if slices.Contains(gaps[driver], a.name) {
						t.Skip("is not held")
					}
					if driver == "container" && a.limit == limits.OverProcesses {
						a.limit = "" // the engine refuses more, and ends nobody
					}
					machine.attack(t, w, a)
				})
			}
			programs, err := filepath.Glob(filepath.Join(hostileDir, "phases", "*.py"))
			if err != nil || len(programs) == 0 {
				t.Fatalf("no programs: %v", err)
			}
			for _, program := range programs {
				t.Run("phases/"+filepath.Base(program), func(t *testing.T) { machine.phases(t, w, program) })
			}
		})
	}
}

// jobContainer is one that sees everything of the machine, at the same paths.
func (m *machine) jobContainer(t *testing.T, e *container.Engine, image, scratch string) string {
	t.Helper()
	var made struct {
		ID string `json:"Id"`
	}
	body := map[string]any{"Image": image, "Cmd": []string{"sleep", "3600"}, "Entrypoint": []string{""},
		"HostConfig": map[string]any{"Binds": []string{m.dir + ":" + m.dir, scratch + ":" + scratch}, "NetworkMode": "host", "PidsLimit": 1000}}
	if err := e.Call(t.Context(), http.MethodPost, "/containers/create", body, &made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = e.Call(context.WithoutCancel(t.Context()), http.MethodDelete, "/containers/"+made.ID+"?force=true", nil, nil)
	})
	if err := e.Call(t.Context(), http.MethodPost, "/containers/"+made.ID+"/start", nil, nil); err != nil {
		t.Fatal(err)
	}
	return made.ID
}
