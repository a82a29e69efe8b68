package framework

import (
	"encoding/xml"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
)

// maven describes the tests that Surefire runs in a Maven build, and those of
// Failsafe where a script runs verify. Both write a JUnit report for every class.
//
// A failed test does not end the build: modules that need this one would not be
// tested, and nothing would be measured. Of a class whose JVM dies there is no
// report, which the search for test files that did not run finds. Coverage takes
// the JaCoCo plugin of the project's own pom.xml.
var maven = Adapter{
	Name:       "maven",
	Language:   "java",
	Signs:      Signs{Programs: []string{"mvn test", "mvn verify", "mvn package", "mvn install", "mvnw test", "mvnw verify"}},
	Invocation: mavenInvocation,
	IsTest: func(file string) bool {
		name := path.Base(file)
		return strings.Contains("/"+file, "/src/test/") && language.Named("java").Tests.Names.MatchString(name) && !mavenIT.MatchString(name)
	},
	TestPath: func(source string, _ []string) string {
		return strings.TrimSuffix(strings.Replace(source, "src/main/", "src/test/", 1), ".java") + "Test.java"
	},
	Forbidden: []language.Smell{
		{Rule: "disabled", Line: regexp.MustCompile(`@(?:Disabled|Ignore)\b`), Why: "a skipped test proves nothing"},
		{Rule: "sleep", Line: regexp.MustCompile(`\bThread\.sleep\s*\(`), Why: "waiting makes tests slow and flaky"},
		{Rule: "retry", Line: regexp.MustCompile(`@(?:RetryingTest|RepeatedIfExceptionsTest)\b`), Why: "retries hide flakiness"},
		{Rule: "process", Line: regexp.MustCompile(`\bSystem\.exit\s*\(|\bProcessBuilder\b`), Why: "tests start no programs and end no runner"},
	},
	Reproduce: func(d Detection, c qa.Case) string {
		return inDir(d.Dir, quoted(append(append(slices.Clone(d.Program), "test"), mavenSelect(Select([]qa.Case{c}))...)))
	},
	Explain:  explain(mavenCauses),
	Locate:   locateJava,
	Shuffles: func(Detection) bool { return false },
	detect:   detectMaven,
}

// mavenIT are the names of integration tests, which Failsafe runs.
var mavenIT = regexp.MustCompile(`^IT[A-Z].*\.java$|(?:IT|ITCase)\.java$`)

// pom is what is read of a pom.xml.
type pom struct {
	Modules []string `xml:"modules>module"`
}

const verify = "verify"

func detectMaven(p *project) *Detection {
	data, there := p.read(path.Join(p.dir, "pom.xml"))
	if !there || p.inReactor() || len(p.calls) == 0 && p.dir != "." && !p.holds(p.dir, func(name string) bool { return language.Named("java").Tests.Names.MatchString(name) }) {
		return nil
	}
	d := &Detection{Program: []string{"mvn"}, CoverageHint: "coverage cannot be measured without JaCoCo; add jacoco-maven-plugin to the plugins of pom.xml"}
	d.prove(rankConfig, "pom.xml")
	if l, ok := p.call("mvn", "mvnw"); ok {
		d.scripted(l)
		d.Args = mavenArgs(l.args)
		if slices.ContainsFunc([]string{verify, "install"}, func(phase string) bool { return slices.Contains(l.args, phase) }) {
			d.Plugins = append(d.Plugins, verify)
		}
	}
	if strings.Contains(string(data), "jacoco-maven-plugin") {
		d.Coverage, d.CoverageTool, d.CoverageHint = true, "jacoco", ""
	}
	if strings.Contains(string(data), "prepare-agent") {
		d.Plugins = append(d.Plugins, "prepare-agent")
	}
	_, err := p.machine.LookPath("mvn")
	if p.exists(path.Join(p.dir, "mvnw")) {
		d.Program, err = []string{"./mvnw"}, nil
	}
	if d.Installed = err == nil; err != nil {
		d.Hint = "mvn is not on PATH; install Maven, or commit its wrapper (mvn wrapper:wrapper)"
	}
	return d
}

// inReactor reports whether a build further up has this module.
func (p *project) inReactor() bool {
	for dir := p.dir; dir != "."; {
		dir = path.Dir(dir)
		var up pom
		data, _ := p.read(path.Join(dir, "pom.xml"))
		if xml.Unmarshal(data, &up) == nil && slices.ContainsFunc(up.Modules, func(m string) bool { return path.Join(dir, strings.TrimSpace(m)) == p.dir }) {
			return true
		}
	}
	return false
}

// mavenArgs keeps what a script says of the build: profiles, modules, properties.
func mavenArgs(args []string) []string {
	args = without(args, map[string]bool{"-q": false, "--quiet": false, "-B": false, "--batch-mode": false, "-ntp": false, "--no-transfer-progress": false, "-X": false, "-e": false, "-fae": false, "-ff": false, "-fn": false,
		"-DskipTests": false, "-Dmaven.test.skip": false, "-Dmaven.test.failure.ignore": false, "-T": true, "-l": true})
	var out []string
	for i, a := range args {
		value := i > 0 && slices.Contains([]string{"-P", "-pl", "-f", "-s", "-rf", "--projects", "--file", "--settings"}, args[i-1])
		if strings.HasPrefix(a, "-") || value {
			out = append(out, a)
		}
	}
	return out
}

