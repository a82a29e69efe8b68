package language

import (
	"github.com/org/qa-action/internal/pattern"
)

var java = Language{
	Name: "java", Title: "Java", Extensions: []string{".java"},
	Tests: Tests{
		Names: pattern.New(`^Test[A-Z].*\.java$|(Test|Tests|TestCase|IT|ITCase)\.java$`),
		Mark:  pattern.New(`(?m)^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b|\bextends\s+TestCase\b`),
	},
	Project: Project{
		Manifests: []string{"pom.xml", "build.gradle", "build.gradle.kts"}, Locks: []string{"gradle.lockfile"},
		Settings: []string{"settings.gradle", "settings.gradle.kts"}, Versions: []string{".java-version", ".sdkmanrc"},
		Built: []string{"target", "build"}, Stale: []string{"target"},
	},
	Tools: Tools{
		Absent: true,
		Pass:   []string{"JAVA_HOME"},
		// Beside the repository lies a settings.xml with passwords.
		Homes: []Home{{Default: ".m2", Own: "maven", Lay: []string{"repository", "wrapper"},
			// The user that the code runs as has no home that Java would find.
			Set: []string{"MAVEN_OPTS=-Dmaven.repo.local={own}/repository -Duser.home={own}", "MAVEN_USER_HOME={own}"}},
			// Beside what Gradle has fetched lie its properties, with passwords.
			{Variable: "GRADLE_USER_HOME", Default: ".gradle", Own: "gradle", Lay: []string{"caches/modules-2", "wrapper"}, Copied: []string{".lock", ".bin", ".lck"}}},
	},
	Text: Text{Comment: "//", Fences: map[string]string{".java": "java"}},
}
