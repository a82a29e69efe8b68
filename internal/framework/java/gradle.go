package java

import (
	"path"
	"regexp"
	"slices"
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

// Gradle describes the test tasks of a Gradle build with its projects, by its wrapper
// where there is one. Each class has a JUnit report; what else went wrong, such as a
// project that does not compile, stands on the console.
//
// Failed tests do not end the build, so that its exit code is about everything else.
// Coverage takes the JaCoCo plugin of the build.
var Gradle = adapter.Adapter{
	Name:     "gradle",
	Language: "java",
	Signs: adapter.Signs{Programs: []string{
		"gradle test", "gradle check", "gradle build", "gradlew test", "gradlew check", "gradlew build",
	}, Markers: slices.Concat(gradleBuilds, gradleSettings), Caches: []string{".gradle"}},
	Invocation: gradleInvocation,
	Habits:     adapter.Habits{Verb: "test"},
	IsTest:     Maven.IsTest,
	TestPath:   Maven.TestPath,
	Forbidden:  Maven.Forbidden,
	Reproduce: func(d adapter.Detection, c qa.Case) string {
		return shell.InDir(d.Dir, wording.Command(slices.Concat(d.Program, d.Args, []string{"test"}, gradleSelect(adapter.Select([]qa.Case{c})))))
	},
	Explain: diagnosis.New(gradleCauses).Explain,
	Locate:  locateJava,
	Detect:  detectGradle,
}

var (
	gradleBuilds   = []string{"build.gradle", "build.gradle.kts"}
	gradleSettings = []string{"settings.gradle", "settings.gradle.kts"}
)

// gradleInit lets every test run and be counted, whatever the build says of failures,
// of results that it has already, and of tests that a selection leaves out. Newer
// versions know other properties than older ones.
const gradleInit = `gradle.taskGraph.whenReady { graph ->
	def set = { object, name, value ->
		if (object.hasProperty(name)) {
			def property = object[name]
			property?.metaClass?.respondsTo(property, 'set', Object) ? property.set(value) : object.setProperty(name, value)
		}
	}
	graph.allTasks.each { task ->
		if (task instanceof Test) {
			task.ignoreFailures = true
			task.outputs.upToDateWhen { false }
			task.outputs.cacheIf { false }
			def measured = task.extensions.findByName('jacoco')
			if (measured != null) { // it would be added to
				task.doFirst { measured.destinationFile?.delete() }
			}
			set(task, 'failFast', false)
			set(task, 'failOnNoDiscoveredTests', false)
			set(task.filter, 'failOnNoMatchingTests', false)
			def report = task.reports.junitXml
			set(report, report.hasProperty('required') ? 'required' : 'enabled', true)
		} else if (task.class.name.contains('JacocoReport')) {
			def report = task.reports.xml
			set(report, report.hasProperty('required') ? 'required' : 'enabled', true)
		}
	}
}
`

// gradleScript puts both streams into one, under a line that says whose they are.
const gradleScript = `echo "# gradle"
exec "$@" 2>&1
`

func detectGradle(p *project.Project) *adapter.Detection {
	build, settings := p.First(p.Dir, gradleBuilds...), p.First(p.Dir, gradleSettings...)
	if build == "" && settings == "" || inGradle(p) || len(p.Calls) == 0 && p.Dir != "." && !p.Holds(p.Dir, func(name string) bool { return language.Named("java").Tests.Names.MatchString(name) }) {
		return nil
	}
	d := &adapter.Detection{Tools: adapter.Tools{Program: []string{"gradle"}}, CoverageHint: "coverage cannot be measured without JaCoCo; apply the plugin jacoco in the build"}
	for _, name := range []string{build, settings} {
		if name != "" {
			d.Prove(adapter.RankConfig, "%s", name)
		}
	}
	if l, ok := p.Call("gradle", "gradlew"); ok {
		d.Scripted(l)
		d.Args = gradleArgs(l.Args)
	}
	folder.Manifests(p.Root, folder.FromDot(p.Dir), build, func(_ string, data []byte) {
		d.Coverage = d.Coverage || strings.Contains(string(data), "jacoco")
	})
	if d.Coverage {
		d.CoverageTool, d.CoverageHint = "jacoco", ""
	}
	started(p, d, "gradle", "Gradle", "gradle wrapper")
	return d
}

// inGradle reports whether a build further up has the folder: a build has one file of
// settings, at its top.
func inGradle(p *project.Project) bool {
	if p.First(p.Dir, gradleSettings...) != "" {
		return false
	}
	for dir := p.Dir; dir != "."; {
		if dir = path.Dir(dir); p.First(dir, gradleSettings...) != "" {
			return true
		}
	}
	return false
}

// gradleArgs keeps what a script says of the build: properties, and its own projects.
func gradleArgs(args []string) []string {
	var out []string
	for i, a := range args {
		value := i > 0 && slices.Contains([]string{"-P", "-D", "-b", "-c", "-p", "--project-dir", "--build-file", "--settings-file"}, args[i-1])
		keeps := slices.ContainsFunc([]string{"-P", "-D", "-b", "-c", "-p", "--project-dir", "--build-file", "--settings-file", "--offline", "--no-parallel", "--parallel"}, func(o string) bool { return strings.HasPrefix(a, o) })
		if value || keeps {
			out = append(out, a)
		}
	}
	return out
}

func gradleInvocation(d adapter.Detection, req adapter.Request) (qa.Invocation, error) {
	inv := qa.Invocation{
		Dir: d.Dir, Env: slices.Clone(d.Env),
		Files: map[string]string{"gradle.sh": gradleScript, "qa.gradle": gradleInit},
		Tests: []qa.ReportFile{{Path: "**/build/test-results/**/TEST-*.xml", Format: "junit"}, {Path: "stdout", Format: "gradle", Stdout: true}},
	}
	argv := append([]string{"sh", path.Join(req.OutDir, "gradle.sh")}, d.Program...)
	argv = append(argv, "--no-daemon", "--continue", "--console=plain", "--init-script", path.Join(req.OutDir, "qa.gradle"),
		"-Dorg.gradle.configuration-cache=false", "-Dorg.gradle.unsafe.configuration-cache=false")
	tasks := append([]string{"test"}, gradleSelect(req.Tests)...)
	switch {
	case req.Coverage && d.Coverage:
		tasks = append(tasks, "jacocoTestReport")
		inv.Coverage = []qa.ReportFile{{Path: "**/build/reports/jacoco/**/*.xml", Format: "jacoco"}}
	}
	inv.Argv = slices.Concat(argv, d.Args, tasks)
	return inv, nil
}

// gradleMethod is the name of a method in that of a test: JUnit 5 adds parameters, and
// a title of its own is none.
var gradleMethod = pattern.New(`^([A-Za-z_$][\w$]*)(?:\(.*\))?(?:\[.*\])?$`)

// gradleSelect names tests: --tests Class.method, all of a class without a method.
func gradleSelect(tests []adapter.Selected) []string {
	var out []string
	for _, t := range tests {
		name := t.Suite
		if name == "" {
			file := regexp.MustCompile(`^.*/src/test/\w+/`).ReplaceAllString("/"+t.File, "")
			name = strings.ReplaceAll(strings.TrimSuffix(file, path.Ext(file)), "/", ".")
		}
		if m := gradleMethod.FindStringSubmatch(t.Name); m != nil {
			name += "." + m[1]
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, "--tests", name)
		}
	}
	return out
}

