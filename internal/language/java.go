package language

import "regexp"

var java = Language{
	Name: "java", Title: "Java", Extensions: []string{".java"},
	Tests: Tests{Names: regexp.MustCompile(`^Test[A-Z].*\.java$|(Test|Tests|TestCase|IT|ITCase)\.java$`)},
	Project: Project{
		Manifests: []string{"pom.xml", "build.gradle", "build.gradle.kts"}, Locks: []string{"gradle.lockfile"},
		Settings: []string{"settings.gradle", "settings.gradle.kts"}, Versions: []string{".java-version", ".sdkmanrc"},
		Built: []string{"target", "build"},
	},
	Tools: Tools{
		Pass: []string{"JAVA_HOME"},
		// Beside the repository lies a settings.xml with passwords.
		Homes: []Home{{Default: ".m2", Own: "maven", Lay: []string{"repository"}, Set: []string{"MAVEN_OPTS=-Dmaven.repo.local={own}/repository"}}},
	},
	Text: Text{Comment: "//", Fences: map[string]string{".java": "java"}},
}
