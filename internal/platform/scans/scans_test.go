package scans

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	whole := map[string][]byte{PDF: makePDF(t, 2, false), TIFF: makeTIFF(2), JPEG: makeJPEG(t),
		PNG: makePNG(t, color.NRGBA{200, 0, 0, 100})}
	for mediaType, content := range whole {
		if got, err := Check(t.Context(), content); got != mediaType || err != nil {
			t.Errorf("%s: read as %q: %v", mediaType, got, err)
		}
		for _, cut := range []int{len(content) / 2, 12} {
			if _, err := Check(t.Context(), content[:cut]); !errors.Is(err, ErrBroken) {
				t.Errorf("%s cut at %d: %v", mediaType, cut, err)
			}
		}
	}
	photo := tiffPages(1, 8, 7, []byte{0xff, 0xd8, 0xff, 0xd9})
	colored := bytes.Clone(photo)
	binary.LittleEndian.PutUint32(colored[8+2+4*12+8:], 6) // the value of its fifth field, the color model YCbCr
	wide := makeTIFF(1)
	binary.LittleEndian.PutUint32(wide[8+2+8:], 1<<30) // the value of its first field, the width
	for name, c := range map[string]struct {
		content []byte
		err     error
	}{
		"nothing":             {nil, ErrUnknown},
		"a text":              {[]byte("Explanation of review"), ErrUnknown},
		"a page":              {[]byte("<html><script>alert(1)</script>"), ErrUnknown},
		"with a password":     {makePDF(t, 1, true), ErrEncrypted},
		"too large":           {append([]byte("%PDF-"), make([]byte, MostBytes)...), ErrTooLarge},
		"JPEG in TIFF":        {photo, ErrUnsupported},
		"color JPEG in TIFF":  {colored, ErrUnsupported},
		"a page too wide":     {wide, ErrTooLarge},
		"pages without end":   {tiffInCircles(), ErrTooLarge},
		"a PDF without pages": {[]byte("%PDF-1.4\n%%EOF\n"), ErrBroken},
	} {
		if _, err := Check(t.Context(), c.content); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAsPDF(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		pages   int
	}{
		"PDF": {makePDF(t, 3, false), 3}, "TIFF of three pages": {makeTIFF(3), 3}, "fax": {makeFax(), 1}, "JPEG": {makeJPEG(t), 1},
		"PNG": {makePNG(t, color.NRGBA{200, 0, 0, 100}), 1}, "PNG of 16 bits": {makePNG(t, color.RGBA64{1, 2, 3, 65535}), 1},
	} {
		mediaType, err := Check(t.Context(), c.content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		made, err := AsPDF(c.content, mediaType)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := countPages(t, made); got != c.pages {
			t.Errorf("%s: %d pages, want %d", name, got, c.pages)
		}
	}
}

// All pages together have a limit, and a timeout, because the pages of a small TIFF can share
// their data.
func TestPagesInAll(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx   context.Context
		most  int
		fails bool
	}{{t.Context(), 24, false}, {t.Context(), 23, true}, {over, 24, true}} {
		if err := checkPages(c.ctx, makeTIFF(3), TIFF, c.most); errors.Is(err, ErrTooLarge) != c.fails || !c.fails && err != nil {
			t.Errorf("at most %d: %v", c.most, err)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range [][]byte{makePDF(f, 1, false), makePDF(f, 1, true), makeTIFF(2), makeFax(), makeJPEG(f), makePNG(f, color.Gray{7}),
		tiffInCircles(), makeScan(binary.BigEndian, 6, 204, 98), makePhoto(f, 6)} {
		f.Add(seed)
	}
	for _, content := range bombs() {
		if len(content) < 1<<20 {
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		mediaType, err := bounded(t, content)
		if err != nil {
			if !slices.ContainsFunc([]error{ErrUnknown, ErrEncrypted, ErrBroken, ErrUnsupported, ErrTooLarge}, func(known error) bool {
				return errors.Is(err, known)
			}) {
				t.Fatal(err)
			}
			return
		}
		if _, err := AsPDF(content, mediaType); err != nil {
			t.Fatalf("%s was checked and cannot be shown: %v", mediaType, err)
		}
	})
}

func makePDF(t testing.TB, pages int, password bool) []byte {
	f := fpdf.New("P", "mm", "Letter", "")
	if password {
		f.SetProtection(fpdf.CnProtectPrint, "theirs", "ours")
	}
	f.SetFont("Helvetica", "", 10)
	for range pages {
		f.AddPage()
		f.Cell(40, 10, "Explanation of Review")
	}
	var b bytes.Buffer
	require.NoError(t, f.Output(&b))
	return b.Bytes()
}

func countPages(t *testing.T, content []byte) int {
	read, err := pdfcpu.Read(bytes.NewReader(content), model.NewDefaultConfiguration())
	if err == nil {
		err = read.EnsurePageCount()
	}
	require.NoError(t, err)
	return read.PageCount
}

func picture() *image.Gray {
	shown := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range shown.Pix {
		shown.Pix[i] = byte(i)
	}
	return shown
}

func makeJPEG(t testing.TB) []byte {
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, picture(), nil))
	return b.Bytes()
}

