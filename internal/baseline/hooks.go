package baseline

import "context"

// hooksChanged looks whether the change has a hand in what runs while packages are
// installed. That may have changed the runner of the tests, in the packages that
// every later run on head uses: no other run of the suite would show it.
func (c comparison) hooksChanged(ctx context.Context) {
	if c.Change.Base == "" || len(c.b.Runs) == 0 {
		return
	}
	if names := c.look().Hooks(ctx); len(names) > 0 {
		c.b.Command = also(c.b.Command, "what runs while packages are installed changes ("+some(names)+"): whether it left the test runner as it was is not known")
	}
}
