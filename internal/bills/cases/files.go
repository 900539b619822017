package cases

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/validate"
)

// Limits of files. spool.Documents has the limit of one file.
const (
	MaxFiles     = 10        // of an entry
	maxSent      = 100 << 20 // bytes of an entry
	maxOfCase    = 500 << 20 // bytes of a case
	unsentHours  = 24        // after them, files that no entry has are deleted
	fileFolder   = "cases/"
	tooManyFiles = "Attach up to 10 files."
)

// File is a file of an entry, or one that was uploaded for an entry to come.
type File struct {
	ID         int64
	CaseID     int64 `db:",null"` // 0: of an entry to come
	EntryID    int64 `db:",null"`
	AddedBy    int64
	Name       string
	MediaType  string
	Size       int64  // in bytes
	SHA256     string // in hexadecimal
	StorageKey string
	At         db.Instant
}

// AddFile stores an uploaded document for an entry that the actor writes next. Without such an
// entry, it is deleted after 24 hours. It returns the errors of spool.Checker.ReceiveDocument.
func (s *Service) AddFile(ctx context.Context, a access.Actor, form *httpapi.Form) (f File, err error) {
	received, err := s.uploads.ReceiveDocument(ctx, form)
	if problem.From(err).Code == spool.VirusFound {
		err = errors.Join(err, s.audit.RecordNow(ctx, audit.Entry{Operation: "case-file-virus", Subject: "file of a question",
			About: []string{}, Result: "refused"}))
	}
	if err != nil {
		return File{}, err
	}
	defer func() { _ = received.Close() }()
	f = File{AddedBy: a.Acting().ID, Name: received.Name, MediaType: received.MediaType, Size: received.Size, SHA256: received.SHA256,
		StorageKey: fileFolder + rand.Text()}
	// A file without a row is deleted, but a row needs its file.
	if err := blob.Upload(ctx, s.files, f.StorageKey, received.Path); err != nil {
		return File{}, err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, caseLocks, int(f.AddedBy)); err != nil {
			return err
		}
		f.At = db.At(s.now())
		unsent, err := sumUnsent(ctx, tx, f.AddedBy)
		if err != nil {
			return err
		}
		if unsent+f.Size > maxOfCase {
			return problem.WithMessage(problem.TooLarge,
				"You uploaded more than 500 MB that you didn't send. Send it, or try again tomorrow.")
		}
		if f.ID, err = newFiles.Add(ctx, tx, f, "id"); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "case-file-add", Subject: "file " + f.SHA256, About: []string{},
			Result: "ok"})
	})
	return f, err
}

// claimFiles gives an entry the files that its author uploaded for it.
func (s *Service) claimFiles(ctx context.Context, tx *sql.Tx, e Entry) error {
	if len(e.Files) == 0 {
		return nil
	}
	list, err := listUnsent(ctx, tx, e.Author, e.Files, s.db.Dialect.ForUpdate)
	if err != nil {
		return err
	}
	var sent int64
	for _, f := range list {
		sent += f.Size
	}
	before, err := listFiles(ctx, tx, e.CaseID)
	if err != nil {
		return err
	}
	all := sent
	for _, f := range before {
		all += f.Size
	}
	var wrong validate.Fields
	wrong.Require(len(list) == len(e.Files), "files", "A file is no longer there. Attach it again.")
	wrong.Require(sent <= maxSent, "files", fmt.Sprintf("Attach up to %d MB.", maxSent>>20))
	wrong.Require(all <= maxOfCase, "files", fmt.Sprintf("A question can have files of up to %d MB.", maxOfCase>>20))
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	for _, f := range list {
		f.CaseID, f.EntryID = e.CaseID, e.ID
		if _, err := files.Update(ctx, tx, f); err != nil {
			return err
		}
	}
	return nil
}

// OpenOwnFile opens a file of a case that the actor sees, and audits it first.
func (s *Service) OpenOwnFile(ctx context.Context, a access.Actor, number string, id int64) (File, *blob.File, error) {
	return s.openFile(ctx, number, id, Office, s.ofOffice(ctx, a), "case-file-open")
}

// OpenDeskFile opens a file of a case for staff, and audits it first.
func (s *Service) OpenDeskFile(ctx context.Context, _ access.Actor, number string, id int64) (File, *blob.File, error) {
	return s.openFile(ctx, number, id, Network, anyCase, "desk-open-case-file")
}

func (s *Service) openFile(ctx context.Context, number string, id int64, by Side, may func(*sql.Tx, Case) error,
	operation audit.Operation,
) (f File, content *blob.File, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		t, err := s.thread(ctx, tx, number, by, "")
		if err != nil {
			return err
		}
		if err := may(tx, t.Case); err != nil {
			return err
		}
		at := slices.IndexFunc(t.Files, func(f File) bool { return f.ID == id })
		if at < 0 {
			return problem.New(problem.NotFound)
		}
		f = t.Files[at]
		return s.record(ctx, tx, operation, t.Case, t.Bills)
	})
	if err != nil {
		return File{}, nil, err
	}
	content, err = s.files.Open(ctx, f.StorageKey)
	return f, content, err
}

// deleteUnsent deletes files that no entry has after 24 hours. Rows go first, so that no transaction waits for
// storage. If that fails, the job lost-files deletes the files.
func (s *Service) deleteUnsent(ctx context.Context) error {
	before := db.At(s.now().Add(-unsentHours * time.Hour))
	for {
		var list []File
		err := s.db.Tx(ctx, func(tx *sql.Tx) (err error) {
			list, err = listExpired(ctx, tx, before, s.db.Dialect.SkipLocked)
			for _, f := range list {
				err = errors.Join(err, deleteFile(ctx, tx, f.ID))
			}
			return err
		})
		if err != nil || len(list) == 0 {
			return err
		}
		for _, f := range list {
			err = errors.Join(err, s.files.Delete(ctx, f.StorageKey))
		}
		if err != nil {
			return err
		}
	}
}

// knownFiles returns the known ones among the names of stored files.
func (s *Service) knownFiles(ctx context.Context, names []string) ([]string, error) {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = fileFolder + name
	}
	found, err := listStored(ctx, s.db.Reader, keys)
	for i, key := range found {
		found[i] = strings.TrimPrefix(key, fileFolder)
	}
	return found, err
}
