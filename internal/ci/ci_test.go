package ci_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/ci"
	"gotest.tools/v3/assert"
)

func has(language string) string {
	return map[string]string{"node": "20.19.5", "python": "3.12.3"}[language]
}

func read(text string) ci.Facts {
	return ci.Read(map[string][]byte{ci.Folder + "/ci.yml": []byte(text)}, has)
}

const whole = `name: CI
on: [push]
env:
  TZ: Asia/Tokyo
  PYTHONPATH: /tmp
jobs:
  test:
    runs-on: ${{ matrix.os }}
    services:
      db:
        image: postgres:16
    strategy:
      matrix:
        os: [windows-latest, ubuntu-latest]
        node: [18, 20, 22, "lts/*"]
        flag: ["on"]
    env:
      FEATURE_X: ${{ matrix.flag }}
      TOKEN: ${{ secrets.TOKEN }}
      LC_ALL: C.UTF-8
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: ${{ matrix.node }}
      - run: sudo apt-get install -y libxml2
      - run: npm ci
      - if: matrix.os == 'windows-latest'
        run: npm run build:windows
      - run: |
          # first the library
          npm run build
          cd packages/a && npm run build
      - name: Test
        run: FEATURE_Y=1 npm test -- --ci
        env:
          NODE_OPTIONS: --require ./x.js
      - run: curl https://example.org/x.sh | sh
      - run: npm publish && git push --tags
`

func lines(commands []ci.Command) string {
	var out []string
	for _, c := range commands {
		out = append(out, fmt.Sprintf("%s %v %s %s %s", c.Kind, c.Certain, c.Dir, strings.Join(c.Argv, " "), c.Source))
	}
	return strings.Join(out, "\n")
}

func TestAJobIsReadWithItsLines(t *testing.T) {
	t.Parallel()
	job, ok := read(whole).For("")
	if !ok {
		t.Fatal("no job runs tests")
	}
	want := `system true . sudo apt-get install -y libxml2 ci.yml:26
install true . npm ci ci.yml:27
build false . npm run build:windows ci.yml:29
build true . npm run build ci.yml:32
build true packages/a npm run build ci.yml:33
test true . npm test -- --ci ci.yml:35
outward false . curl https://example.org/x.sh ci.yml:38
outward true . npm publish ci.yml:39
outward true . git push --tags ci.yml:39`
	if got := lines(job.Commands); got != want {
		t.Errorf("commands\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprint(job.Services); got != "[{db postgres:16 ci.yml:10 [] []}]" {
		t.Errorf("services %s", got)
	}
	if got := fmt.Sprint(job.Variables("")); got != "[{TZ Asia/Tokyo ci.yml:4} {FEATURE_X on ci.yml:18} {LC_ALL C.UTF-8 ci.yml:20} {FEATURE_Y 1 ci.yml:35}]" {
		t.Errorf("variables %s", got)
	}
}

// What decides which code runs is never taken over, nor what only the workflow knows.
func TestHarmless(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"TZ", "Europe/Berlin", true}, {"TZ", "/etc/passwd", false}, {"TZ", "../../x", false}, {"LANG", "C", true}, {"LC_ALL", "en_US.UTF-8", true},
		{"FEATURE_X", "1", true}, {"NODE_ENV", "test", true}, {"PYTHONHASHSEED", "0", true}, {"PYTHONHASHSEED", "x; y", false},
		{"PATH", "/x", false}, {"LD_PRELOAD", "x", false}, {"LD_LIBRARY_PATH", "x", false}, {"DYLD_INSERT_LIBRARIES", "x", false}, {"NODE_OPTIONS", "--require x", false},
		{"NODE_PATH", "x", false}, {"PYTHONPATH", "x", false}, {"PYTHONSTARTUP", "x", false}, {"PYTEST_ADDOPTS", "-k x", false}, {"PYTEST_PLUGINS", "x", false},
		{"BASH_ENV", "x", false}, {"GIT_SSH_COMMAND", "x", false}, {"GOFLAGS", "-run=x", false}, {"RUSTFLAGS", "x", false}, {"JAVA_TOOL_OPTIONS", "-javaagent:x", false},
		{"COVERAGE_PROCESS_START", "x", false}, {"NPM_CONFIG_REGISTRY", "x", false}, {"npm_config_registry", "x", false}, {"PIP_INDEX_URL", "x", false},
		{"UV_INDEX", "x", false}, {"DB_PASSWORD", "x", true}, {"SECRET_KEY", "for-tests", true}, {"SECRET_KEY", "\x01", false}, {"GITHUB_TOKEN", "x", false}, {"HTTPS_PROXY", "x", false},
		{"VITEST_X", "x", false}, {"JEST_WORKER_ID", "x", false}, {"CI", "false", false}, {"A=B", "x", false}, {"X1", "a\nb", false}, {"BIG", strings.Repeat("x", 501), false},
	} {
		if got := ci.Harmless(c.name, c.value); got != c.want {
			t.Errorf("Harmless(%q, %.20q) = %v, want %v", c.name, c.value, got, c.want)
		}
	}
}

