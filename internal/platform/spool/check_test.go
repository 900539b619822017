package spool

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/clamd"
	"wcpp/internal/platform/clamd/clamdtest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/scans"
)

func makePDF(t *testing.T, password string) string {
	t.Helper()
	f := fpdf.New("P", "mm", "Letter", "")
	if password != "" {
		f.SetProtection(fpdf.CnProtectPrint, password, "")
	}
	f.AddPage()
	f.SetFont("Helvetica", "", 10)
	f.Cell(40, 10, "Operative note")
	var b bytes.Buffer
	require.NoError(t, f.Output(&b))
	return b.String()
}

func makeImage(t *testing.T, encode func(io.Writer, image.Image) error) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, encode(&b, image.NewGray(image.Rect(0, 0, 20, 30))))
	return b.String()
}

func makeZIP(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	entry, err := w.Create("a.js")
	if err == nil {
		_, err = io.WriteString(entry, "alert(1)")
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Documents are recognized by their content alone.
func TestCheckDocument(t *testing.T) {
	emptyDir(t)
	pdf, picture, photo := makePDF(t, ""), makeImage(t, png.Encode), makeImage(t, func(w io.Writer, m image.Image) error {
		return jpeg.Encode(w, m, nil)
	})
	const unknown = "scan.pdf isn't a PDF, TIFF, JPEG or PNG file. Scan it, or save it as a PDF."
	const closed = "scan.pdf can't be opened. Save it again without a password, or scan it as a PDF, TIFF, JPEG or PNG."
	const large = "scan.pdf has too many pages or pixels. Split it, or scan it at a lower resolution."
	const unsupported = "scan.pdf is a TIFF in a format we can't read, such as JPEG compression. Save it as a PDF."
	const compression = "\x03\x01\x04\x00\x01\x00\x00\x00"
	wide := []byte(picture)
	copy(wide[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // 65,536 by 65,536 pixels, with a wrong checksum
	for name, c := range map[string]struct{ content, mediaType, message string }{
		"PDF":                 {pdf, scans.PDF, ""},
		"PNG":                 {picture, scans.PNG, ""},
		"JPEG":                {photo, scans.JPEG, ""},
		"with a password":     {makePDF(t, "theirs"), "", closed},
		"half a PDF":          {pdf[:len(pdf)/2], "", closed},
		"half a PNG":          {picture[:len(picture)/2], "", closed},
		"half a JPEG":         {photo[:len(photo)/2], "", closed},
		"a broken PNG":        {string(wide), "", closed},
		"text":                {"Operative note", "", unknown},
		"HTML":                {"<html><script>alert(1)</script>", "", unknown},
		"SVG":                 {`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "", unknown},
		"ZIP":                 {makeZIP(t), "", unknown},
		"HTML before PDF":     {"<html><!--" + pdf, "", unknown},
		"ZIP before PDF":      {makeZIP(t) + pdf, "", unknown},
		"JavaScript, PDF":     {"/*" + pdf, "", unknown},
		"a line before PDF":   {"\n" + pdf, "", unknown},
		"HTML before PNG":     {"<html>" + picture, "", unknown},
		"HTML as PDF":         {"%PDF-<html><script>alert(1)</script>", "", closed},
		"HTML as JPEG":        {"\xff\xd8\xff<html><script>alert(1)</script>", "", closed},
		"HTML as TIFF":        {"II*\x00<html><script>alert(1)</script>", "", closed},
		"JPEG in TIFF":        {strings.Replace(tiffWithoutEnd(), compression+"\x01", compression+"\x07", 1), "", unsupported},
		"more pages than fit": {tiffWithoutEnd(), "", large},
	} {
		f := save(t, "scan.pdf", c.content)
		err := NewChecker(nil).CheckDocument(t.Context(), f)
		if c.message != "" {
			refused(t, name, err, problem.Invalid, c.message)
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.message == "" && f.MediaType != c.mediaType {
			t.Errorf("%s: %s", name, f.MediaType)
		}
		assert.NoError(t, f.Close())
	}
}

// A document's name ends as its content, whatever it was sent as, because systems open files by their names.
func TestNamesEndAsTheContent(t *testing.T) {
	emptyDir(t)
	picture := makeImage(t, png.Encode) + "<script>alert(1)</script>"
	for name, want := range map[string]string{
		"scan.png": "scan.png", "SCAN.PNG": "SCAN.PNG", "bill.html": "bill.html.png", "bill.hta": "bill.hta.png", "scan": "scan.png",
		"scan.jpg": "scan.jpg.png", "": "file.png", "..": "file.png", "scan.png.": "scan.png..png", strings.Repeat("x", 300): "",
	} {
		f := save(t, name, picture)
		require.NoError(t, errors.Join(NewChecker(nil).CheckDocument(t.Context(), f), f.Close()))
		if want == "" {
			want = strings.Repeat("x", maxName-len(".png")) + ".png"
		}
		assert.Equalf(t, want, f.Name, "%q became", name)
	}
	for mediaType, name := range map[string]string{scans.PDF: "a.pdf", scans.TIFF: "a.tif", scans.JPEG: "a.jpg"} {
		if got := nameDocument("a", mediaType); got != name || nameDocument(name, mediaType) != name {
			t.Errorf("%s: %q", mediaType, got)
		}
	}
	assert.Equal(t, "a.TIFFa.jpeg", nameDocument("a.TIFF", scans.TIFF)+nameDocument("a.jpeg", scans.JPEG))
}

// tiffWithoutEnd returns a TIFF whose only page is its own successor.
func tiffWithoutEnd() string {
	field := func(tag, value byte) string { return string([]byte{tag, 1, 4, 0, 1, 0, 0, 0, value, 0, 0, 0}) }
	fields := field(0, 8) + field(1, 1) + field(2, 8) + field(3, 1) + field(6, 0) + field(0x11, 0) + field(0x16, 1) + field(0x17, 8)
	return "II*\x00\x08\x00\x00\x00" + "\x08\x00" + fields + "\x08\x00\x00\x00" + "12345678"
}

func save(t *testing.T, name, content string) *File {
	t.Helper()
	f, err := Save(name, strings.NewReader(content), Documents)
	require.NoError(t, err)
	return f
}

// count returns the metric of a result.
func (c *Checker) count(t *testing.T, result string) float64 {
	t.Helper()
	r := prometheus.NewRegistry()
	r.MustRegister(c.Module().Metrics...)
	families, err := r.Gather()
	require.NoError(t, err)
	for _, family := range families {
		for _, m := range family.Metric {
			if m.Label[0].GetValue() == result {
				return m.Counter.GetValue()
			}
		}
	}
	return 0
}

// A document is stored whole or not at all.
func TestReceiveDocument(t *testing.T) {
	emptyDir(t)
	d := clamdtest.Start(t)
	c := NewChecker(clamd.New(clamd.Settings{Clamd: d.Address}))
	files, err := blob.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	send := func(name, content string) (*File, error) {
		body, kind := makeForm(t, [][3]string{{"file", name, content}})
		return over(t, body, kind, func(r *http.Request, form *httpapi.Form) (*File, error) {
			f, err := c.ReceiveDocument(r.Context(), form)
			if err != nil {
				return nil, err
			}
			return f, errors.Join(blob.Upload(r.Context(), files, "cases/"+f.Name, f.Path), f.Close())
		})
	}
	pdf := makePDF(t, "")
	f, err := send("scan.pdf", pdf)
	if err != nil || f.MediaType != scans.PDF || f.Size != int64(len(pdf)) || len(f.SHA256) != 64 {
		t.Fatalf("%+v, %v", f, err)
	}
	for name, r := range map[string]struct {
		content string
		answer  string
		kind    problem.Kind
		message string
	}{
		"virus.pdf": {pdf + clamdtest.EICAR, "", problem.Invalid,
			"virus.pdf was rejected: our virus scanner flagged it. Nothing was sent."},
		"error.pdf": {pdf, "stream: ERROR\x00", problem.Unavailable, "We couldn't check the file for viruses. Try again later."},
		"gone.pdf":  {pdf, "\x00", problem.Unavailable, "We couldn't check the file for viruses. Try again later."},
		"large.pdf": {pdf + strings.Repeat("x", 25<<20), "", problem.TooLarge,
			"large.pdf is larger than 25 MB. Split it, or scan it at a lower resolution."},
		"page.pdf": {"<html>", "", problem.Invalid, "page.pdf isn't a PDF, TIFF, JPEG or PNG file. Scan it, or save it as a PDF."},
	} {
		if r.answer != "" {
			d.Answer(func([]byte) string { return r.answer })
		} else {
			d.Answer(clamdtest.Answer)
		}
		_, err := send(name, r.content)
		refused(t, name, err, r.kind, r.message)
		assert.Equalf(t, name == "virus.pdf", problem.From(err).Code == VirusFound, "%s: %+v", name, err)
	}
	if c.count(t, "clean") != 1 || c.count(t, "found") != 1 || c.count(t, "failed") != 2 {
		t.Errorf("%v clean, %v found, %v failed", c.count(t, "clean"), c.count(t, "found"), c.count(t, "failed"))
	}
	var stored []string
	for e, err := range files.List(t.Context(), "") {
		require.NoError(t, err)
		stored = append(stored, e.Key)
	}
	if len(stored) != 1 || stored[0] != "cases/scan.pdf" {
		t.Errorf("%v", stored)
	}
}

// Without a scanner, files aren't checked for viruses.
func TestNoScanner(t *testing.T) {
	emptyDir(t)
	c := NewChecker(nil)
	f := save(t, "scan.pdf", clamdtest.EICAR)
	defer f.Close()
	if err := c.Scan(t.Context(), f); err != nil || c.HasScanner() {
		t.Error(err)
	}
}

// hanging is a scanner that waits.
type hanging struct{ ask chan struct{} }

func (h hanging) Scan(ctx context.Context, _ io.Reader) (string, error) {
	select {
	case <-ctx.Done():
	case <-h.ask:
	}
	return "", ctx.Err()
}

// A hanging scanner is found before a proxy with the usual limit of a minute ends the request.
func TestScansEndBeforeProxiesDo(t *testing.T) {
	emptyDir(t)
	f := save(t, "scan.pdf", "x")
	defer f.Close()
	synctest.Test(t, func(t *testing.T) {
		c := NewChecker(hanging{make(chan struct{})})
		ctx, end := context.WithCancel(t.Context())
		defer end()
		for range scansAtOnce {
			go func() { _ = c.Scan(ctx, f) }()
		}
		synctest.Wait()
		began := time.Now()
		if err := c.Scan(ctx, f); !problem.Is(err, problem.Unavailable) {
			t.Error(err)
		}
		assert.LessOrEqual(t, time.Since(began)+clamd.TimeLimit, 50*time.Second)
	})
}

// Two files are checked in parallel. Others wait for their turn, until their request ends or for a
// while.
func TestTurns(t *testing.T) {
	emptyDir(t)
	f := save(t, "scan.pdf", "x")
	defer f.Close()
	synctest.Test(t, func(t *testing.T) {
		h := hanging{make(chan struct{})}
		c := NewChecker(h)
		results := make(chan error, 5)
		for range 2 {
			go func() { results <- c.Scan(t.Context(), f) }()
		}
		synctest.Wait()
		leaving, leave := context.WithCancel(t.Context())
		left, waited := make(chan error), make(chan error)
		go func() { left <- c.Scan(leaving, f) }()
		go func() { waited <- c.Scan(t.Context(), f) }()
		synctest.Wait()
		leave()
		assert.ErrorIs(t, <-left, context.Canceled)
		refused(t, "after a while", <-waited, problem.Unavailable, "We're checking many files right now. Try again in a few minutes.")
		go func() { results <- c.Scan(t.Context(), f) }()
		synctest.Wait()
		for range 3 {
			h.ask <- struct{}{}
			assert.NoError(t, <-results)
		}
	})
}

// A request that ends isn't a failure of the scanner.
func TestLeaving(t *testing.T) {
	emptyDir(t)
	c := NewChecker(hanging{make(chan struct{})})
	f := save(t, "scan.pdf", makePDF(t, ""))
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- c.Scan(ctx, f) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || c.count(t, "failed") != 0 {
		t.Errorf("%v", err)
	}
	assert.ErrorIs(t, c.CheckDocument(ctx, f), context.Canceled)
}

// A file that vanished isn't clean.
func TestVanishedFile(t *testing.T) {
	c := NewChecker(hanging{})
	for _, err := range []error{c.Scan(t.Context(), &File{Path: "/nowhere"}), c.CheckDocument(t.Context(), &File{Path: "/nowhere"})} {
		assert.ErrorIs(t, err, os.ErrNotExist)
	}
}
