package rosters

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/text"
)

type handOverArgs struct{}

// Kind returns the job kind.
func (handOverArgs) Kind() string { return "roster-hand-over" }

// InsertOpts puts the job into the queue of jobs that wait for storage.
func (handOverArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Storage} }

func (s *Service) registerJobs(r *jobs.Runner) {
	if s.out != nil {
		jobs.Every(r, time.Minute, handOverArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[handOverArgs]) error {
			return s.HandOver(ctx)
		}))
	}
	if s.directory != nil {
		jobs.Every(r, time.Minute, updateArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[updateArgs]) error {
			return s.UpdateDirectory(ctx)
		}))
	}
}

// HandOver hands over the remaining rosters. Each gets a folder with its files, followed by a
// manifest. It can be interrupted at any time and can run concurrently, because a roster always
// has the same files and names. A failure doesn't block other rosters.
func (s *Service) HandOver(ctx context.Context) (failed error) {
	for after := int64(0); ; {
		list, err := toHand(ctx, s.db.Reader, after, 100)
		if err != nil || len(list) == 0 {
			return errors.Join(failed, err)
		}
		for _, id := range list {
			if err := s.handOver(ctx, id); err != nil {
				failed = errors.Join(failed, fmt.Errorf("roster %d: %w", id, err))
			}
			after = id
		}
		if ctx.Err() != nil {
			return errors.Join(failed, ctx.Err())
		}
	}
}

// Manifest describes a handed-over roster. It is written last, so its presence means that the
// folder is complete.
type Manifest struct {
	Roster        int64          `json:"roster"` // permanent id
	UpdateType    string         `json:"updateType"`
	SentAt        time.Time      `json:"sentAt"`
	SentBy        string         `json:"sentBy"` // username
	GroupID       int64          `json:"groupId"`
	Group         string         `json:"group"`
	SourceID      int64          `json:"sourceId"`
	Source        string         `json:"source"`
	ProviderGroup string         `json:"providerGroup"`
	ProviderGrpID string         `json:"providerGroupId"` // the source's own
	Files         []ManifestFile `json:"files"`
	Changes       *Compared      `json:"changes"` // null if the roster couldn't be read completely
}

// ManifestFile is a handed-over file.
type ManifestFile struct {
	File             string `json:"file"` // name in the folder
	Name             string `json:"name"` // name as sent
	Size             int64  `json:"size"` // bytes
	SHA256           string `json:"sha256"`
	Checked          bool   `json:"checked"` // its rows could be read
	Rows             int    `json:"rows"`
	RowsWithProblems int    `json:"rowsWithProblems"`
	HeaderRow        int    `json:"headerRow,omitempty"` // with columns: the row above the first provider
	// Columns is the column mapping that the sender selected. It is absent if the headings
	// define it.
	Columns []RosterColumn `json:"columns,omitempty"`
}

// Compared are the changes from the provider group's previous roster.
type Compared struct {
	Before  int `json:"before" doc:"Number of providers in the last roster. 0 for the first roster"`
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Ended   int `json:"ended"`
}

func toCompared(r Received) *Compared {
	if r.ProvidersBefore == nil {
		return nil
	}
	return &Compared{*r.ProvidersBefore, *r.ProvidersAdded, *r.ProvidersChanged, *r.ProvidersEnded}
}

func (s *Service) handOver(ctx context.Context, id int64) error {
	r, err := receivedByID(ctx, s.db.Reader, id)
	if err != nil {
		return err
	}
	folder := fmt.Sprintf("roster-%08d/", id)
	m := Manifest{
		Roster: id, UpdateType: r.UpdateType, SentAt: r.UploadedAt.Time, SentBy: r.UploadedBy, GroupID: r.GroupID, Group: r.SenderName,
		SourceID: r.SourceID, Source: r.SourceName, ProviderGroup: r.GroupName, ProviderGrpID: r.SourceGroupNo, Changes: toCompared(r),
	}
	for _, f := range r.Files {
		file := fmt.Sprint(f.Number) + fileExtension(f.Name)
		if err := s.copyOut(ctx, f, folder+file); err != nil {
			return err
		}
		report := readReport(f)
		sent := ManifestFile{File: file, Name: f.Name, Size: f.Size, SHA256: f.SHA256, Checked: report.isReadable(), Rows: report.Rows,
			RowsWithProblems: report.BadRows}
		if report.Chosen {
			sent.HeaderRow, sent.Columns = report.Header, wireColumns(report.Columns)
		}
		m.Files = append(m.Files, sent)
	}
	err = s.out.Put(ctx, folder+"manifest.json", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(m)
	})
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := noteHanded(ctx, tx, id, db.At(s.now()))
		if err != nil || n == 0 {
			return err // another instance has recorded it
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: "roster-hand-over", Subject: fmt.Sprintf("group %d", r.GroupID), Result: "ok",
			Detail: fmt.Sprintf("roster %d, %s", id, text.FormatCount(len(r.Files), "file", "files")),
		})
	})
}

// copyOut copies a file, and deletes the copy if it doesn't match what was sent.
func (s *Service) copyOut(ctx context.Context, f UploadFile, key string) error {
	in, err := s.files.Open(ctx, f.StorageKey)
	if err != nil {
		return err
	}
	defer in.Close()
	return s.out.Put(ctx, key, func(w io.Writer) error {
		hash := sha256.New()
		if _, err := io.Copy(io.MultiWriter(w, hash), in); err != nil {
			return err
		}
		if hex.EncodeToString(hash.Sum(nil)) != f.SHA256 {
			return fmt.Errorf("file %d has a wrong checksum and differs from the sent file", f.Number)
		}
		return nil
	})
}

var plainEnding = regexp.MustCompile(`^\.[a-z0-9]{1,8}$`)

// fileExtension returns a file name's extension if it is a simple one.
func fileExtension(name string) string {
	if e := strings.ToLower(path.Ext(name)); plainEnding.MatchString(e) {
		return e
	}
	return ""
}
