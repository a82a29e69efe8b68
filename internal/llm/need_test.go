package llm

import (
	"context"
	"errors"
	"strings"
	"testing"
)

type curious struct {
	Need []string
	Says string
}

func TestTwice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first  curious
		second error
		shown  string
		want   string
		asked  int
	}{
		"nothing needed":    {curious{nil, "first"}, nil, "text", "first", 1},
		"nothing to show":   {curious{[]string{"x"}, "first"}, nil, "", "first", 1},
		"answered":          {curious{[]string{"x"}, "first"}, nil, "text", "second", 2},
		"asks for ever":     {curious{[]string{"x", "x", "x", "x", "x", "x", "x", "x"}, "first"}, nil, "text", "second", 2},
		"second one failed": {curious{[]string{"x"}, "first"}, ErrUnavailable, "text", "first", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var prompts []string
			ask := func(_ context.Context, r Request) (curious, error) {
				prompts = append(prompts, r.Prompt)
				if len(prompts) == 1 {
					return c.first, nil
				}
				return curious{[]string{"more"}, "second"}, c.second
			}
			look := func(names []string) string {
				if len(names) > maxNeed {
					t.Errorf("looked for %d names", len(names))
				}
				return c.shown
			}
			got, err := Twice(t.Context(), ask, Request{Prompt: "question\n"}, look, func(r curious) []string { return r.Need })
			if err != nil || got.Says != c.want || len(prompts) != c.asked {
				t.Fatalf("got %q after %d requests, %v", got.Says, len(prompts), err)
			}
			if c.asked == 2 && (!strings.HasPrefix(prompts[1], "question\n") || !strings.Contains(prompts[1], "<data>\ntext\n</data>")) {
				t.Errorf("second prompt: %q", prompts[1])
			}
		})
	}
	failing := func(context.Context, Request) (curious, error) { return curious{}, ErrBudget }
	if _, err := Twice(t.Context(), failing, Request{}, nil, func(curious) []string { return nil }); !errors.Is(err, ErrBudget) {
		t.Errorf("got %v", err)
	}
}

func TestLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		o    Options
		want int
		ok   bool
	}{
		"no budget":         {Options{}, 0, false},
		"tokens":            {Options{Tokens: 1000}, 850, true},
		"spent":             {Options{Tokens: 100}, 0, true},
		"money, no price":   {Options{USD: 1}, 0, false},
		"money":             {Options{USD: 0.002, Prices: map[string]Price{"m": {Prompt: 1, Completion: 4}}}, 375, true}, // 0.0005 spent
		"the shorter":       {Options{Tokens: 1000, USD: 0.002, Prices: map[string]Price{"m": {Prompt: 1, Completion: 4}}}, 375, true},
		"another's prices":  {Options{Tokens: 1000, USD: 0.002, Prices: map[string]Price{"n": {Prompt: 1, Completion: 4}}}, 850, true},
		"all money is gone": {Options{USD: 0.0001, Prices: map[string]Price{"m": {Prompt: 1, Completion: 4}}}, 0, true},
	} {
		c.o.Model, c.o.BaseURL = "m", "http://127.0.0.1:1"
		client, err := New(c.o)
		if err != nil {
			t.Fatal(err)
		}
		client.use.Prompt, client.use.Completion, client.cost = 100, 50, 0.0005
		if got, ok := client.Left(); got != c.want || ok != c.ok {
			t.Errorf("%s: got %d %t", name, got, ok)
		}
	}
}
