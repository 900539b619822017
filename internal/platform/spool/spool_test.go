package spool

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/disk/disktest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

var small = Limits{Bytes: 1 << 20, Wanted: "Choose a file.", Smaller: "Split it."}

// emptyDir makes the test's temporary files go to a directory, which must be empty at its end.
func emptyDir(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v left, %v", left, err)
		}
	})
}

// refused checks a problem.
func refused(t *testing.T, what string, err error, kind problem.Kind, message string) {
	t.Helper()
	if p := problem.From(err); err == nil || p.Kind != kind || p.Message != message {
		t.Errorf("%s: %v, want %q", what, err, message)
	}
}

func TestSave(t *testing.T) {
	emptyDir(t)
	most := strings.Repeat("x", 1<<20)
	f, err := Save("C:\\scans\\a.pdf", strings.NewReader(most), small)
	require.NoError(t, err)
	hash := sha256.Sum256([]byte(most))
	if f.Name != "a.pdf" || f.Size != 1<<20 || f.SHA256 != hex.EncodeToString(hash[:]) || f.MediaType != "" {
		t.Errorf("%+v", f)
	}
	if content, err := os.ReadFile(f.Path); err != nil || string(content) != most {
		t.Errorf("%d bytes, %v", len(content), err)
	}
	if info, err := os.Stat(f.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	assert.NoError(t, f.Close())
	_, err = Save("a.pdf", strings.NewReader(most+"x"), small)
	refused(t, "too large", err, problem.TooLarge, "a.pdf is larger than 1 MB. Split it.")
	_, err = Save("a.pdf", strings.NewReader(""), small)
	refused(t, "empty", err, problem.Invalid, "a.pdf is empty.")
	_, err = Save("a.pdf", io.MultiReader(strings.NewReader("x"), failing{}), small)
	refused(t, "interrupted", err, problem.Invalid, "The upload was interrupted. Upload the file again.")
	assert.NotContainsf(t, err.Error(), "Ada Moore", "the log has form data: %v", err)
	disktest.Fill(t, 1<<10, func() { _, err = Save("a.pdf", strings.NewReader(most), small) })
	assert.Truef(t, db.IsStorageFault(err), "full disk: %v", err)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("malformed: Ada Moore.pdf") }

func TestReceive(t *testing.T) {
	emptyDir(t)
	file := [3]string{"file", "a.pdf", "x"}
	for name, c := range map[string]struct {
		parts   [][3]string
		cut     int // bytes that don't arrive
		kind    problem.Kind
		message string // of the error
	}{
		"a file":         {parts: [][3]string{file}},
		"any field name": {parts: [][3]string{{"files", "a.pdf", "x"}}},
		"nothing":        {kind: problem.Invalid, message: "Choose a file."},
		"a field":        {[][3]string{{"file", "", "x"}, file}, 0, problem.Invalid, "Choose a file."},
		"two files":      {[][3]string{file, file}, 0, problem.Invalid, "Upload one file at a time."},
		"a field after":  {[][3]string{file, {"more", "", "x"}}, 0, problem.Invalid, "Upload one file at a time."},
		"empty":          {[][3]string{{"file", "a.pdf", ""}}, 0, problem.Invalid, "a.pdf is empty."},
		"too large": {[][3]string{{"file", "a.pdf", strings.Repeat("x", 3<<19)}}, 0, problem.TooLarge,
			"a.pdf is larger than 1 MB. Split it."},
		"without its end": {[][3]string{file}, 5, problem.Invalid, "The upload was interrupted. Upload the file again."},
		"half a file": {[][3]string{{"file", "a.pdf", strings.Repeat("x", 1<<20)}}, 1 << 19, problem.Invalid,
			"The upload was interrupted. Upload the file again."},
	} {
		t.Run(name, func(t *testing.T) {
			body, kind := makeForm(t, c.parts)
			f, err := receiveOver(t, body[:len(body)-c.cut], kind, small)
			if c.message != "" {
				refused(t, name, err, c.kind, c.message)
				return
			}
			if err != nil || f.Name != "a.pdf" || f.Size != 1 {
				t.Fatalf("%+v, %v", f, err)
			}
			assert.NoError(t, f.Close())
		})
	}
	_, err := receiveOver(t, []byte("{}"), "application/json", small)
	refused(t, "JSON", err, problem.Invalid, "Choose a file.")
}

// makeForm returns a form with parts of field name, file name and content.
func makeForm(t *testing.T, parts [][3]string) (body []byte, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		create := func() (io.Writer, error) { return w.CreateFormField(p[0]) }
		if p[1] != "" {
			create = func() (io.Writer, error) { return w.CreateFormFile(p[0], p[1]) }
		}
		part, err := create()
		if err == nil {
			_, err = io.WriteString(part, p[2])
		}
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes(), w.FormDataContentType()
}

// receiveOver sends a form over HTTP and receives it.
func receiveOver(t *testing.T, body []byte, contentType string, limits Limits) (f *File, err error) {
	t.Helper()
	return over(t, body, contentType, func(_ *http.Request, form *httpapi.Form) (*File, error) { return Receive(form, limits) })
}

func over(t *testing.T, body []byte, contentType string, receive func(*http.Request, *httpapi.Form) (*File, error)) (f *File, err error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var form httpapi.Form
		form.Resolve(humago.NewContext(&huma.Operation{}, r, w))
		f, err = receive(r, &form)
	}))
	defer server.Close()
	res, failed := http.Post(server.URL, contentType, bytes.NewReader(body))
	require.NoError(t, failed)
	return f, errors.Join(err, res.Body.Close())
}

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"roster.csv": "roster.csv", `C:\Users\me\June roster.xlsx`: "June roster.xlsx", "../../etc/passwd": "passwd", "": "file",
		"..": "file", "/": "file", "a/..": "file", " . ": "file", ".pdf": ".pdf",
		"a\r\nSet-Cookie: x.csv": "aSet-Cookie: x.csv", "gnp\u202Excod.exe": "gnpxcod.exe", "a\u200B\uFEFF\x85\x00.pdf": "a.pdf",
		"Mu\u0308ller  2.csv": "Müller 2.csv", "\xff.pdf": ".pdf", `"<b>".pdf`: `"<b>".pdf`, "CON": "CON",
		strings.Repeat("ü", 300) + ".csv":        strings.Repeat("ü", 196) + ".csv",
		"a." + strings.Repeat("x", 300):          "a." + strings.Repeat("x", 198),
		strings.Repeat("x", 196) + ".csv":        strings.Repeat("x", 196) + ".csv",
		strings.Repeat("x", 190) + "/a/b\\c.csv": "c.csv",
	} {
		assert.Equal(t, want, CleanName(name), name)
	}
}

func FuzzCleanName(f *testing.F) {
	f.Add("../a\\b.pdf")
	f.Fuzz(func(t *testing.T, name string) {
		got := CleanName(name)
		if got == "" || len([]rune(got)) > maxName || strings.ContainsAny(got, "/\\\r\n\x00") || CleanName(got) != got {
			t.Errorf("%q: %q, then %q", name, got, CleanName(got))
		}
	})
}
