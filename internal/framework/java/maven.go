// Package java holds the adapters of Maven and Gradle.
package java

import (
	"encoding/xml"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/diagnosis"
	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/framework/folder"
	"github.com/org/qa-action/internal/framework/project"
	"github.com/org/qa-action/internal/language"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/shell"
	"github.com/org/qa-action/internal/wording"
)

// Maven describes the tests that Surefire runs in a Maven build, and those of
// Failsafe where a script runs verify. Both write a JUnit report for every class.
//
// A failed test does not end the build: modules that need this one would not be
// tested, and nothing would be measured; what else does not end it then is read off the
// console. Of a class whose JVM dies there is no
// report, which the search for test files that did not run finds. Coverage takes
// the JaCoCo plugin of the project's own pom.xml.
var Maven = adapter.Adapter{
	Name:       "maven",
	Language:   "java",
	Signs:      adapter.Signs{Programs: []string{"mvn test", "mvn verify", "mvn package", "mvn install", "mvnw test", "mvnw verify", "mvnw package", "mvnw install"}},
	Invocation: mavenInvocation,
	Habits:     adapter.Habits{Verb: "test", Widen: widenMaven},
	IsTest: func(file string) bool {
		name := path.Base(file)
		return strings.Contains("/"+file, "/src/test/") && language.Named("java").Tests.Names.MatchString(name) && !mavenIT.MatchString(name)
	},
	TestPath: func(source string, _ []string) string {
		return strings.TrimSuffix(strings.Replace(source, "src/main/", "src/test/", 1), ".java") + "Test.java"
	},
	Forbidden: []language.Smell{
		{Rule: "disabled", Line: pattern.New(`@(?:Disabled|Ignore)\b`), Why: "a skipped test proves nothing"},
		{Rule: "sleep", Line: pattern.New(`\bThread\.sleep\s*\(`), Why: "waiting makes tests slow and flaky"},
		{Rule: "retry", Line: pattern.New(`@(?:RetryingTest|RepeatedIfExceptionsTest)\b`), Why: "retries hide flakiness"},
		{Rule: "process", Line: pattern.New(`\bSystem\.exit\s*\(|\bProcessBuilder\b`), Why: "tests start no programs and end no runner"},
	},
	Reproduce: func(d adapter.Detection, c qa.Case) string {
		return shell.InDir(d.Dir, wording.Command(slices.Concat(d.Program, d.Args, []string{"test"}, mavenSelect(adapter.Select([]qa.Case{c})))))
	},
	Explain: diagnosis.New(mavenCauses).Explain,
	Locate:  locateJava,
	Detect:  detectMaven,
}

// mavenIT are the names of integration tests, which Failsafe runs.
var mavenIT = pattern.New(`^IT[A-Z].*\.java$|(?:IT|ITCase)\.java$`)

// pom is what is read of a pom.xml.
type pom struct {
	Modules []string `xml:"modules>module"`
}

const verify = "verify"

func detectMaven(p *project.Project) *adapter.Detection {
	data, there := p.Read(path.Join(p.Dir, "pom.xml"))
	if !there || inReactor(p) || len(p.Calls) == 0 && p.Dir != "." && !p.Holds(p.Dir, func(name string) bool { return language.Named("java").Tests.Names.MatchString(name) }) {
		return nil
	}
	d := &adapter.Detection{Tools: adapter.Tools{Program: []string{"mvn"}}, CoverageHint: "coverage cannot be measured without JaCoCo; add jacoco-maven-plugin to the plugins of pom.xml"}
	d.Prove(adapter.RankConfig, "pom.xml")
	if l, ok := p.Call("mvn", "mvnw"); ok {
		d.Scripted(l)
		d.Args = mavenArgs(l.Args)
		if slices.ContainsFunc([]string{verify, "install"}, func(phase string) bool { return slices.Contains(l.Args, phase) }) {
			d.Plugins = append(d.Plugins, verify)
		}
	}
	if strings.Contains(string(data), "jacoco-maven-plugin") {
		d.Coverage, d.CoverageTool, d.CoverageHint = true, "jacoco", ""
	}
	if strings.Contains(string(data), "prepare-agent") {
		d.Plugins = append(d.Plugins, "prepare-agent")
	}
	started(p, d, "mvn", "Maven", "mvn wrapper:wrapper")
	return d
}

