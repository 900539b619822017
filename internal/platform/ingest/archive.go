package ingest

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"wcpp/internal/platform/csvio"
)

// Attached is a file that a row of an archive's manifest names.
type Attached struct {
	Name    string // file name in the archive
	Content []byte
}

// manifest is the table that describes the archive's files.
const manifest = "manifest.csv"

const mostInManifest = 64 << 20

// Archive is a ZIP file with a manifest.csv and the files that it lists. The manifest has the
// given columns, one row per file, and the file's name in the column "file".
type Archive[T any] struct {
	Columns  []Column[T]
	Attached func(row *T) *Attached
	Check    func(row *T) error // validates a row with its file
	MaxBytes int64              // of each file
}

// Feed returns a feed of archives with names that match the pattern (path.Match, in lowercase).
// what describes the archives to users.
func (a Archive[T]) Feed(name, pattern, what string, take ImportFunc[T]) Feed {
	a.Columns = append(slices.Clone(a.Columns), Required("file", func(row *T, value string) error {
		a.Attached(row).Name = value
		return nil
	}))
	f := Feed{form: file, name: name, pattern: pattern, what: what, archive: true, importRows: toAny(take)}
	for _, c := range a.Columns {
		f.columns = append(f.columns, c.Name)
	}
	f.decode = a.decode
	return f
}

// stored is a file with random access, which ZIP files need.
type stored interface {
	io.ReaderAt
	Size() int64
}

func (a Archive[T]) decode(r io.Reader, s Sink) error {
	whole, ok := r.(stored)
	if !ok {
		return errors.New("archives must be files")
	}
	z, err := zip.NewReader(whole, whole.Size())
	if err != nil {
		return Refusef(0, "", "the file isn't a ZIP file or is incomplete")
	}
	files := indexFiles(z)
	table := files[manifest]
	if table == nil {
		return Refusef(0, "", "the archive has no %s, which lists its files", manifest)
	}
	text, err := read(table, mostInManifest)
	if err != nil {
		return Refusef(0, "", "%s %s", manifest, err)
	}
	var characters utf8Check
	_, _ = characters.Write(text)
	if !characters.valid() && !csvio.IsUTF16(text) {
		return Refusef(0, "", "%s isn't UTF-8", manifest)
	}
	delete(files, manifest)
	listed, err := a.countListed(text, s)
	if err != nil {
		return err
	}
	rows := s
	rows.Record = func(rec Record) error {
		if row, is := rec.Row.(*T); is {
			file := a.Attached(row)
			file.Name = toSlashes(file.Name)
			if err := a.attach(row, files[file.Name], listed[file.Name]); err != nil {
				rec.Row = nil
				rec.Add(Problem{Severity: SeverityError, Line: rec.At.Line, Element: "file", Reason: err.Error()})
			}
			rec.Weight += len(file.Content) / bytesPerRow
		}
		return s.Record(rec)
	}
	if err := decodeTable(bytes.NewReader(text), rows, a.Columns, nil); err != nil {
		return err
	}
	unnamed := 0
	for name := range files {
		if listed[name] == 0 {
			unnamed++
		}
	}
	if unnamed > 0 {
		s.Note(Problem{Severity: SeverityWarning, Reason: fmt.Sprintf("files that aren't listed in %s and weren't imported: %d", manifest,
			unnamed)})
	}
	return nil
}

// countListed counts the rows that name each file, including rows with errors.
func (a Archive[T]) countListed(text []byte, s Sink) (map[string]int, error) {
	listed := map[string]int{}
	s.Note = nil
	s.Record = func(Record) error { return nil }
	columns := slices.Clone(a.Columns)
	columns[len(columns)-1].Set = func(_ *T, value string) error { // the file's name, see Feed
		listed[toSlashes(value)]++
		return nil
	}
	return listed, decodeTable(bytes.NewReader(text), s, columns, nil)
}

// indexFiles maps names to the files next to the archive's manifest, which can be in a folder. It
// omits duplicate names.
func indexFiles(z *zip.Reader) map[string]*zip.File {
	folder := ""
	for _, f := range z.File {
		if name := toSlashes(f.Name); path.Base(name) == manifest && !isIgnored(name) {
			folder = strings.TrimSuffix(name, manifest)
			break
		}
	}
	files := map[string]*zip.File{}
	for _, f := range z.File {
		name, inside := strings.CutPrefix(toSlashes(f.Name), folder)
		if !inside || f.FileInfo().IsDir() || isIgnored(name) {
			continue
		}
		if _, known := files[name]; known {
			files[name] = nil
			continue
		}
		files[name] = f
	}
	return files
}

func toSlashes(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// bytesPerRow is the file size that counts as one row, so a batch has up to 50 MB.
const bytesPerRow = 10_000

// attach reads the file of a row. A file of several rows belongs to none, because one of them
// could be another person's.
func (a Archive[T]) attach(row *T, f *zip.File, listed int) (err error) {
	if f == nil {
		return errors.New("the archive must contain exactly 1 file with this name")
	}
	if listed > 1 {
		return errors.New("is listed more than once")
	}
	if a.Attached(row).Content, err = read(f, a.MaxBytes); err != nil {
		return err
	}
	return a.Check(row)
}

func read(f *zip.File, most int64) ([]byte, error) {
	if f.Flags&1 != 0 {
		return nil, errors.New("is encrypted in the archive")
	}
	tooLarge := fmt.Errorf("is larger than %d MB", most>>20)
	if f.UncompressedSize64 > uint64(most) {
		return nil, tooLarge
	}
	in, err := f.Open()
	if err != nil {
		return nil, errors.New("can't be unpacked")
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return nil, errors.New("can't be unpacked because the archive is damaged")
	}
	if int64(len(content)) > most {
		return nil, tooLarge
	}
	return content, nil
}

// isIgnored reports whether a file is one that operating systems add.
func isIgnored(name string) bool {
	return strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, "__MACOSX/") || path.Base(name) == "Thumbs.db"
}

// Pack writes an archive of a folder to a file and creates the file's folder. The same input
// files give the same archive.
func Pack(folder, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err == nil {
		err = errors.Join(pack(out, root.FS()), root.Close())
	}
	return errors.Join(err, out.Close())
}

func pack(out io.Writer, folder fs.FS) error {
	z := zip.NewWriter(out)
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || isIgnored(name) {
			return err
		}
		in, err := folder.Open(name)
		if err != nil {
			return err
		}
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = io.Copy(to, in)
		}
		return errors.Join(err, in.Close())
	})
	return errors.Join(err, z.Close())
}
