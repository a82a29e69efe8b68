package main

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"
)

// mostColours is what a palette holds.
const mostColours = 256

// shrink writes a picture with a palette of its commonest colours, without the empty
// rows at its end.
func shrink(from, to string) error {
	raw, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }() // it was read
	full, err := png.Decode(raw)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, reduced(full)); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}

func reduced(full image.Image) image.Image {
	area := full.Bounds()
	area.Max.Y = lastRow(full) + 1
	exact := image.NewRGBA(area) // the colours as the screen has them
	draw.Draw(exact, area, full, area.Min, draw.Src)
	seen := map[color.RGBA]int{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			seen[exact.RGBAAt(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(seen), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(seen[b], seen[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(len(colours), mostColours)] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(area, palette)
	draw.Draw(out, area, exact, area.Min, draw.Src) // other colours become the nearest
	return out
}

// lastRow is the last one that is not all of one colour, with a margin below it.
func lastRow(p image.Image) int {
	area := p.Bounds()
	for y := area.Max.Y - 1; y > area.Min.Y; y-- {
		first := p.At(area.Min.X, y)
		for x := area.Min.X; x < area.Max.X; x++ {
			if p.At(x, y) != first {
				return min(y+16, area.Max.Y-1)
			}
		}
	}
	return area.Max.Y - 1
}
