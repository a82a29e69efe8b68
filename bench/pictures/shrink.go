package main

import (
	"cmp"
	"image"
	"image/color"
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
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(out, reduced(full)); err != nil {
		_ = out.Close() // the first error says more
		return err
	}
	return out.Close()
}

// exact is a colour as the screen has it.
func exact(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
}

func reduced(full image.Image) image.Image {
	area := full.Bounds()
	area.Max.Y = lastRow(full) + 1
	seen := map[color.RGBA]int{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			seen[exact(full.At(x, y))]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(seen), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(seen[b], seen[a]), cmp.Compare(number(a), number(b)))
	})
	var palette color.Palette
	for _, c := range colours[:min(len(colours), mostColours)] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(area, palette)
	index := map[color.RGBA]uint8{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := exact(full.At(x, y))
			i, known := index[c]
			if !known {
				i = uint8(palette.Index(c))
				index[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}

func number(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }

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
