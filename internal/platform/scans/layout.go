package scans

import (
	"bytes"
	"encoding/binary"
	"image"

	"codeberg.org/go-pdf/fpdf"
)

// layout is how a page is shown.
type layout struct {
	turn     float64 // degrees, clockwise, after mirrored
	mirrored bool    // left and right are swapped
	aspect   float64 // width of a pixel, divided by its height
}

// asStored is the layout of a page that doesn't have one.
var asStored = layout{aspect: 1}

// orientations are the layouts of the orientations of TIFF and Exif, from 1.
var orientations = []layout{{}, {mirrored: true}, {turn: 180}, {turn: 180, mirrored: true}, {turn: 270, mirrored: true}, {turn: 90},
	{turn: 90, mirrored: true}, {turn: 270}}

// mostAspect is the highest ratio of two resolutions. Faxes have 204 by 98 dots per inch. Anything far
// beyond that is a mistake.
const mostAspect = 4

// Tags of TIFF and Exif.
const (
	tagOrientation = 274
	tagAcross      = 282 // pixels per unit, across and down
	tagDown        = 283
)

// readLayout reads the layout of a TIFF's page. start is the start of a file that begins with it.
func readLayout(content, start []byte) layout {
	order := byteOrder(start)
	place := uint64(order.Uint32(start[4:]))
	if place+2 > uint64(len(content)) {
		return asStored
	}
	shown := asStored
	var across, down float64
	fields := content[place+2:]
	for range order.Uint16(content[place:]) {
		if len(fields) < 12 {
			break
		}
		switch order.Uint16(fields) {
		case tagOrientation:
			if n := int(order.Uint16(fields[8:])); n >= 1 && n <= len(orientations) {
				shown = orientations[n-1]
			}
		case tagAcross:
			across = readRatio(content, order, order.Uint32(fields[8:]))
		case tagDown:
			down = readRatio(content, order, order.Uint32(fields[8:]))
		}
		fields = fields[12:]
	}
	shown.aspect = 1
	if down <= mostAspect*across && across <= mostAspect*down && across > 0 {
		shown.aspect = down / across
	}
	return shown
}

// readRatio reads two numbers and divides them. It returns 0 if it can't.
func readRatio(content []byte, order binary.ByteOrder, place uint32) float64 {
	if uint64(place)+8 > uint64(len(content)) {
		return 0
	}
	above, below := order.Uint32(content[place:]), order.Uint32(content[place+4:])
	if below == 0 {
		return 0
	}
	return float64(above) / float64(below)
}

// readPhotoLayout reads the layout of a JPEG from its Exif data, which is a TIFF. Pixels of photos are
// square, whatever resolution the camera writes.
func readPhotoLayout(content []byte) layout {
	const head, exif, scan = 4, 0xe1, 0xda // a segment's marker and length, and two markers
	for rest := content[2:]; len(rest) > head && rest[0] == 0xff && rest[1] != scan; {
		length := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if length < head || length > len(rest) {
			break
		}
		if data, is := bytes.CutPrefix(rest[head:length], []byte("Exif\x00\x00")); is && rest[1] == exif && len(data) >= 8 {
			shown := readLayout(data, data[:8])
			shown.aspect = 1
			return shown
		}
		rest = rest[length:]
	}
	return asStored
}

// addPage adds a Letter page with an image that fills it in one direction.
func (l layout) addPage(f *fpdf.Fpdf, name string, pixels image.Point) {
	w, h := l.aspect*float64(pixels.X), float64(pixels.Y) // before it's turned
	across, down := w, h
	if l.turn == 90 || l.turn == 270 {
		across, down = h, w
	}
	letter := fpdf.SizeType{Wd: 8.5, Ht: 11}
	width, height := letter.Wd, letter.Ht
	if across > down {
		f.AddPageFormat("L", letter)
		width, height = height, width
	} else {
		f.AddPageFormat("P", letter)
	}
	scale := min(width/across, height/down)
	w, h = scale*w, scale*h
	f.TransformBegin()
	f.TransformRotate(-l.turn, width/2, height/2)
	if l.mirrored {
		f.TransformMirrorHorizontal(width / 2)
	}
	options := fpdf.ImageOptions{AllowNegativePosition: true} // before it's turned, an image can be wider than the page
	f.ImageOptions(name, (width-w)/2, (height-h)/2, w, h, false, options, 0, "")
	f.TransformEnd()
}