var gradleCauses = []diagnosis.Cause{
	{Pattern: `Could not install Gradle distribution from '([^']+)'|(?s)Downloading (\S+)\s.*(?:UnknownHostException|ConnectException|SocketTimeoutException|SSLHandshakeException|java\.io\.IOException)`, Kind: diagnosis.Missing, Says: "the wrapper cannot download Gradle from $1", Cure: "let the job reach that host, or run ./gradlew --version before, where the network is (setup-command)"},
	{Pattern: `Could not (?:resolve|find|GET|HEAD|get resource|transfer)\b.*|No cached version of (\S+) available for offline mode`, Kind: diagnosis.Missing, Says: "dependencies or plugins cannot be downloaded here", Cure: "run the build once before, where the network is (setup-command)"},
	{Pattern: `Could not determine java version|Unsupported class file major version|invalid source release: (\S+)|No matching toolchains|requires (?:at least )?(?:JVM|Java) (?:runtime version )?(\d+)|Cannot find a Java installation`, Kind: diagnosis.Version, Says: "the JDK does not fit the build or its version of Gradle", Cure: "use the one that the build names (toolchain, .java-version)"},
	{Pattern: `JAVA_HOME is (?:not set|set to an invalid)|No Java compiler found|SDK location not found`, Kind: diagnosis.Missing, Says: "a JDK or SDK is needed", Cure: "set JAVA_HOME (ANDROID_HOME) to one"},
	{Pattern: `Task '(\S+)' not found|Could not compile (?:build|settings) file|Script compilation error|Plugin .* was not found|A problem occurred (?:configuring|evaluating)`, Kind: diagnosis.Config, Says: "the build script is not valid, or has no such task"},
	{Pattern: `Compilation failed|Compilation error|error: .*;|> Could not compile`, Kind: diagnosis.Build, Says: "a class does not compile"},
	{Pattern: `No tests found|:test NO-SOURCE`, Kind: diagnosis.NoTests, Says: "no test class was found", Cure: "look at the filters of the task test"},
}