// Nothing that acts beyond the checkout is taken for an installation, a build or a test.
func TestWhatGoesOutIsNeverABuild(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"git push origin main", "gh release create v1", "npm publish", "pnpm -r publish", "yarn npm publish", "npm run release", "npm run build-and-deploy", "yarn deploy", "pnpm run publish:all",
		"docker push x", "docker build .", "twine upload dist/*", "uv publish", "poetry publish --build", "cargo publish", "make release", "make deploy", "just upload", "./scripts/deploy.sh",
		"node scripts/publish.js", "python tools/upload.py", "python setup.py sdist upload", "npx semantic-release", "npx vercel", "terraform apply", "kubectl apply -f x", "aws s3 sync a b",
		"curl -fsSL https://example.org | sh", "wget -qO- x | bash", "ssh host ls", "mvn deploy", "gradle publish", "npm version patch", "bash release.sh", "sudo npm publish", "env A=b npm publish",
	} {
		job, ok := read("jobs:\n  t:\n    steps:\n      - run: '" + line + "'\n      - run: npm test\n").For("")
		if !ok || len(job.Commands) < 2 {
			t.Errorf("%s: %v %s", line, ok, lines(job.Commands))
			continue
		}
		for _, c := range job.Commands[:len(job.Commands)-1] {
			if c.Certain && slices.Contains([]ci.Kind{ci.Build, ci.Install, ci.Test}, c.Kind) {
				t.Errorf("%s is taken for %s", line, c.Kind)
			}
		}
	}
}

func TestWhatBuildsIsABuild(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]ci.Kind{
		"npm run build": ci.Build, "pnpm build": ci.Build, "yarn workspaces foreach -A run build": ci.Build, "python setup.py build_ext --inplace": ci.Build, "make": ci.Build, "make generate": ci.Build,
		"go generate ./...": ci.Build, "npx tsc -b": ci.Build, "node scripts/build.js": ci.Build, "just codegen": ci.Build,
		"cp .env.example .env": ci.Build, "mv web/.env.sample web/.env": ci.Build, "cp config/database.ci.yml config/database.yml": ci.Build, "cp -n settings_local.py.dist settings_local.py": ci.Build,
		"cp .env.example /etc/env": ci.Other, "cp ~/.env.test .env": ci.Other, "cp target/release/x .": ci.Other, "cp .env.example ../.env": ci.Other,
		"uv sync --group test": ci.Install, "python -m pip install -e .[test]": ci.Install, "npm ci": ci.Install, "yarn": ci.Install, "go mod download": ci.Install, "bundle install": ci.Install,
		"python -m pytest -q": ci.Test, "uv run --locked tox run": ci.Test, "pipx run nox -s tests": ci.Test, "coverage run -m pytest": ci.Test, "go test ./...": ci.Test, "npm t": ci.Test,
		"pnpm vitest --coverage": ci.Test, "make check": ci.Test, "python -m unittest": ci.Test, "python -m shop.tests.runner .": ci.Test, "python -m shop.build": ci.Other, "npx c8 mocha": ci.Test, "node --test": ci.Test, "npm run unit": ci.Test, "cargo nextest run": ci.Test,
		"tox -e typing": ci.Check, "nox -s lint": ci.Check, "npm run lint": ci.Check, "pnpm run test:types": ci.Check, "npx eslint .": ci.Check, "tsc --noEmit": ci.Check,
		"brew install x": ci.System, "echo hello": ci.Other, "python -m build": ci.Other, "npm install -g npm": ci.Other,
	} {
		job, _ := read("jobs:\n  t:\n    steps:\n      - run: " + line + "\n      - run: npm test\n").For("")
		if len(job.Commands) != 2 || job.Commands[0].Kind != want {
			t.Errorf("%s: %s, want %s", line, lines(job.Commands), want)
		}
	}
}

