package policy

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestPolicyServers: a test that has reason to use the network talks to its own
// machine.
func TestPolicyServers(t *testing.T) {
	t.Parallel()
	const (
		script = "import http, { get } from 'node:http';\nimport net from 'net';\nimport { app } from './app.js';\nit('y', async () => { CODE; expect(app).toBe(1); });\n"
		python = "import socket\nfrom urllib.request import urlopen\nfrom http.server import HTTPServer\nfrom pkg import app\n\n\ndef test_x():\n    CODE\n    assert app() == 1\n"
		golang = "package a\n\nimport (\n\t\"net\"\n\t\"net/http\"\n\t\"net/http/httptest\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) {\n\tCODE\n\tif App() != 1 {\n\t\tt.Error()\n\t}\n}\n"
	)
	for _, tc := range []struct {
		file, text, code string
		bad              bool
	}{
		{"a.test.js", script, "const s = http.createServer(app).listen(0); http.get({ host: '127.0.0.1', port: s.address().port, path: '/a.b' })", false},
		{"a.test.js", script, "http.request(`http://localhost:${app.port}/`)", false},
		{"a.test.js", script, "net.connect(app.port, '127.0.0.1'); app.get('http://example.com')", false},
		{"a.test.js", script, "http.get('http://[::1]:80/')", false},
		{"a.test.js", script, "http.get('http://example.com')", true},
		{"a.test.js", script, "http.request({ host: 'example.com' })", true},
		{"a.test.js", script, "get(`https://example.com/${app}`)", true},
		{"a.test.js", script, "net.connect(80, 'example.com')", true},
		{"a.test.js", script, "http.get('http://localhost@example.com')", true},
		{"a.test.js", script, "http.get('http://localhost:x@example.com')", true},
		{"a.test.js", script, "http.get(`http://localhost:${app}@example.com`)", true},
		{"a.test.js", script, "http.get('http://127.0.0.1.example.com')", true},
		{"test_a.py", python, "urlopen(f\"http://127.0.0.1:{app.port}/x\")", false},
		{"test_a.py", python, "socket.create_connection((\"localhost\", 80))", false},
		{"test_a.py", python, "urlopen(\"http://example.com\")", true},
		{"test_a.py", python, "socket.create_connection((\"example.com\", 80))", true},
		{"a_test.go", golang, "s := httptest.NewServer(App()); http.Get(s.URL + \"/a\"); net.Dial(\"tcp\", \"127.0.0.1:80\")", false},
		{"a_test.go", golang, "r, _ := http.NewRequest(\"GET\", \"http://example.com/a\", nil); App().ServeHTTP(httptest.NewRecorder(), r); _ = net.IPv4len", false},
		{"a_test.go", golang, "http.Get(\"http://example.com\"); _ = net.IPv4len; httptest.NewRecorder()", true},
		{"a_test.go", golang, "net.Dial(\"tcp\", \"example.com:80\"); http.Error(httptest.NewRecorder(), \"\", 1)", true},
	} {
		src := []byte(strings.Replace(tc.text, "CODE", tc.code, 1))
		got, err := Check(tc.file, nil, src, Servers(tc.file))
		assert.NilError(t, err, tc.code)
		if !tc.bad {
			assert.Equal(t, len(got), 0, "%s: %+v", tc.code, got)
			continue
		}
		assert.Assert(t, len(got) == 1 && got[0].Rule == "network", "%s: %+v", tc.code, got)
		without, err := Check(tc.file, nil, src, nil)
		assert.NilError(t, err)
		assert.Assert(t, len(without) > 1, "without a reason the import is refused: %+v", without)
	}
	assert.Assert(t, Serves("a.js", []byte("const http = require('http')\n")))
	assert.Assert(t, Serves("a.go", []byte("package a\n\nimport \"net/http\"\n")))
	assert.Assert(t, !Serves("a.js", []byte("const fs = require('fs')\nconst run = require('child_process')\n")))
	assert.Equal(t, len(Servers("a.css")), 0)
}