func makePNG(t testing.TB, c color.Color) []byte {
	var shown interface {
		image.Image
		Set(x, y int, c color.Color)
	} = image.NewNRGBA(image.Rect(0, 0, 30, 40))
	if _, deep := c.(color.RGBA64); deep {
		shown = image.NewRGBA64(shown.Bounds())
	}
	shown.Set(3, 4, c)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, shown))
	return b.Bytes()
}

// makeTIFF writes pages of one by eight gray pixels, with each page's directory before its pixels.
func makeTIFF(pages int) []byte { return tiffPages(pages, 8, 1, []byte{0, 1, 2, 3, 4, 5, 6, 7}) }

// makeFax returns a white page in fax encoding (Group 4). Each line has the code for "same as the
// line above", and the end code follows.
func makeFax() []byte { return tiffPages(1, 1, 4, []byte{0xff, 0x00, 0x10, 0x01}) }

func tiffPages(pages, bits, compression int, pixels []byte) []byte {
	out := []byte("II*\x00\x08\x00\x00\x00")
	height := 1
	if compression == 4 {
		height = 8
	}
	for n := range pages {
		fields := [][2]int{{256, 8}, {257, height}, {258, bits}, {259, compression}, {262, 0}, {273, 0}, {277, 1}, {278, height},
			{279, len(pixels)}}
		end := len(out) + 2 + 12*len(fields) + 4
		out = binary.LittleEndian.AppendUint16(out, uint16(len(fields)))
		for _, f := range fields {
			if f[0] == 273 {
				f[1] = end
			}
			out = binary.LittleEndian.AppendUint16(out, uint16(f[0]))
			out = binary.LittleEndian.AppendUint16(out, 4)
			out = binary.LittleEndian.AppendUint32(out, 1)
			out = binary.LittleEndian.AppendUint32(out, uint32(f[1]))
		}
		next := uint32(0)
		if n < pages-1 {
			next = uint32(end + len(pixels))
		}
		out = append(binary.LittleEndian.AppendUint32(out, next), pixels...)
	}
	return out
}

// tiffInCircles returns a TIFF with a page that is its own successor.
func tiffInCircles() []byte {
	out := makeTIFF(1)
	binary.LittleEndian.PutUint32(out[len(out)-8-4:], 8)
	return out
}

// Pages are shown upright, in the orientation that the scanner or camera recorded, and with the two
// resolutions of a fax.
func TestPagesAreShownUpright(t *testing.T) {
	for orientation, corners := range [][2]string{ // where the first pixel and the last one of the first line are shown
		{"top left", "top right"}, {"top left", "top right"}, {"top right", "top left"}, {"bottom right", "bottom left"},
		{"bottom left", "bottom right"}, {"top left", "bottom left"}, {"top right", "bottom right"}, {"bottom right", "top right"},
		{"bottom left", "top left"}, {"top left", "top right"},
	} {
		for name, c := range map[string]struct {
			content []byte
			ratio   float64 // of width to height, before it's turned
		}{
			"Intel TIFF":      {makeScan(binary.LittleEndian, orientation, 200, 100), 0.75},
			"Motorola TIFF":   {makeScan(binary.BigEndian, orientation, 200, 100), 0.75},
			"square pixels":   {makeScan(binary.BigEndian, orientation, 200, 200), 1.5},
			"no resolution":   {makeScan(binary.BigEndian, orientation, 200, 0), 1.5},
			"absurd":          {makeScan(binary.BigEndian, orientation, 200, 1), 1.5},
			"photo":           {makePhoto(t, orientation), 4.0 / 3},
			"photo, no Exif":  {makeJPEG(t), 4.0 / 3},
			"photo, cut Exif": {append([]byte("\xff\xd8\xff\xe1\x00\x0eExif\x00\x00MM\x00*\x00\x00"), makeJPEG(t)[2:]...), 4.0 / 3},
		} {
			want, ratio := corners, c.ratio
			if name == "photo, no Exif" || name == "photo, cut Exif" {
				want = [2]string{"top left", "top right"}
			} else if orientation > 4 && orientation < 9 {
				ratio = 1 / ratio
			}
			mediaType, err := Check(t.Context(), c.content)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			pdf, err := AsPDF(c.content, mediaType)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got, shown := readPlacement(t, pdf); got != want || math.Abs(shown-ratio) > 0.01 {
				t.Errorf("%s, orientation %d: %q, %.2f, want %q, %.2f", name, orientation, got, shown, want, ratio)
			}
		}
	}
}

