package loads_test

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/source/loads"
)

// What looks at sizes or asks git may have a file's name from a folder.
func TestLooks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"for p in Path('data').iterdir():\n    assert p.stat().st_size < 10": true,
		"for n in os.listdir(d): os.path.getsize(d + n)":                     true,
		"readdirSync(d).every(n => statSync(d + n).size < 9)":                true,
		"const { size } = await fs.stat(name)":                               true,
		"if info.Size() > 9 {":                                               true,
		"fs::metadata(entry.path())?.len()":                                  true,
		"for (String n : names) new File(dir, n).length();":                  true,
		"f.seek(0, os.SEEK_END)":                                             true,
		"subprocess.run([\"git\", \"grep\", \"x\", \"HEAD\"])":               true,
		"execSync('git show HEAD:a.txt')":                                    true,
		"assert.equal(new Set(a).size, 3)":                                   false,
		"existsSync(name) && statSync(name).isFile()":                        false,
		"# the digit of github":                                              false,
	} {
		assert.Equal(t, loads.Looks([]byte(text)), want, text)
	}
}
