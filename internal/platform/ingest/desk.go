package ingest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
)

// Upload is a file that a user uploads at the desk.
type Upload struct {
	Name      string // file name without a folder
	By        string // username
	CheckOnly bool
}

// RefusedError is the reason why an uploaded file is refused. The file isn't stored.
type RefusedError struct{ Reason string }

func (u RefusedError) Error() string { return u.Reason }

var (
	// ErrUnderWay means that an import of the same content is running.
	ErrUnderWay = errors.New("the same content is being imported")
	// ErrGone means that a file is no longer stored.
	ErrGone = errors.New("the file is no longer stored")
)

// AlreadyImported means that the same content was imported before.
type AlreadyImported struct{ At db.Instant }

func (AlreadyImported) Error() string { return "this content has already been imported" }

const mostName = 128

// GetKind returns the kind of import for a file name.
func (im *Importer) GetKind(name string) (string, error) {
	switch kind := im.kindOfName(name); {
	case name == "" || len(name) > mostName || path.Base(name) != name || strings.ContainsAny(name, "\\\x00") || isUnfinishedName(name):
		return "", RefusedError{fmt.Sprintf("use a file name of up to %d characters without an ending for unfinished files", mostName)}
	case kind != "":
		return im.findFeeds(kind)[0].run(), nil
	case path.Ext(strings.ToLower(name)) == ".zip":
		return "", RefusedError{"unpack the archive first; only bill documents can be imported as an archive"}
	}
	return "", RefusedError{"unknown file kind; use a name such as " + im.explainNames()}
}

// Upload puts a complete file into the watched folder, to be imported or checked like any other.
// It runs with in the same transaction. It returns RefusedError, ErrUnderWay, or AlreadyImported if it
// refuses the file.
func (w *Watch) Upload(ctx context.Context, b Upload, content io.Reader, with UploadHook) (Arrival, error) {
	kind, err := w.im.GetKind(b.Name)
	if err != nil {
		return Arrival{}, err
	}
	into := takingFolder
	if b.CheckOnly {
		into = checkingFolder
	}
	f := Arrival{Kind: kind, Name: b.Name, Via: Desk, StartedBy: b.By, CheckOnly: b.CheckOnly}
	return w.enqueueFile(ctx, f, into, with, func(ctx context.Context, key string, f *Arrival) error {
		return w.folder.Put(ctx, key, func(out io.Writer) error {
			hash := sha256.New()
			n, err := io.Copy(io.MultiWriter(out, hash), content)
			if err != nil {
				return err
			}
			if n == 0 {
				return RefusedError{"the file is empty"}
			}
			f.SHA256, f.Total = hex.EncodeToString(hash.Sum(nil)), n
			return w.checkNew(ctx, w.db.Reader, *f)
		})
	})
}

// UploadHook stores additional data in the transaction of an upload.
type UploadHook func(ctx context.Context, tx *sql.Tx, f Arrival) error

// checkNew returns an error if the file's content is being imported, or was imported.
func (w *Watch) checkNew(ctx context.Context, q db.Queryer, f Arrival) error {
	open, err := openFile(ctx, q, f.Kind, f.SHA256, f.CheckOnly)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if open.ID != 0 && open.Status != Failed && !open.Stopped(w.im.now()) {
		return ErrUnderWay
	}
	if f.CheckOnly || f.Again {
		return nil
	}
	run, err := findRun(ctx, q, f.Kind, f.SHA256)
	if err == nil && run != nil && run.Status == "done" {
		err = AlreadyImported{run.FinishedAt}
	}
	return err
}

// enqueueFile puts a file into a subfolder and records that it waits there, unless the same content
// is being imported or was imported meanwhile. A scan can import the file itself before that. If
// it is interrupted or refused, it leaves no file, or one that is imported like any other.
func (w *Watch) enqueueFile(
	ctx context.Context, f Arrival, into string, with UploadHook, put func(ctx context.Context, key string, f *Arrival) error,
) (Arrival, error) {
	key := into + rand.Text()[:12] + "-" + f.Name
	if err := put(ctx, key, &f); err != nil {
		return f, err
	}
	now := db.At(w.im.now())
	f.Status, f.BeganAt, f.TouchedAt = Waiting, now, now
	err := w.db.Tx(ctx, func(tx *sql.Tx) (err error) {
		if err := w.im.lockContent(ctx, tx, f.SHA256); err != nil {
			return err
		}
		if err := w.checkNew(ctx, tx, f); err != nil {
			return err
		}
		if f.SourceID, err = w.im.findSource(ctx, f.Kind, f.Name); err != nil {
			return err
		}
		if f.ID, err = addFile(ctx, tx, f); err != nil {
			return err
		}
		if err := with(ctx, tx, f); err != nil {
			return err
		}
		return w.jobs.Insert(ctx, tx, FileArgs{Key: key, Size: f.Total})
	})
	return f, err
}

// Reimport imports an earlier file again, if it was refused or its content is still stored. It can
// return ErrUnderWay or ErrGone.
func (w *Watch) Reimport(ctx context.Context, was Arrival, by string, with UploadHook) (Arrival, error) {
	f := Arrival{Kind: was.Kind, Name: was.Name, SHA256: was.SHA256, Total: was.Total, Via: Desk, StartedBy: by, Again: true}
	if was.CheckOnly || was.Status == Waiting || was.Status == Running {
		return f, ErrGone
	}
	if err := w.checkNew(ctx, w.db.Reader, f); err != nil {
		return f, err
	}
	return w.enqueueFile(ctx, f, takingFolder, with, func(ctx context.Context, key string, f *Arrival) error {
		stands := was.SHA256[:min(8, len(was.SHA256))] + "-" + was.Name
		err := w.folder.Move(ctx, rejectedFolder+stands, key)
		if !errors.Is(err, blob.ErrNotFound) {
			return err
		}
		file, err := w.im.OpenStored(ctx, was.SHA256)
		if errors.Is(err, blob.ErrNotFound) {
			file, err = w.folder.Open(ctx, doneFolder+stands)
		}
		if errors.Is(err, blob.ErrNotFound) {
			return ErrGone
		}
		if err != nil {
			return err
		}
		f.Total = file.Size
		return errors.Join(blob.Copy(ctx, w.folder, key, file), file.Close())
	})
}
