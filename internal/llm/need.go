package llm

import (
	"context"
	"strings"
)

// Twice asks, and where the reply names what its writer would have to see, asks
// once more with that in the prompt; the second reply is final. need takes the
// names from a reply; look gives text for them, empty for what may not be
// shown. When the second request fails the first reply stands.
func Twice[T any](ctx context.Context, ask func(context.Context, Request) (T, error), r Request, look func(names []string) string, need func(T) []string) (T, error) {
	first, err := ask(ctx, r)
	if err != nil || look == nil {
		return first, err
	}
	names := need(first)
	if len(names) == 0 {
		return first, nil
	}
	names = names[:min(len(names), maxNeed)]
	shown := look(names)
	if shown == "" {
		return first, nil
	}
	r.Prompt = strings.TrimRight(r.Prompt, "\n") + "\n\nYou asked to see more; this is what there is:\n" + Data(shown) +
		"\nAnswer now in full. Nothing more will be shown.\n"
	second, err := ask(ctx, r)
	if err != nil {
		return first, nil //nolint:nilerr // the first reply is whole by itself
	}
	return second, nil
}

// maxNeed is how many names one reply may ask for.
const maxNeed = 6
