package qa

import (
	"encoding/json"
	"testing"
)

func TestWithLists(t *testing.T) {
	t.Parallel()
	type inner struct {
		Names []string `json:"names"`
	}
	type outer struct {
		List  []inner           `json:"list"`
		Left  []string          `json:"left,omitempty"`
		Out   []string          `json:"-"`
		By    map[string]inner  `json:"by"`
		Lists map[string][]int  `json:"lists"`
		None  map[string]string `json:"none"`
		One   *inner            `json:"one"`
		Known *inner            `json:"known"`
		own   []string
	}
	in := outer{List: []inner{{}}, By: map[string]inner{"a": {}}, Lists: map[string][]int{"b": nil}, Known: &inner{}, own: []string{"x"}}
	text := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	before := text(in)
	out, err := WithLists(in)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"list":[{"names":[]}],"by":{"a":{"names":[]}},"lists":{"b":[]},"none":{},"one":null,"known":{"names":[]}}`
	if got := text(out); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if after := text(in); after != before || len(in.own) != 1 {
		t.Errorf("the original changed to %s", after)
	}
	if list, err := WithLists([]string(nil)); err != nil || list == nil {
		t.Errorf("a list alone: %v, %v", list, err)
	}
	if _, err := WithLists(func() {}); err == nil {
		t.Error("what JSON cannot carry was copied")
	}
}