// widenMaven takes over the phase in which integration tests run, where there are any.
func widenMaven(p *project.Project, d *adapter.Detection, told adapter.Detection, needs bool) (lacks string) {
	switch {
	case !told.Has(verify) || d.Has(verify) || strings.Contains(strings.ToLower(told.Line), "skip") ||
		!p.Holds(p.Dir, func(name string) bool { return mavenIT.MatchString(path.Base(name)) }):
	case needs:
		return "its job has services or installs packages of the machine, which integration tests may need; name it in test-command to run it"
	default:
		d.Plugins = append(d.Plugins, verify)
	}
	return ""
}

// started says how a build is started: by its wrapper, a script with a w behind the
// program's name, where there is one, which brings the program.
func started(p *project.Project, d *adapter.Detection, program, title, wrap string) {
	_, err := p.Machine.LookPath(program)
	if wrapper := program + "w"; p.Exists(path.Join(p.Dir, wrapper)) {
		d.Program, err = []string{"./" + wrapper}, nil
	}
	if d.Installed = err == nil; err != nil {
		d.Hint = diagnosis.Diagnosis{Kind: diagnosis.Missing, Cause: program + " is not on PATH", Cure: "install " + title + ", or commit its wrapper (" + wrap + ")"}
	}
}

// inReactor reports whether a build further up has this module.
func inReactor(p *project.Project) bool {
	for dir := p.Dir; dir != "."; {
		dir = path.Dir(dir)
		var up pom
		data, _ := p.Read(path.Join(dir, "pom.xml"))
		if xml.Unmarshal(data, &up) == nil && slices.ContainsFunc(up.Modules, func(m string) bool { return path.Join(dir, strings.TrimSpace(m)) == p.Dir }) {
			return true
		}
	}
	return false
}

// mavenArgs keeps what a script says of the build: profiles, modules, properties.
func mavenArgs(args []string) []string {
	args = shell.Without(args, map[string]bool{"-q": false, "--quiet": false, "-B": false, "--batch-mode": false, "-ntp": false, "--no-transfer-progress": false, "-X": false, "-e": false, "-fae": false, "-ff": false, "-fn": false,
		"-DskipTests": false, "-Dmaven.test.skip": false, "-Dmaven.test.failure.ignore": false, "-T": true, "-l": true})
	var out []string
	for i, a := range args {
		value := i > 0 && slices.Contains([]string{"-P", "-D", "-pl", "-f", "-s", "-gs", "-rf", "--activate-profiles", "--define", "--projects", "--file", "--settings", "--global-settings", "--resume-from"}, args[i-1])
		if strings.HasPrefix(a, "-") || value {
			out = append(out, a)
		}
	}
	return out
}

// mavenScript puts a line before what Maven prints, which says whose it is.
const mavenScript = `echo "# maven"
exec "$@"
`

func mavenInvocation(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
	inv := qa.Invocation{Dir: d.Dir, Env: slices.Clone(d.Env), Files: map[string]string{"maven.sh": mavenScript}, Tests: []qa.ReportFile{{Path: "**/target/surefire-reports/TEST-*.xml", Format: "junit"}, {Path: "stdout", Format: "maven", Stdout: true}}}
	argv := append([]string{"sh", path.Join(req.OutDir, "maven.sh")}, d.Program...)
	argv = append(argv, "-q", "-B", "-ntp", "-fae", "-Dmaven.test.failure.ignore=true", "-DtrimStackTrace=false")
	phase := []string{"test"}
	if d.Has(verify) {
		phase = []string{verify}
		inv.Tests = append(inv.Tests, qa.ReportFile{Path: "**/target/failsafe-reports/TEST-*.xml", Format: "junit"})
	}
	switch {
	case req.Coverage && d.Coverage:
		// The project's own limits would turn a passing run into a failing one.
		phase = append(phase, "jacoco:report", "-Djacoco.haltOnFailure=false", "-Djacoco.append=false")
		if !d.Has("prepare-agent") {
			phase = append([]string{"jacoco:prepare-agent"}, phase...)
		}
		inv.Coverage = []qa.ReportFile{{Path: "**/target/site/jacoco/jacoco.xml", Format: "jacoco"}}
	case d.Coverage:
		argv = append(argv, "-Djacoco.skip=true")
	}
	inv.Argv = slices.Concat(argv, d.Args, phase, mavenSelect(req.Tests))
	return inv, nil
}

