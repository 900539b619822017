// Package scans reads documents from scanners and other programs (PDF, TIFF, JPEG, and PNG). It
// converts those that browsers can't display to PDF.
package scans

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"golang.org/x/image/tiff"
)

// Supported media types.
const (
	PDF  = "application/pdf"
	TIFF = "image/tiff"
	JPEG = "image/jpeg"
	PNG  = "image/png"
)

// Limits: bytes and pages of a document, and pixels per page and in total.
const (
	MostBytes  = 50 << 20
	MostPages  = 1000
	mostPixels = 60_000_000
	mostInAll  = 1_000_000_000
)

// Problems of a document, as reports write them after its name.
var (
	ErrUnknown     = errors.New("isn't a PDF, TIFF, JPEG or PNG file")
	ErrEncrypted   = errors.New("is encrypted and needs a password")
	ErrBroken      = errors.New("is damaged and can't be fully read")
	ErrUnsupported = errors.New("is a TIFF in a format we can't read, such as JPEG compression; save it as PDF, or with LZW or fax " +
		"compression")
	ErrTooLarge = fmt.Errorf("is too large; up to %d MB, %d pages, and %d million pixels per page or %d million in all", MostBytes>>20,
		MostPages, mostPixels/1_000_000, mostInAll/1_000_000)
)

// longest is the timeout for reading a document. The pages of a TIFF can share their data, so a
// small file can take long.
const longest = 30 * time.Second

func init() { model.ConfigPath = "disable" } // otherwise, it writes its settings to the home directory

