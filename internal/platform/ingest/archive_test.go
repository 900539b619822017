package ingest

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Picture is a row of the test archive.
type Picture struct {
	Name string
	File Attached
}

func pictures(most int64) Feed {
	return Archive[Picture]{
		Columns:  []Column[Picture]{Required("name", Text(func(p *Picture) *string { return &p.Name }, 20))},
		Attached: func(p *Picture) *Attached { return &p.File },
		Check: func(p *Picture) error {
			if bytes.HasPrefix(p.File.Content, []byte("bad")) {
				return errors.New("is bad")
			}
			return nil
		},
		MaxBytes: most,
	}.Feed("pictures", "pictures*.zip", "pictures", nil)
}

type packed struct {
	name, content string
	change        func(*zip.FileHeader)
}

func zipped(t *testing.T, files ...packed) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		if f.change != nil {
			f.change(h)
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, f.content)
		}
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// decodeArchive returns the files' contents and the report's lines.
func decodeArchive(archive []byte) (contents, problems []string, err error) {
	err = Decode(bytes.NewReader(archive), Sink{
		Record: func(r Record) error {
			if p, is := r.Row.(*Picture); is {
				contents = append(contents, p.Name+": "+string(p.File.Content))
			}
			for _, p := range r.Problems {
				problems = append(problems, p.String())
			}
			return nil
		},
		Note: func(p Problem) { problems = append(problems, p.String()) },
	}, pictures(20))
	return contents, problems, err
}

func TestArchive(t *testing.T) {
	contents, problems, err := decodeArchive(zipped(t,
		packed{name: "November/a.pdf", content: "first"},
		packed{name: "November/b.pdf", content: "bad one"},
		packed{name: "November/sub/c.pdf", content: "third"},
		packed{name: "November/large.pdf", content: strings.Repeat("x", 21)},
		packed{name: "November/secret.pdf", content: "s", change: func(h *zip.FileHeader) { h.Flags |= 1 }},
		packed{name: "November/twice.pdf", content: "1"},
		packed{name: "November/twice.pdf", content: "2"},
		packed{name: "November/manifest.csv",
			content: "file,name\na.pdf,one\nb.pdf,two\nsub\\c.pdf,three\nlarge.pdf,four\nsecret.pdf,five\ntwice.pdf,six\n" +
				"../../etc/passwd,seven\na.pdf,eight\n,nine\n"},
		packed{name: "November/unnamed.pdf", content: "u"},
		packed{name: "November/.DS_Store", content: "u"},
		packed{name: "__MACOSX/November/._a.pdf", content: "u"},
	))
	require.NoError(t, err)
	assert.Equal(t, []string{"three: third"}, contents)
	for _, want := range []string{
		"line 2, file: is listed more than once", "line 3, file: is bad", "line 5, file: is larger than 0 MB",
		"line 6, file: is encrypted in the archive", "line 9, file: is listed more than once",
		"line 7, file: the archive must contain exactly 1 file with this name",
		"line 8, file: the archive must contain exactly 1 file with this name",
		"line 10, file: is empty", "files that aren't listed in manifest.csv and weren't imported: 1",
	} {
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("no problem %q in %q", want, problems)
		}
	}
	assert.Len(t, problems, 9)
}

// A file counts as listed by each row that names it, also by a row with another error.
func TestArchiveFileOfARejectedRow(t *testing.T) {
	contents, problems, err := decodeArchive(zipped(t,
		packed{name: "a.pdf", content: "first"}, packed{name: "b.pdf", content: "second"},
		packed{name: "manifest.csv", content: "file,name\na.pdf,one\na.pdf," + strings.Repeat("x", 21) + "\nb.pdf,\n"}))
	assert.NoError(t, err)
	assert.Empty(t, contents)
	if len(problems) != 3 || !strings.Contains(problems[0], "line 2, file: is listed more than once") ||
		!strings.Contains(problems[1], "line 3, name: ") || !strings.Contains(problems[2], "line 4, name: is empty") {
		t.Errorf("%q", problems)
	}
}

func TestArchivesThatCannotBeRead(t *testing.T) {
	whole := zipped(t, packed{name: "a.pdf", content: "first"}, packed{name: "manifest.csv", content: "name,file\none,a.pdf\n"})
	for name, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"no ZIP file": {[]byte("name,file\n"), "isn't a ZIP file or is incomplete"},
		"cut":         {whole[:len(whole)-30], "isn't a ZIP file or is incomplete"},
		"no manifest": {zipped(t, packed{name: "a.pdf", content: "first"}), "the archive has no manifest.csv"},
		"another table": {zipped(t, packed{name: "manifest.csv", content: "name,colour\n"}),
			"colour: unknown column; use these columns: name, file"},
		"in another script": {zipped(t, packed{name: "manifest.csv", content: "name,file\n\xe9,a\n"}), "manifest.csv isn't UTF-8"},
	} {
		_, _, err := decodeArchive(c.archive)
		var refused *tableError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A broken file affects only its row.
	broken := bytes.Replace(zipped(t, packed{name: "a.pdf", content: "first", change: func(h *zip.FileHeader) { h.Method = zip.Store }},
		packed{name: "manifest.csv", content: "name,file\none,a.pdf\n"}), []byte("first"), []byte("fxrst"), 1)
	contents, problems, err := decodeArchive(broken)
	if err != nil || len(contents) > 0 || len(problems) != 1 || !strings.Contains(problems[0], "the archive is damaged") {
		t.Errorf("%q %q %v", contents, problems, err)
	}
}

// The same files give the same archive, so that its content is recognized.
func TestPack(t *testing.T) {
	folder, out := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{"manifest.csv": "name,file\none,sub/a.pdf\n", "sub/a.pdf": "first", ".hidden": "x"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	var archives [2][]byte
	for i, name := range []string{"a/x.zip", "b/x.zip"} {
		require.NoError(t, Pack(folder, filepath.Join(out, name)))
		var err error
		if archives[i], err = os.ReadFile(filepath.Join(out, name)); err != nil {
			t.Fatal(err)
		}
	}
	contents, problems, err := decodeArchive(archives[0])
	if !bytes.Equal(archives[0], archives[1]) || err != nil || len(problems) > 0 || !slices.Equal(contents, []string{"one: first"}) {
		t.Errorf("%q %q %v", contents, problems, err)
	}
}