// A shell hands on a pattern that no file fits: of one in an option that is so, of others
// it depends on the tree.
func TestPatternsOfOptions(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"bun run build --filter=@scope/env*": true, "pnpm --filter=./packages/* build": true, "npx tsc -b packages/*": false,
	} {
		job, _ := read("jobs:\n  t:\n    steps:\n      - run: " + line + "\n      - run: npm test\n").For("")
		if len(job.Commands) != 2 || job.Commands[0].Certain != want || job.Commands[0].Kind != ci.Build || strings.Join(job.Commands[0].Argv, " ") != line {
			t.Errorf("%s: %s, want %v", line, lines(job.Commands), want)
		}
	}
}

func TestBadWorkflows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"no YAML":    {"jobs: [unclosed", "is no YAML"},
		"2 MB":       {strings.Repeat("# x\n", 1<<19), "is larger than 512 KiB"},
		"empty":      {"", ""},
		"a list":     {"- a\n- b\n", ""},
		"jobs a map": {"jobs: 1\n", ""},
		"self alias": {"jobs: &a\n  t: *a\n", ""},
		"aliases":    {"a: &a [x]\njobs: {t: {steps: *a}}\n", ""},
	} {
		f := read(c.text)
		if len(f.Jobs) > 0 || c.want == "" && len(f.Unread) > 0 || c.want != "" && (len(f.Unread) != 1 || !strings.Contains(f.Unread[0].Why, c.want)) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Of several jobs the plainest speaks, and conditions and shells of other kinds make
// nothing certain.
func TestWhichJobSpeaks(t *testing.T) {
	t.Parallel()
	job, _ := read(`jobs:
  lint-and-types: {steps: [{run: npm test}]}
  windows: {runs-on: windows-latest, steps: [{run: npm test}]}
  unit:
    steps:
      - {run: npm run build, if: github.ref == 'x'}
      - {run: npm run build, shell: pwsh}
      - run: |
          if [ -n "$X" ]; then
            npm run build
          fi
      - {run: npm run build $UNSET_OF_SECRET, env: {UNSET_OF_SECRET: "${{ secrets.A }}"}}
      - {run: npm test, if: always()}
`).For("")
	if job.Name != "unit" {
		t.Fatalf("job %q", job.Name)
	}
	for _, c := range job.Before(ci.Build) {
		if c.Certain {
			t.Errorf("%v of %s is certain", c.Argv, c.Source)
		}
	}
	if c, ok := job.Test("."); !ok || !c.Certain {
		t.Errorf("test %+v", c)
	}
	if _, ok := read(whole).For("other"); ok {
		t.Error("a job of the root speaks for another folder")
	}
}

// A repository of several applications tests each in its own folder: what the jobs say
// counts together, and a variable to which they give different values does not.
func TestJobsOfFoldersSpeakTogether(t *testing.T) {
	t.Parallel()
	facts := read(`jobs:
  web:
    defaults: {run: {working-directory: web}}
    env: {API_URL: "http://x", MODE: web}
    steps: [{run: mv .env.example .env}, {run: npm ci}, {run: npm run build}, {run: npm test}]
  api:
    defaults: {run: {working-directory: ./api}}
    services: {db: {image: "postgres:16"}}
    steps: [{run: pip install -r requirements.txt}, {run: pytest, env: {DATABASE: test, MODE: api}}]
`)
	job, ok := facts.For("")
	if !ok {
		t.Fatal("no job runs tests")
	}
	if got := lines(job.Before(ci.Build)); got != "build true web mv .env.example .env ci.yml:5\nbuild true web npm run build ci.yml:5" {
		t.Errorf("builds\n%s", got)
	}
	if got := fmt.Sprint(job.Variables("")); got != "[{DATABASE test ci.yml:9} {API_URL http://x ci.yml:4}]" {
		t.Errorf("variables %s", got)
	}
	if len(job.Services) != 1 {
		t.Errorf("services %v", job.Services)
	}
	if alone, _ := facts.For("web"); alone.Name != "web" {
		t.Errorf("job of web is %q", alone.Name)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("jobs: {t: {strategy: {matrix: {a: [1, 2], include: [{a: 1, b: 2}], exclude: [{a: 2}]}}, steps: [{run: 'echo A=b >> $GITHUB_ENV'}, {run: 'cd x; export Y=1; make; npm test'}]}}")
	f.Add("jobs: &a {t: *a}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, dir := range []string{"", "x"} {
			job, ok := read(text).For(dir)
			if !ok {
				continue
			}
			for _, v := range job.Variables(dir) {
				if !ci.Harmless(v.Name, v.Value) {
					t.Errorf("%q is set", v)
				}
			}
			for _, c := range job.Before(ci.Build) {
				if c.Certain && (strings.ContainsAny(strings.Join(c.Argv, " "), "\x01") || strings.HasPrefix(c.Dir, "..") || strings.HasPrefix(c.Dir, "/")) {
					t.Errorf("certain: %+v", c)
				}
			}
		}
	})
}

