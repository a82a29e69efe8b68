package java

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/framework/adapter"
	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/language"
)

// steers are files that steer Maven, Surefire or JUnit as a whole.
var steers = pattern.New(`(?i)(?:^|/)(?:\.mvn/.+|mvnw(?:\.cmd)?|gradlew(?:\.bat)?|gradle/wrapper/.+|junit-platform\.properties|testng[\w.-]*\.xml|META-INF/services/org\.(?:junit|testng)\.[\w.$]+)$`)

// steeringProperties are those of a pom.xml that say which tests run, and how.
var steeringProperties = pattern.New(`(?i)test|skip|group|surefire|failsafe|argline|junit|^it\.|maven\.ext`)

// reach is what of a test reaches for its process, or for tests beside it.
var reach = pattern.New(`\bSystem\.exit|\bRuntime\.|\bProcess(?:Builder|Handle)\b|(?i:surefire|failsafe)|\bsetAccessible\b|\bUnsafe\b|\bInstrumentation\b|` +
	`\b(?:TestExecution\w+|InvocationInterceptor|LifecycleMethod\w+Handler|ExecutionCondition|LauncherSessionListener|TestWatcher|PostDiscoveryFilter)\b|\bThreadGroup\b|\bFileDescriptor\b`)

// Configures reports whether Maven, or what runs its tests, takes its configuration
// from a file.
func Configures(name string) bool {
	return steers.MatchString(name) || manifest(name) || gradle.MatchString(name)
}

// gradle are the files of a Gradle build that can say which tests run, and how;
// gradleSteers are the lines that do, and gradleNames those that name dependencies of
// tests alone.
var (
	gradle       = pattern.New(`(?:^|/)(?:[^/]+\.gradle(?:\.kts)?|gradle\.properties|buildSrc/.+)$`)
	gradleSteers = pattern.New(`(?i)test|filter|exclude|include|enabled|ignoreFailures|onlyIf|junit|jvmArgs|systemPropert|doFirst|doLast|taskGraph|apply|gradle\.`)
	gradleNames  = pattern.New(`^\s*(?:test\w*|androidTest\w*)(?:Implementation|Compile|CompileOnly|RuntimeOnly|Runtime|Api|AnnotationProcessor)\b[^{}]*$|^\s*(?://|\*|/\*)`)
)

func manifest(name string) bool { return strings.EqualFold(path.Base(name), "pom.xml") }

// Steering is the part of a file that steers the tests; nil when there is none.
func Steering(name string, data []byte) []byte {
	switch {
	case steers.MatchString(name):
		return data
	case gradle.MatchString(name):
		var out []byte
		for line := range bytes.Lines(data) {
			if gradleSteers.Match(line) && !gradleNames.Match(line) {
				out = append(out, line...)
			}
		}
		return out
	case manifest(name):
		var out []byte
		for _, e := range elements(data) {
			if e.steers {
				out = append(append(out, bytes.TrimSpace(data[e.from:e.to])...), '\n')
			}
		}
		return out
	case language.Named("java").Tests.Names.MatchString(path.Base(name)) || strings.Contains("/"+name, "/src/test/"):
		return adapter.Lines(data, reach)
	}
	return nil
}

// WithSteering is a file with base's part of that in the place of its own; nil when
// nothing is left of it.
func WithSteering(name string, now, was []byte) []byte {
	if now == nil || !manifest(name) {
		return was
	}
	var whole, properties []byte // of base
	for _, e := range elements(was) {
		switch {
		case !e.steers:
		case e.property:
			properties = append(properties, was[e.from:e.to]...)
		default:
			whole = append(whole, was[e.from:e.to]...)
		}
	}
	var out []byte
	at, laid := 0, false
	for _, e := range elements(now) {
		switch {
		case e.steers:
			out = append(out, now[at:e.from]...)
			at = e.to
		case e.name == "properties": // it begins here
			out = append(append(out, now[at:e.to]...), properties...)
			at, laid = e.to, true
		case e.name == "/project":
			out = append(append(out, now[at:e.from]...), whole...)
			if !laid {
				out = slices.Concat(out, []byte("<properties>"), properties, []byte("</properties>"))
			}
			at = e.from
		}
	}
	if at == 0 {
		return was
	}
	return append(out, now[at:]...)
}

// element is a part of a pom.xml, by its bytes.
type element struct {
	name             string
	from, to         int
	steers, property bool
}

// elements finds what steers in a pom.xml, where its properties begin and where it
// ends; nothing in what is no XML.
func elements(data []byte) []element {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Strict = true
	var out []element
	var above []string
	begins := 0
	for {
		before := int(dec.InputOffset())
		token, err := dec.RawToken()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			return nil // who reads it says so
		}
		switch token := token.(type) {
		case xml.StartElement:
			above = append(above, token.Name.Local)
			if len(above) == 2 || len(above) == 3 && above[1] == "properties" {
				begins = before
			}
			if len(above) == 2 && above[1] == "properties" {
				out = append(out, element{name: "properties", from: before, to: int(dec.InputOffset())})
			}
		case xml.EndElement:
			if len(above) == 0 {
				return nil
			}
			name, after := above[len(above)-1], int(dec.InputOffset())
			switch property := len(above) == 3 && above[1] == "properties"; {
			case property && steeringProperties.MatchString(name):
				out = append(out, element{name, begins, after, true, true})
			case len(above) == 2 && (name == "build" || name == "profiles"):
				out = append(out, element{name, begins, after, true, false})
			case len(above) == 1:
				out = append(out, element{name: "/project", from: before, to: after})
			}
			above = above[:len(above)-1]
		}
	}
}
