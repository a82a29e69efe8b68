package toolchain

import (
	"slices"
	"testing"
	"testing/fstest"
)

// What npm 11 itself gives a script, beside what is about the machine.
func TestScriptVariables(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"a/package.json": {Data: []byte(`{"name": "shop", "version": "1.2.0", "engines": {"node": ">=20"},
		"config": {"port": 8080, "deep": {"on": true, "off": false, "none": null}, "list": ["x", 2]}, "scripts": {"test": "node --test", "unit": "mocha"}}`)},
		"broken/package.json": {Data: []byte(`{`)}}
	got := ScriptVariables(fsys, "a", "test")
	slices.Sort(got)
	want := []string{
		"npm_command=test", "npm_lifecycle_event=test", "npm_lifecycle_script=node --test",
		"npm_package_config_deep_none=", "npm_package_config_deep_off=", "npm_package_config_deep_on=true",
		"npm_package_config_list_0=x", "npm_package_config_list_1=2", "npm_package_config_port=8080",
		"npm_package_engines_node=>=20", "npm_package_name=shop", "npm_package_version=1.2.0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, dir := range []string{"broken", "none"} {
		if got := ScriptVariables(fsys, dir, "unit"); !slices.Equal(got, []string{"npm_command=run-script", "npm_lifecycle_event=unit"}) {
			t.Errorf("%s: %q", dir, got)
		}
	}
}
