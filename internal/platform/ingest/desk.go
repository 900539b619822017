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

// Brings is a file that a user uploads at the desk.
type Brings struct {
	Name      string // file name without a folder
	By        string // username
	CheckOnly bool
}

// Unwanted is the reason why an uploaded file is refused. The file isn't stored.
type Unwanted struct{ Reason string }

func (u Unwanted) Error() string { return u.Reason }

var (
	// ErrUnderWay means that an import of the same content is running.
	ErrUnderWay = errors.New("the same content is being imported")
	// ErrGone means that a file is no longer stored.
	ErrGone = errors.New("the file is no longer stored")
)

// TakenBefore means that the same content was imported before.
type TakenBefore struct{ At db.Instant }

func (TakenBefore) Error() string { return "this content has already been imported" }

const mostName = 128

// KindOf returns the kind of import for a file name.
func (im *Importer) KindOf(name string) (string, error) {
	switch kind := im.kindOfName(name); {
	case name == "" || len(name) > mostName || path.Base(name) != name || strings.ContainsAny(name, "\\\x00") || unfinishedName(name):
		return "", Unwanted{fmt.Sprintf("use a file name of up to %d characters without an ending for unfinished files", mostName)}
	case kind != "":
		return im.feedsOf(kind)[0].run(), nil
	case path.Ext(strings.ToLower(name)) == ".zip":
		return "", Unwanted{"unpack the archive first; only bill documents can be imported as an archive"}
	}
	return "", Unwanted{"unknown file kind; use a name such as " + im.names()}
}

// Bring puts a complete file into the watched folder, to be imported or checked like any other.
// It runs with in the same transaction. It returns Unwanted, ErrUnderWay, or TakenBefore if it
// refuses the file.
func (w *Watch) Bring(ctx context.Context, b Brings, content io.Reader, with With) (Arrival, error) {
	kind, err := w.im.KindOf(b.Name)
	if err != nil {
		return Arrival{}, err
	}
	into := takingFolder
	if b.CheckOnly {
		into = checkingFolder
	}
	f := Arrival{Kind: kind, Name: b.Name, Via: Desk, StartedBy: b.By, CheckOnly: b.CheckOnly}
	return w.wait(ctx, f, into, with, func(ctx context.Context, key string, f *Arrival) error {
		return w.folder.Put(ctx, key, func(out io.Writer) error {
			hash := sha256.New()
			n, err := io.Copy(io.MultiWriter(out, hash), content)
			if err != nil {
				return err
			}
			if n == 0 {
				return Unwanted{"the file is empty"}
			}
			f.SHA256, f.Total = hex.EncodeToString(hash.Sum(nil)), n
			return w.wanted(ctx, *f)
		})
	})
}

// With stores additional data in the transaction of an upload.
type With func(ctx context.Context, tx *sql.Tx, f Arrival) error

// wanted returns an error if the file's content is being imported, or was imported.
func (w *Watch) wanted(ctx context.Context, f Arrival) error {
	open, err := openFile(ctx, w.db.Reader, f.Kind, f.SHA256, f.CheckOnly)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if open.ID != 0 && open.Status != Failed && !open.Stopped(w.im.now()) {
		return ErrUnderWay
	}
	if f.CheckOnly || f.Again {
		return nil
	}
	run, err := findRun(ctx, w.db.Reader, f.Kind, f.SHA256)
	if err == nil && run != nil && run.Status == "done" {
		err = TakenBefore{run.FinishedAt}
	}
	return err
}

// wait puts a file into a subfolder and records that it waits there. If it is interrupted, it
// leaves no file, or one that is imported like any other.
func (w *Watch) wait(
	ctx context.Context, f Arrival, into string, with With, put func(ctx context.Context, key string, f *Arrival) error,
) (Arrival, error) {
	key := into + rand.Text()[:12] + "-" + f.Name
	if err := put(ctx, key, &f); err != nil {
		return f, err
	}
	now := db.At(w.im.now())
	f.Status, f.BeganAt, f.TouchedAt = Waiting, now, now
	err := w.db.Tx(ctx, func(tx *sql.Tx) (err error) {
		if f.SourceID, err = w.im.source(ctx, f.Kind, f.Name); err != nil {
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

// Again imports an earlier file again, if it was refused or its content is still stored. It can
// return ErrUnderWay or ErrGone.
func (w *Watch) Again(ctx context.Context, was Arrival, by string, with With) (Arrival, error) {
	f := Arrival{Kind: was.Kind, Name: was.Name, SHA256: was.SHA256, Total: was.Total, Via: Desk, StartedBy: by, Again: true}
	if was.CheckOnly || was.Status == Waiting || was.Status == Running {
		return f, ErrGone
	}
	if err := w.wanted(ctx, f); err != nil {
		return f, err
	}
	return w.wait(ctx, f, takingFolder, with, func(ctx context.Context, key string, f *Arrival) error {
		stands := was.SHA256[:min(8, len(was.SHA256))] + "-" + was.Name
		err := w.folder.Move(ctx, rejectedFolder+stands, key)
		if !errors.Is(err, blob.ErrNotFound) {
			return err
		}
		file, err := w.im.OpenKept(ctx, was.SHA256)
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
