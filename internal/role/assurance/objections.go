package assurance

import (
	"context"
	"fmt"
	"slices"
)

// mistyped says what the project's type checker has against a test file since the
// candidate is in it: a runner may take types away without a look at them, and the
// project's own build would break with the test. A project whose tests have errors
// without the candidate does not hold them to their types.
func (c *Chain) mistyped(ctx context.Context, v *Verdict) (string, error) {
	if c.Types == nil {
		return "", nil
	}
	wrong := c.Types(ctx, v.Path)
	if len(wrong) == 0 {
		return "", nil
	}
	without, err := c.current(v.Path)
	if err != nil {
		return "", err
	}
	if err := put(c.Head, v.Path, without); err != nil {
		return "", err
	}
	other := v.Path
	if without == nil && len(c.Beside) > 0 {
		other = c.Beside[0]
	}
	var before []string
	if without != nil || other != v.Path {
		before = c.Types(ctx, other)
	}
	if err := c.Head.Write(v.Path, v.placed); err != nil || len(before) > 0 {
		return "", err
	}
	return summed(wrong), nil
}

// unclean says what the project's linters have against a test that would be kept. One
// that shows a defect is evidence however it is written, so they are asked last.
func (t trial) unclean(ctx context.Context) (string, error) {
	if t.Lint == nil {
		return "", nil
	}
	text := t.styled(ctx, t.v.Path, t.v.placed)
	if err := t.Head.Write(t.v.Path, text); err != nil {
		return "", err
	}
	return summed(t.Lint(ctx, t.v.Path, text)), nil
}

// styled is a test file as it is delivered. No text is taken that lost a test or an
// assertion on the way.
func (s Style) styled(ctx context.Context, name string, placed []byte) []byte {
	if s.Format == nil {
		return placed
	}
	text := s.Format(ctx, name, placed)
	if slices.Equal(names(name, text), names(name, placed)) && assertions(name, text) == assertions(name, placed) {
		return text
	}
	return placed
}

// summed is the first of some objections, and how many there are beside it.
func summed(wrong []string) string {
	switch len(wrong) {
	case 0:
		return ""
	case 1:
		return wrong[0]
	}
	return fmt.Sprintf("%s; and %d more", wrong[0], len(wrong)-1)
}
