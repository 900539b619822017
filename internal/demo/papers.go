package demo

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// maxPapers is the number of bills with documents at the network.
const maxPapers = 3

// writePapers creates the archive of the network's documents for some bills of the first group:
// a scanned image and a reviewer's EOR.
func (w *world) writePapers(_ context.Context, out *bufio.Writer) error {
	var manifest bytes.Buffer
	rows := csv.NewWriter(&manifest)
	files := map[string][]byte{}
	var names []string
	add := func(b bill, kind, name string, content []byte) {
		_ = rows.Write([]string{b.practice.ftin, b.number, kind, name})
		files[name], names = content, append(names, name)
	}
	_ = rows.Write([]string{"tin", "bill_control_number", "kind", "file"})
	g := w.groups[0]
	for j, papers := 0, 0; j < g.bills && papers < maxPapers; j++ {
		b := w.bill(g, j)
		if b.pricing == sheet || w.isResent(g, j) || w.isVoided(g, j) {
			continue
		}
		papers++
		scan, err := b.scan()
		if err != nil {
			return err
		}
		eor, err := b.reviewersEOR()
		if err != nil {
			return err
		}
		add(b, "image", fmt.Sprintf("scans/%04d.png", papers), scan)
		add(b, "eor", fmt.Sprintf("eors/%04d.pdf", papers), eor)
	}
	rows.Flush()
	z := zip.NewWriter(out)
	for _, name := range append(names, "manifest.csv") {
		content := files[name]
		if name == "manifest.csv" {
			content = manifest.Bytes()
		}
		file, err := z.Create(name)
		if err == nil {
			_, err = file.Write(content)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

func (b bill) textLines() []string {
	lines := []string{
		"", "PATIENT   " + strings.ToUpper(b.last+", "+b.first), "CLAIM     " + b.claim.number, "INJURED   " + b.injury.US(),
		"PAYER     " + b.payer.name,
		"", "PROVIDER  " + b.practice.name, "TAX ID    " + b.practice.ftin, "ACCOUNT   " + b.account, "",
	}
	for _, l := range b.lines {
		lines = append(lines, fmt.Sprintf("%-12s %-8s %-4s %3d %12s", l.day.US(), l.code, l.modifier, l.units, formatDollars(l.charge)))
	}
	return append(lines, "", fmt.Sprintf("%-29s %12s", "TOTAL CHARGE", formatDollars(b.charge)))
}

// scan draws a typewritten page on off-white paper.
func (b bill) scan() ([]byte, error) {
	shown := image.NewGray(image.Rect(0, 0, 425, 550))
	draw.Draw(shown, shown.Bounds(), image.NewUniform(color.Gray{244}), image.Point{}, draw.Src)
	pen := font.Drawer{Dst: shown, Src: image.NewUniform(color.Gray{40}), Face: basicfont.Face7x13}
	for i, line := range append([]string{"HEALTH INSURANCE CLAIM", "RECEIVED BY MAIL " + b.received.US()}, b.textLines()...) {
		pen.Dot = fixed.P(30, 50+16*i)
		pen.DrawString(line)
	}
	var out bytes.Buffer
	err := png.Encode(&out, shown)
	return out.Bytes(), err
}

func (b bill) reviewersEOR() ([]byte, error) {
	f := fpdf.New("P", "mm", "Letter", "")
	f.SetTitle("Explanation of Review "+b.number, true)
	f.SetCreationDate(b.received.Time())
	f.SetModificationDate(b.received.Time())
	f.SetCatalogSort(true) // for reproducible output
	f.AddPage()
	f.SetFont("Courier", "B", 12)
	f.CellFormat(0, 8, "EXPLANATION OF REVIEW  "+b.number, "B", 1, "L", false, 0, "")
	f.SetFont("Courier", "", 10)
	for _, line := range append(b.textLines(), fmt.Sprintf("%-29s %12s", "RECOMMENDED ALLOWANCE", formatDollars(b.allowance))) {
		f.CellFormat(0, 5, line, "", 1, "L", false, 0, "")
	}
	var out bytes.Buffer
	err := f.Output(&out)
	return out.Bytes(), err
}