// What a job's tests may need beside them is told with each of their lines.
func TestLinesSayWhatTheirJobNeeds(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]string{
		"      - run: go test ./...\n": "go test ./... false false",
		"      - run: sudo apt-get install -y libx\n      - run: A=1 go test -race ./...\n":    "A=1 go test -race ./... true false",
		"      - run: go test -race ./...\n        env: {TOKEN: \"${{ secrets.X }}\", A: 1}\n": "A=1 go test -race ./... false true",
		"      - run: go test ${{ github.sha }}\n":                                             "",
		// What may or may not run hides none of the others, which are then not the whole.
		"      - run: go test ./x\n        if: github.ref == 'x'\n      - run: go test -race ./...\n": "go test -race ./... false true",
		"      - run: go test ${{ github.sha }}\n      - run: go test -race ./...\n":                  "go test -race ./... false true",
	} {
		got := ""
		for _, l := range ci.Lines(map[string][]byte{".github/workflows/ci.yml": []byte("on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n" + steps)}, ".") {
			got += fmt.Sprint(l.Text, " ", l.Needs, " ", l.Less)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", steps, got, want)
		}
	}
	for _, l := range ci.Lines(map[string][]byte{".github/workflows/ci.yml": []byte(whole)}, ".") {
		if !l.Needs {
			t.Errorf("%s: services are not told", l.Text)
		}
	}
}