// Check reads a whole document and returns its media type, or one of this package's errors.
func Check(ctx context.Context, content []byte) (mediaType string, err error) {
	if len(content) > MostBytes {
		return "", ErrTooLarge
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	switch mediaType = detectType(content); mediaType {
	case PDF:
		return mediaType, checkPDF(ctx, content)
	case "":
		return "", ErrUnknown
	}
	return mediaType, checkPages(ctx, content, mediaType, mostInAll)
}

// checkPages reads pages with up to left pixels in total.
func checkPages(ctx context.Context, content []byte, mediaType string, left int) error {
	return eachPage(content, mediaType, func(p page) error {
		if ctx.Err() != nil {
			return ErrTooLarge
		}
		if size, err := p.measure(p.content()); err == nil && size.Width > 0 && size.Height > 0 {
			if size.Width > left/size.Height {
				return ErrTooLarge
			}
			left -= size.Width * size.Height
		}
		_, err := p.decode()
		return err
	})
}

func detectType(content []byte) string {
	for mediaType, starts := range map[string][]string{
		PDF: {"%PDF-"}, TIFF: {"II*\x00", "MM\x00*"}, JPEG: {"\xff\xd8\xff"}, PNG: {"\x89PNG\r\n\x1a\n"},
	} {
		for _, start := range starts {
			if bytes.HasPrefix(content, []byte(start)) {
				return mediaType
			}
		}
	}
	return ""
}

// limits are the PDF reader's maximum size of an unpacked stream and number of objects. A
// document with the maximum number of pages has some hundred thousand.
var limits = model.ResourceLimits{
	MaxStreamBytes: MostBytes, MaxDecodeBytes: 8 << 20, MaxImagePixels: mostPixels, MaxImageBytes: MostBytes,
	MaxObjectCount: 500_000, MaxObjectStreamCount: 100_000, MaxObjectStreamFirst: 1 << 20, MaxXRefEntries: 500_000, MaxRecursionDepth: 100,
}

// checkPDF reads a PDF with a timeout, because the reader doesn't check the context everywhere.
func checkPDF(ctx context.Context, content []byte) error {
	if err := checkUnpacked(ctx, content); err != nil {
		return err
	}
	read := make(chan error, 1)
	go func() { read <- readPDF(ctx, content) }()
	select {
	case err := <-read:
		return err
	case <-ctx.Done():
		return ErrTooLarge
	}
}

func readPDF(ctx context.Context, content []byte) (err error) {
	defer func() {
		if recover() != nil { // on input that the reader doesn't expect
			err = ErrBroken
		}
	}()
	conf := model.NewDefaultConfiguration()
	conf.Offline = true
	conf.Limits = limits
	read, err := pdfcpu.ReadWithContext(ctx, bytes.NewReader(content), conf)
	if err == nil {
		err = read.EnsurePageCount()
	}
	switch {
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return ErrEncrypted
	case err != nil, read.PageCount < 1:
		return ErrBroken
	case read.PageCount > MostPages:
		return ErrTooLarge
	}
	return nil
}

// AsPDF returns a checked document as PDF: the document itself, or its pages on Letter paper.
func AsPDF(content []byte, mediaType string) ([]byte, error) {
	if mediaType == PDF {
		return content, nil
	}
	f := fpdf.New("P", "in", "Letter", "")
	f.SetMargins(0, 0, 0)
	f.SetAutoPageBreak(false, 0)
	n := 0
	err := eachPage(content, mediaType, func(p page) error {
		shown, err := p.decode()
		if err != nil {
			return err
		}
		n++
		name, options := fmt.Sprint(n), fpdf.ImageOptions{ImageType: "PNG"}
		from := io.Reader(bytes.NewReader(content))
		if mediaType == JPEG {
			options.ImageType = "JPG" // unchanged
		} else {
			var b bytes.Buffer
			if err := png.Encode(&b, toPlain(shown)); err != nil {
				return err
			}
			from = &b
		}
		f.RegisterImageOptionsReader(name, options, from)
		p.layout.addPage(f, name, shown.Bounds().Size())
		return f.Error()
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = f.Output(&b)
	return b.Bytes(), err
}

// page is one image of a document.
type page struct {
	read    func(io.Reader) (image.Image, error)
	measure func(io.Reader) (image.Config, error)
	content func() io.Reader
	layout  layout
}

// decode returns the page, within the limits.
func (p page) decode() (read image.Image, err error) {
	defer func() {
		if recover() != nil {
			read, err = nil, ErrBroken
		}
	}()
	size, err := p.measure(p.content())
	if err != nil {
		return nil, nameProblem(err)
	}
	if size.Width < 1 || size.Height < 1 {
		return nil, ErrBroken
	}
	if size.Width > mostPixels/size.Height {
		return nil, ErrTooLarge
	}
	if read, err = p.read(p.content()); err != nil {
		return nil, nameProblem(err)
	}
	return read, nil
}

// nameProblem returns this package's error for a page that can't be read.
func nameProblem(err error) error {
	if _, is := errors.AsType[tiff.UnsupportedError](err); is {
		return ErrUnsupported
	}
	return ErrBroken
}

// toPlain returns an image in a color model of PDF, with eight bits per channel.
func toPlain(read image.Image) image.Image {
	switch read.ColorModel() {
	case color.GrayModel, color.RGBAModel, color.NRGBAModel, color.YCbCrModel, color.CMYKModel:
		return read
	}
	plain := image.NewRGBA(read.Bounds())
	draw.Draw(plain, plain.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(plain, plain.Bounds(), read, read.Bounds().Min, draw.Over)
	return plain
}

func eachPage(content []byte, mediaType string, take func(page) error) error {
	whole := func() io.Reader { return bytes.NewReader(content) }
	switch mediaType {
	case JPEG:
		return take(page{jpeg.Decode, jpeg.DecodeConfig, whole, readPhotoLayout(content)})
	case PNG:
		return take(page{png.Decode, png.DecodeConfig, whole, asStored})
	}
	return eachDirectory(content, func(start []byte) error {
		file := func() io.Reader { return prefixedFile{bytes.NewReader(content), start} }
		return take(page{tiff.Decode, tiff.DecodeConfig, file, readLayout(content, start)})
	})
}

// eachDirectory iterates over the pages of a TIFF, because the image reader only reads the
// first. For each page, take receives the start of a file that begins with it.
func eachDirectory(content []byte, take func(start []byte) error) error {
	if len(content) < 8 {
		return ErrBroken
	}
	order := byteOrder(content)
	place := order.Uint32(content[4:])
	for n := 0; place != 0; n++ {
		if n == MostPages {
			return ErrTooLarge // or a cycle of pages
		}
		if uint64(place)+2 > uint64(len(content)) {
			return ErrBroken
		}
		next := uint64(place) + 2 + 12*uint64(order.Uint16(content[place:]))
		if next+4 > uint64(len(content)) {
			return ErrBroken
		}
		start := bytes.Clone(content[:8])
		order.PutUint32(start[4:], place)
		if err := take(start); err != nil {
			return err
		}
		place = order.Uint32(content[next:])
	}
	return nil
}

func byteOrder(content []byte) binary.ByteOrder {
	if content[0] == 'M' {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// prefixedFile replaces the first bytes of a file.
type prefixedFile struct {
	*bytes.Reader
	start []byte
}

func (b prefixedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := b.Reader.ReadAt(p, at)
	if at < int64(len(b.start)) {
		copy(p[:n], b.start[at:])
	}
	return n, err
}