// mavenSelect names tests for Surefire: Class#method, all of it without a method.
func mavenSelect(tests []adapter.Selected) []string {
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
func locateJava(tree *os.Root, d adapter.Detection, _ []adapter.Selected, cases []qa.Case) {
	modules := []string{d.Dir}
	for _, name := range append([]string{"pom.xml"}, gradleBuilds...) {
		folder.Manifests(tree, d.Dir, name, func(dir string, _ []byte) { modules = append(modules, dir) })
	}
	for i := range cases {
		c := &cases[i]
		class, _, _ := strings.Cut(c.Suite, "$")
		for _, m := range modules {
			for _, in := range [][2]string{{"java", ".java"}, {"kotlin", ".kt"}, {"groovy", ".groovy"}} {
				file := path.Join(m, "src/test", in[0], strings.ReplaceAll(class, ".", "/")+in[1])
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

var mavenCauses = []diagnosis.Cause{
	{Pattern: `Coverage checks have not been met`, Kind: diagnosis.Threshold, Says: "the tests passed; the repository's own coverage threshold was not reached"},
	{Pattern: `(?:plugin )?(\S+) requires Maven version (\d[\w.-]*)`, Kind: diagnosis.Version, Says: "$1 needs Maven $2", Cure: "install it, or add the wrapper that fetches it: mvn wrapper:wrapper -Dmaven=$2"},
	{Pattern: `Detected Maven Version: (\S+) is not in the allowed range ([\[(][^\])\n]*[\])])`, Kind: diagnosis.Version, Says: "Maven $1 is here, and the build allows $2", Cure: "put one that fits on PATH, or add the wrapper that fetches it: mvn wrapper:wrapper -Dmaven=VERSION"},
	{Pattern: `Detected JDK (?:\S+ is )?version (\S+)(?: \([^()\n]*\))?(?: which)? is not in the allowed range ([\[(][^\])\n]*[\])])`, Kind: diagnosis.Version, Says: "JDK $1 is here, and the build allows $2", Cure: "set JAVA_HOME to one that fits"},
	{Pattern: `invalid target release: (\S+)|release version (\S+) not supported|UnsupportedClassVersionError|Require(?:Java|Maven)Version failed(?: with message:\s+\S.*)?`, Ends: true, Kind: diagnosis.Version, Says: "the JDK or Maven does not fit", Cure: "use the version that pom.xml asks for"},
	{Pattern: `Could not (?:resolve dependencies|transfer artifact|find artifact (\S+))|Cannot access \S+ .*in offline mode|Non-resolvable (?:parent|import) POM|could not be resolved`, Kind: diagnosis.Missing, Says: "dependencies or plugins cannot be downloaded here", Cure: "run mvn dependency:go-offline before (setup-command)"},
	{Pattern: `JAVA_HOME .*not defined|No compiler is provided`, Kind: diagnosis.Missing, Says: "a JDK is needed", Cure: "set JAVA_HOME to one"},
	{Pattern: `Non-parseable POM|Malformed POM|Unrecognised tag|there is no POM in this directory|'[\w.]+' .*is missing`, Kind: diagnosis.Config, Says: "pom.xml is not valid"},
	{Pattern: `COMPILATION ERROR|Compilation failure`, Kind: diagnosis.Build, Says: "a class does not compile"},
	{Pattern: `No tests (?:were executed|to run|matching pattern)`, Kind: diagnosis.NoTests, Says: "no test class was found", Cure: "look at the includes of maven-surefire-plugin"},
}