// What other rows of a matrix run with other words is known, where they ask for nothing
// but that.
func TestRowsOfAMatrix(t *testing.T) {
	t.Parallel()
	for matrix, want := range map[string]string{
		"features: ['', serde]":                             "serde",
		"features: ['', serde, serde]":                      "serde",
		"features: ['']":                                    "",
		"{features: ['', serde], os: [a, b]}":               "serde",
		"{features: ['', serde], rust: [stable, nightly]}":  "serde",
		"{features: ['', serde], x: [a, b]}":                "serde",
		"{features: [''], include: [{features: a}]}":        "a",
		"{features: [''], include: [{features: a, os: b}]}": "",
		"features: ['', '${{ github.x }}']":                 "",
		"&a {features: ['', serde], b: [*a]}":               "serde",
	} {
		job := "on: push\njobs:\n  test:\n    runs-on: ${{ matrix.os }}\n    strategy:\n      matrix: " + matrix + "\n    steps:\n" +
			"      - uses: actions/cache@v4\n        with: {key: \"${{ matrix.features }}\"}\n      - uses: x/toolchain@v1\n        with: {toolchain: \"${{ matrix.rust }}\"}\n" +
			"      - run: cargo build --features=${{ matrix.features }}\n      - run: cargo +${{ matrix.rust }} test\n      - run: cargo test --features \"${{ matrix.features }}\"\n"
		if strings.HasPrefix(matrix, "features") {
			job = strings.Replace(job, "matrix: "+matrix, "matrix: {"+matrix+"}", 1)
		}
		var got []string
		for _, l := range ci.Lines(map[string][]byte{".github/workflows/ci.yml": []byte(job)}, ".") {
			if l.Row {
				got = append(got, strings.TrimPrefix(l.Text, "cargo test --features "))
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", matrix, got, want)
		}
	}
}

// A script that only a shell can read still says for certain what it runs outside of its
// conditions and loops, as long as it is read whole and nothing in these ends it or moves it.
func TestCommandsBesideConditions(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"if [ -n \"$X\" ]; then\n  echo hi\nfi\ngo test ./...":                      "true",
		"if [ -n \"$X\" ]; then echo hi; fi\ngo test ./...":                         "true",
		"for i in 1 2; do\n  if true; then\n    echo $i\n  fi\ndone\ngo test ./...": "true",
		"case $X in\n  a) echo done ;;\nesac\ngo test ./...":                        "true",
		"# if this\nif [ -n \"$X\" ]; then\n  echo fi\nfi\ngo test ./...":           "true",
		"if [ -n \"$X\" ]; then\n  go test ./...\nfi":                               "false",
		"if [ -n \"$X\" ]; then go test ./...; fi":                                  "",
		"if [ -n \"$X\" ]; then\n  exit 0\nfi\ngo test ./...":                       "false",
		"if [ -n \"$X\" ]; then\n  cd x\nfi\ngo test ./...":                         "false",
		"if [ -n \"$X\" ]; then X=1; cd x; fi\ngo test ./...":                       "false",
		"if [ -n \"$X\" ]; then\n  trap x EXIT\nfi\ngo test ./...":                  "false",
		"f() {\n  go test ./...\n}\nf":                                              "false",
		"cat <<EOF\nif\nfi\ngo test ./...\nEOF\nif a; then\nb\nfi":                  "false",
		"if a; then\nb\nfi\ngo test \\\n  ./x":                                      "false",
		"if a; then\nb\nfi\necho 'x\ngo test ./...\n'":                              "false",
		"if a; then\nb\nfi\ngo test ./... | tee x":                                  "false",
		"if a; then\nb\nfi\nfi\ngo test ./...":                                      "false",
	} {
		job, _ := read("jobs:\n  t:\n    steps:\n      - run: |\n          " + strings.ReplaceAll(script, "\n", "\n          ") + "\n").For(".")
		got := ""
		for _, c := range job.Commands {
			if c.Kind == ci.Test {
				got += fmt.Sprint(c.Certain)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
}

// A condition on the row of the matrix that counts, or on the system, holds or does not.
func TestConditionsOfTheRow(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]bool{
		"matrix.go == '1.22'": true, "${{ matrix.go != '1.22' }}": false, "matrix.go != '1.21'": true, "matrix.go == '1.21'": false,
		"matrix.other == ''": false, "matrix.other != 'x'": false, "runner.os == 'Linux'": true, "runner.os != 'Windows'": true, "runner.os == 'Windows'": false,
		"matrix.go == '1.22' && x": false, "github.ref == 'x'": false, "matrix.secret == 'x'": false, "matrix.secret != 'x'": false,
	} {
		job, _ := read("jobs:\n  t:\n    strategy: {matrix: {go: ['1.22'], secret: ['${{ secrets.X }}']}}\n    steps:\n      - run: go test ./...\n        if: " + strconv.Quote(condition) + "\n").For(".")
		if c, ok := job.Test("."); !ok || c.Certain != want {
			t.Errorf("%s: %v, want %v", condition, c.Certain, want)
		}
	}
}

// TestInstallingAsTheJobDoes: without such an option the repository's own workflow does
// not install either.
func TestInstallingAsTheJobDoes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"npm install --legacy-peer-deps": "npm_config_legacy_peer_deps=true ci.yml:4",
		"npm ci --legacy-peer-deps -f":   "npm_config_legacy_peer_deps=true ci.yml:4 npm_config_force=true ci.yml:4",
		"yarn --ignore-engines":          "YARN_IGNORE_ENGINES=true ci.yml:4",
		"npm ci --ignore-scripts":        "", // tests may need what the scripts make
		"pip install --force .":          "",
		"npm ci ${{ inputs.options }}":   "",
	} {
		job, ok := read("jobs:\n  test:\n    steps:\n      - run: " + line + "\n      - run: npm test\n").For(".")
		assert.Assert(t, ok)
		var got []string
		for _, v := range job.Installing() {
			got = append(got, v.Name+"="+v.Value, v.Source)
		}
		assert.Equal(t, strings.Join(got, " "), want, line)
	}
}

