package routes

import "testing"

func table() *Table {
	var t Table
	t.Add("/", "home")
	t.Add("/users/:id", "user")
	t.Add("/users/new", "form")
	t.Add("/users/:id/posts", "posts")
	return &t
}

func TestFind(t *testing.T) {
	for path, want := range map[string]string{"/": "home", "/users/7": "user", "/users/new": "form", "/users/7/posts/": "posts"} {
		if got, _, ok := table().Find(path); !ok || got != want {
			t.Errorf("%s: got %q", path, got)
		}
	}
	if _, params, _ := table().Find("/users/7"); params["id"] != "7" {
		t.Errorf("got %v", params)
	}
}

func TestNotFound(t *testing.T) {
	if name, _, ok := table().Find("/users"); ok {
		t.Errorf("found %q", name)
	}
}
