package mode

import (
	"testing"

	"github.com/org/qa-action/internal/config"
)

func TestModeByWords(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]config.Mode{
		"":                                    config.Full,
		"Scan the login":                      config.Discovery,
		"raise COVERAGE of the parser":        config.Testing,
		"scan and test":                       config.Full,
		"latest tissue of contested audience": config.Full, // no whole word
		"verify, please":                      config.Testing,
		"known issues?":                       config.Discovery,
	} {
		if got := Of(config.Auto, task); got != want {
			t.Errorf("%q: got %s, want %s", task, got, want)
		}
	}
	if got := Of(config.Testing, "scan"); got != config.Testing {
		t.Errorf("explicit mode was overruled: %s", got)
	}
}
