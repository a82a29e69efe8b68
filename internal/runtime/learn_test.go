package runtime

import (
	"strings"
	"testing"
)

const learnt = `env: {TZ: Asia/Tokyo, NODE_OPTIONS: --require ./absent.js}
jobs:
  test:
    steps:
      - run: npm install
      - {run: npm run build, env: {FLAG: "on"}}
      - {run: npm publish}
      - {run: npm test, env: {FEATURE: "1"}}
`

// What base's workflow sets and builds before the tests is there for both sides, with
// the line that says so; what it would publish is not done.
func TestTheWorkflowTeaches(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{
		".gitignore":   "made\nnode_modules\n",
		"package.json": `{"name":"p","version":"1.0.0","scripts":{"build":"node b.js","publish":"node b.js published","test":"node t.js"}}`,
		"b.js":         `require("fs").writeFileSync(process.argv[2] || "made", require("./side.js") + process.env.FLAG)`,
		"side.js":      `module.exports = "base "`,
	})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "base")
	base := git(t, root, "rev-parse", "HEAD")
	put(t, root, map[string]string{"side.js": `module.exports = "head "`})
	workflows := map[string][]byte{".github/workflows/ci.yml": []byte(learnt), ".github/workflows/x.yml": []byte("jobs: [")}
	w := open(t, Options{Root: root, Driver: "host", Install: "always", Cache: reachableCache(t), Preparation: Preparation{Workflows: workflows}})
	show := []string{"sh", "-c", `cat made; echo " $TZ $FEATURE $NODE_OPTIONS"; [ -e published ] && echo published; true`}
	if got := run(t, w, show...); got != "head on Asia/Tokyo 1 \n" {
		t.Errorf("head has %q", got)
	}
	if got := run(t, at(t, w, base), show...); got != "base on Asia/Tokyo 1 \n" {
		t.Errorf("base has %q", got)
	}
	said := strings.Join(w.Prepared().Done, "\n")
	for _, want := range []string{
		"TZ=Asia/Tokyo (ci.yml:1)", "FEATURE=1 (ci.yml:8)", "built with `npm run build` (ci.yml:6)", "never done here: `npm publish` (ci.yml:7)",
		"x.yml is no YAML",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
}

// A build that fails is told of each side, and one that writes the project's files
// anew names them.
func TestABuildOfTheWorkflowFails(t *testing.T) {
	t.Parallel()
	root, _ := repo(t)
	put(t, root, map[string]string{
		"package.json": `{"name":"p","version":"1.0.0","scripts":{"build":"node b.js","test":"node t.js"}}`,
		"b.js":         `require("fs").writeFileSync("t.js", "")`,
		"t.js":         `process.exit(1)`,
	})
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "base")
	base := git(t, root, "rev-parse", "HEAD")
	workflows := map[string][]byte{".github/workflows/ci.yml": []byte(learnt)}
	o := Options{Root: root, Driver: "host", Install: "always", Cache: reachableCache(t), Preparation: Preparation{Workflows: workflows}}
	if p := open(t, o).Prepared(); strings.Join(p.Rebuilt, " ") != "t.js" || p.Unbuilt != "" {
		t.Errorf("rebuilt %q, unbuilt %q", p.Rebuilt, p.Unbuilt)
	}
	put(t, root, map[string]string{"b.js": `console.error("error: no such thing"); process.exit(3)`})
	w := open(t, o)
	if p := w.Prepared(); p.Unbuilt != "`npm run build` (ci.yml:6): “error: no such thing”" {
		t.Errorf("unbuilt %q", p.Unbuilt)
	}
	if p := at(t, w, base).Prepared(); p.Unbuilt != "" {
		t.Errorf("base is unbuilt: %q", p.Unbuilt)
	}
	o.Install = "never"
	if p := open(t, o).Prepared(); p.Unbuilt != "" {
		t.Errorf("nothing was to be installed, yet a build ran: %q", p.Unbuilt)
	}
}
