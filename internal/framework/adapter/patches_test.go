package adapter

import "testing"

func TestPatches(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"assert.equal = () => {}": true, "assert.strict['equal'] = ok": true, "assert.equal == ok": false, "assert.equal(a, b)": false,
		"globalThis.expect = mine": true, "expect.extend({ toBe })": true, "unittest.TestCase.assertEqual = ok": true, "TestCase.fail = ok": true,
		"Object.assign(assert, { equal() {} })": true, "Object.assign(options, { assert })": false, "Object.defineProperty(assert, 'equal', { value })": true,
		"Reflect.set(assert.strict, 'ok', f)": true, "jest.spyOn(assert, 'equal').mockImplementation(f)": true, "mock.method(assert, 'equal', f)": true, "sinon.stub(chai.assert, 'ok')": true,
		"setattr(unittest.TestCase, 'assertEqual', f)": true, "setattr(self, 'unittest', 1)": false, "mock.patch('unittest.TestCase.assertTrue', f)": true, "patch.object(SimpleTestCase, 'fail')": true,
		"chai.Assertion.overwriteMethod('toBe', f)": true, "utils.overwriteMethod(proto, 'equal', f)": true, "Assertion.prototype.toBe = f": true, "menu.overwriteProperty('a')": false,
		"settings.load_profile('few')": true, "settings.register_profile('few', max_examples=1)": true, "globalThis['expect'] = f": true, "global.it == f": false, "fc.configureGlobal({ numRuns: 1 })": true,
		"text.replace(expected, '')": false, "method(assertion)": false,
	} {
		if got := len(Patches([]byte(line))) > 0; got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}

func TestAsserts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"def same(a, b):\n    assert a == b\n":                                                true,
		"export const same = (a, b) => expect(a).toBe(b)\n":                                   true,
		"func same(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Errorf(\"%d\", a)\n\t}\n}": true,
		"func same(t *testing.T, a, b int) { require.Equal(t, a, b) }\n":                      true,
		"pub fn same(a: i32, b: i32) { assert_eq!(a, b) }\n":                                  true,
		"ROWS = [1, 2]\n": false, "const fs = require('node:fs')\n": false,
	} {
		if got := Asserts([]byte(text)); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}