func mavenInvocation(d Detection, req Request) (qa.Invocation, error) {
	inv := qa.Invocation{Dir: d.Dir, Env: slices.Clone(d.Env), Tests: []qa.ReportFile{{Path: "**/target/surefire-reports/TEST-*.xml", Format: "junit"}}}
	argv := append(slices.Clone(d.Program), "-q", "-B", "-ntp", "-fae", "-Dmaven.test.failure.ignore=true", "-DtrimStackTrace=false")
	phase := []string{"test"}
	if d.has(verify) {
		phase = []string{verify}
		inv.Tests = append(inv.Tests, qa.ReportFile{Path: "**/target/failsafe-reports/TEST-*.xml", Format: "junit"})
	}
	switch {
	case req.Coverage && d.Coverage:
		// The project's own limits would turn a passing run into a failing one.
		phase = append(phase, "jacoco:report", "-Djacoco.haltOnFailure=false", "-Djacoco.append=false")
		if !d.has("prepare-agent") {
			phase = append([]string{"jacoco:prepare-agent"}, phase...)
		}
		inv.Coverage = []qa.ReportFile{{Path: "**/target/site/jacoco/jacoco.xml", Format: "jacoco"}}
	case req.Coverage:
		inv.CoverageHint = d.CoverageHint
	case d.Coverage:
		argv = append(argv, "-Djacoco.skip=true")
	}
	if req.Timeout > 0 {
		argv = append(argv, "-Dsurefire.timeout="+strconv.Itoa(max(1, int(req.Timeout.Seconds()))))
	}
	inv.Argv = slices.Concat(argv, d.Args, phase, mavenSelect(req.Tests))
	return inv, nil
}

// mavenSelect names tests for Surefire: Class#method, all of it without a method.
func mavenSelect(tests []Selected) []string {
	var out []string
	for _, t := range tests {
		name := t.Suite
		if name == "" {
			_, file, _ := strings.Cut("/"+t.File, "/src/test/java/")
			name = strings.ReplaceAll(strings.TrimSuffix(file, ".java"), "/", ".")
		}
		if method := regexp.MustCompile(`^[\w$]+`).FindString(t.Name); method != "" {
			name += "#" + method
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []string{"-Dtest=" + strings.Join(out, ","), "-Dsurefire.failIfNoSpecifiedTests=false"}
}

// locateJava fills in the files of classes: each lies in a folder of its package.
func locateJava(root string, d Detection, cases []qa.Case) {
	tree, err := os.OpenRoot(root)
	if err != nil {
		return
	}
	defer func() { _ = tree.Close() }()
	var modules []string
	manifests(tree, d.Dir, "pom.xml", func(dir string, _ []byte) { modules = append(modules, dir) })
	for i := range cases {
		c := &cases[i]
		class, _, _ := strings.Cut(c.Suite, "$")
		for _, m := range modules {
			for _, in := range []string{"java", "kotlin"} {
				file := path.Join(m, "src/test", in, strings.ReplaceAll(class, ".", "/")+map[string]string{"java": ".java", "kotlin": ".kt"}[in])
				if _, err := fs.Stat(tree.FS(), file); c.File == "" && err == nil {
					c.File = file
				}
			}
		}
		at := regexp.MustCompile(`\(` + regexp.QuoteMeta(path.Base(c.File)) + `:(\d+)\)`).FindStringSubmatch(c.Output)
		if c.Line == 0 && c.File != "" && at != nil {
			c.Line, _ = strconv.Atoi(at[1])
		}
	}
}

var mavenCauses = []cause{
	{0, `Coverage checks have not been met`, KindThreshold, "the tests passed; the repository's own coverage threshold was not reached"},
	{0, `invalid target release: (\S+)|release version (\S+) not supported|UnsupportedClassVersionError|requires Maven version|RequireJavaVersion failed`, KindVersion, "the JDK or Maven does not fit: use the version that pom.xml asks for"},
	{0, `Could not (?:resolve dependencies|transfer artifact|find artifact (\S+))|Cannot access \S+ .*in offline mode|Non-resolvable (?:parent|import) POM|could not be resolved`, KindMissing, "dependencies or plugins cannot be downloaded here: run mvn dependency:go-offline before (setup-command)"},
	{0, `JAVA_HOME .*not defined|No compiler is provided`, KindMissing, "a JDK is needed: set JAVA_HOME to one"},
	{0, `Non-parseable POM|Malformed POM|Unrecognised tag|there is no POM in this directory|'[\w.]+' .*is missing`, KindConfig, "pom.xml is not valid"},
	{0, `COMPILATION ERROR|Compilation failure`, KindBuild, "a class does not compile"},
	{0, `No tests (?:were executed|to run|matching pattern)`, KindNoTests, "no test class was found: look at the includes of maven-surefire-plugin"},
}
