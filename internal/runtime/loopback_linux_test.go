package runtime

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Generated tests may start servers and talk to them, whichever layer keeps them
// from talking to others.
func TestLoopbackWorks(t *testing.T) {
	root, _ := repo(t)
	for _, name := range []string{"loopback.mjs", "loopback.py"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, root, map[string]string{name: string(data)})
	}
	for name, lower := range map[string]func(*Workspace){
		"namespace":  func(*Workspace) {},
		"duplicate":  func(w *Workspace) { w.box.Layers.Namespaces = false },
		"new socket": func(w *Workspace) { w.box.Layers.Namespaces, w.box.Layers.Duplicate = false, false },
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, Options{Root: root})
			lower(w)
			w.env = w.baseEnv()
			for _, argv := range [][]string{{"node", "loopback.mjs"}, {"python3", "loopback.py"}} {
				res, err := w.Run(t.Context(), Command{Argv: argv, Network: NetworkLoopback, Timeout: 30 * time.Second})
				if err != nil || res.ExitCode != 0 || string(res.Stdout) != "works\n" {
					t.Errorf("%v: exit %d %s, %v\n%s%s", argv, res.ExitCode, res.Signal, err, res.Stdout, res.Stderr)
				}
				_ = os.Remove(filepath.Join(w.box.Place.Tmp, "s"))
			}
		})
	}
}
