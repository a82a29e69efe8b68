package java

import (
	"strings"
	"testing"
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
