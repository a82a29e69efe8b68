package java

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/qa-action/internal/diagnosis"
)

// TestMavenArgs: what a script says of the build is kept with its value, which may be a
// word of its own.
func TestMavenArgs(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"-q clean verify -P ci":                      "-P ci",
		"test -D groups=fast -Dx=y":                  "-D groups=fast -Dx=y",
		"test --activate-profiles ci --define a=b":   "--activate-profiles ci --define a=b",
		"-gs own.xml --global-settings own.xml test": "-gs own.xml --global-settings own.xml",
		"--resume-from :web test -pl web -am":        "--resume-from :web -pl web -am",
	} {
		if got := strings.Join(mavenArgs(strings.Fields(script)), " "); got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}

// TestMavenSaysWhichVersions: the enforcer's first line names its rule, the next one
// what is there and what the build allows.
func TestMavenSaysWhichVersions(t *testing.T) {
	t.Parallel()
	rule := "[ERROR] Rule 0: org.apache.maven.enforcer.rules.version.%s failed with message:\n%s\n[ERROR] -> [Help 1]\n"
	for said, want := range map[string]string{
		fmt.Sprintf(rule, "RequireMavenVersion", "[ERROR] Detected Maven Version: 3.8.7 is not in the allowed range [3.9,)."):                          "Maven 3.8.7 is here, and the build allows [3.9,)",
		fmt.Sprintf(rule, "RequireJavaVersion", "[ERROR] Detected JDK version 11.0.2 (JAVA_HOME=/opt/jdk) is not in the allowed range [17,)."):         "JDK 11.0.2 is here, and the build allows [17,)",
		fmt.Sprintf(rule, "RequireJavaVersion", "[ERROR] Detected JDK /opt/jdk is version 11.0.2 which is not in the allowed range [17,22).\n[ERROR]"): "JDK 11.0.2 is here, and the build allows [17,22)",
		fmt.Sprintf(rule, "RequireJavaVersion", "[ERROR] This build requires at least Java 17, update your JVM, and run the build again"):              "the JDK or Maven does not fit",
	} {
		d := diagnosis.New(mavenCauses).Explain(1, said)
		if d.Cause != want || d.Kind != diagnosis.Version || d.Cure == "" {
			t.Errorf("%s\nis %q (%s), want %q", said, d.Cause, d.Cure, want)
		}
		if !strings.Contains(d.Proof, "allowed range") && strings.Contains(said, "allowed range") || strings.HasSuffix(d.Proof, "message:") {
			t.Errorf("the proof is %q", d.Proof)
		}
	}
}
