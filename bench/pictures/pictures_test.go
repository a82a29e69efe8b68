package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// Every picture that the README shows is there, in both schemes, and small.
func TestPicturesOfTheReadme(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	assert.NilError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "docs", "pictures", "*.png"))
	assert.NilError(t, err)
	assert.Assert(t, len(files) >= 6, "%v", files)
	for _, file := range files {
		info, err := os.Stat(file)
		assert.NilError(t, err)
		assert.Assert(t, info.Size() < 150_000, "%s has %d bytes", file, info.Size())
		assert.Assert(t, strings.Contains(string(readme), "docs/pictures/"+filepath.Base(file)), "%s is not shown", file)
	}
	for part := range strings.SplitSeq(string(readme), "docs/pictures/") {
		name, _, found := strings.Cut(part, ".png")
		if !found || strings.ContainsAny(name, "\n ") {
			continue
		}
		_, err := os.Stat(filepath.Join(root, "docs", "pictures", name+".png"))
		assert.NilError(t, err)
	}
}

func TestShrink(t *testing.T) {
	t.Parallel()
	full := image.NewRGBA(image.Rect(0, 0, 300, 300))
	for y := range 300 {
		for x := range 300 {
			c := color.RGBA{255, 255, 255, 255}
			if y < 100 {
				c = color.RGBA{uint8(x), uint8(y), uint8(x * y), 255} // far more than a palette holds
			}
			full.Set(x, y, c)
		}
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.png"), filepath.Join(dir, "to.png")
	f, err := os.Create(from)
	assert.NilError(t, err)
	assert.NilError(t, png.Encode(f, full))
	assert.NilError(t, f.Close())
	assert.NilError(t, shrink(from, to))
	f, err = os.Open(to)
	assert.NilError(t, err)
	defer func() { _ = f.Close() }()
	small, err := png.Decode(f)
	assert.NilError(t, err)
	assert.Equal(t, small.Bounds(), image.Rect(0, 0, 300, 116)) // the empty rows are gone, but for a margin
	r, _, _, _ := small.At(0, 110).RGBA()
	assert.Equal(t, r>>8, uint32(255))
}