// TestGitAsTheJobSetsItUp: tests that commit do so as the job's user of git.
func TestGitAsTheJobSetsItUp(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`git config --global user.name "A B" && git config --global user.email a@b.c`: "user.name=A B user.email=a@b.c",
		`git config --global set init.defaultBranch main`:                             "init.defaultBranch=main",
		`git config user.name a`:                             "", // of the checkout
		`git config --global --unset user.name`:              "",
		`git config --global core.hooksPath hooks`:           "", // starts programs
		`git config --global credential.helper store`:        "",
		`git config --global user.name ${{ github.actor }}`:  "",
		`git config --global url.https://x/.insteadOf git@x`: "",
		`false || git config --global user.name a`:           "",
	} {
		job, ok := read("jobs:\n  test:\n    steps:\n      - run: |\n          " + line + "\n      - run: npm test\n").For(".")
		assert.Assert(t, ok)
		var got []string
		for _, v := range job.Git() {
			got = append(got, v.Name+"="+v.Value)
		}
		assert.Equal(t, strings.Join(got, " "), want, line)
	}
}

// What only the workflow's own run has is told of each of its test commands.
func TestCommandsOfAJobWithMore(t *testing.T) {
	t.Parallel()
	for job, want := range map[string]bool{
		"runs-on: ubuntu-latest":                                               false,
		"runs-on: ubuntu-latest\n    environment: production":                  true,
		"runs-on: ubuntu-latest\n    container: node:22":                       true,
		"runs-on: windows-latest":                                              true,
		"runs-on: ubuntu-latest\n    env: {KEY: \"${{ secrets.KEY }}\"}":       true,
		"runs-on: ubuntu-latest\n    env: {KEY: plain}":                        false,
		"runs-on: ubuntu-latest\n    steps: [{run: npm publish}, {run: jest}]": true,
	} {
		if !strings.Contains(job, "steps:") {
			job += "\n    steps: [{run: jest}]"
		}
		lines := ci.Lines(map[string][]byte{".github/workflows/ci.yml": []byte("on: push\njobs:\n  test:\n    " + job + "\n")}, ".")
		assert.Equal(t, len(lines), 1, job)
		assert.Equal(t, lines[0].Afar, want, job)
	}
	for program, want := range map[string]bool{"python tests/run.py": true, "python tests/make_data.py": false, "node test/index.js": true, "python run.py": false} {
		lines := ci.Lines(map[string][]byte{".github/workflows/ci.yml": []byte("on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: jest\n      - run: " + program + "\n")}, ".")
		assert.Equal(t, len(lines) == 2, want, program)
	}
}