// readPlacement returns where a PDF's image shows its first pixel and the last one of its first line,
// and the ratio of its width to its height. The image must fill the page in one direction.
func readPlacement(t *testing.T, pdf []byte) (corners [2]string, ratio float64) {
	t.Helper()
	_, content, _ := bytes.Cut(pdf, []byte("stream\n"))
	unpacked, err := zlib.NewReader(bytes.NewReader(content))
	require.NoError(t, err)
	drawn, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	matrices := regexp.MustCompile(`(\S+) (\S+) (\S+) (\S+) (\S+) (\S+) cm`).FindAllSubmatch(drawn, -1)
	slices.Reverse(matrices)
	place := func(x, y float64) (float64, float64) {
		for _, found := range matrices {
			var m [6]float64
			for i := range m {
				if m[i], err = strconv.ParseFloat(string(found[i+1]), 64); err != nil {
					t.Fatal(err)
				}
			}
			x, y = m[0]*x+m[2]*y+m[4], m[1]*x+m[3]*y+m[5]
		}
		return x, y
	}
	middleX, middleY := place(0.5, 0.5)
	corner := func(x, y float64) string {
		names := []string{"bottom", "left"}
		if y > middleY {
			names[0] = "top"
		}
		if x > middleX {
			names[1] = "right"
		}
		return strings.Join(names, " ")
	}
	firstX, firstY := place(0, 1) // PDF has the first line at the top
	oppositeX, oppositeY := place(1, 0)
	width, height := math.Abs(firstX-oppositeX), math.Abs(firstY-oppositeY)
	page := [2]float64{612, 792}
	if width > height {
		page = [2]float64{792, 612}
	}
	if math.Abs(middleX-page[0]/2) > 0.1 || math.Abs(middleY-page[1]/2) > 0.1 || width > page[0]+0.1 || height > page[1]+0.1 ||
		width < page[0]-0.1 && height < page[1]-0.1 {
		t.Errorf("%.1f by %.1f around %.1f, %.1f doesn't fit the page", width, height, middleX, middleY)
	}
	return [2]string{corner(firstX, firstY), corner(place(1, 1))}, width / height
}

// makeScan returns a TIFF of 30 by 20 pixels with an orientation, and across by down pixels per inch.
func makeScan(order binary.AppendByteOrder, orientation int, across, down uint32) []byte {
	out := []byte("II*\x00\x08\x00\x00\x00")
	if order.String() == "BigEndian" {
		out = []byte("MM\x00*\x00\x00\x00\x08")
	}
	fields := [][3]int{{256, 4, 30}, {257, 4, 20}, {258, 3, 8}, {259, 3, 1}, {262, 3, 0}, {273, 4, 0}, {274, 3, orientation}, {277, 3, 1},
		{278, 4, 20}, {279, 4, 600}, {282, 5, 0}, {283, 5, 0}}
	end := len(out) + 2 + 12*len(fields) + 4
	out = order.AppendUint16(out, uint16(len(fields)))
	for _, f := range fields {
		out = order.AppendUint32(order.AppendUint16(order.AppendUint16(out, uint16(f[0])), uint16(f[1])), 1)
		switch f[0] {
		case 273:
			f[2] = end + 16
		case 282:
			f[2] = end
		case 283:
			f[2] = end + 8
		}
		if f[1] == 3 {
			out = append(order.AppendUint16(out, uint16(f[2])), 0, 0)
		} else {
			out = order.AppendUint32(out, uint32(f[2]))
		}
	}
	for _, n := range []uint32{0, 10 * across, 10, 10 * down, 10} {
		out = order.AppendUint32(out, n)
	}
	return append(out, make([]byte, 600)...)
}

// makePhoto returns a JPEG with an orientation in Exif.
func makePhoto(t testing.TB, orientation int) []byte {
	exif := "Exif\x00\x00" + string(makeScan(binary.BigEndian, orientation, 200, 100))
	head := "\xff\xd8\xff\xe0\x00\x04ab\xff\xe1" + string(binary.BigEndian.AppendUint16(nil, uint16(2+len(exif)))) + exif
	return append([]byte(head), makeJPEG(t)[2:]...)
}
