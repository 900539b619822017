package rosters

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// Listing is a provider at a TIN and an office, according to a row of a roster.
type Listing struct {
	NPI, FTIN              string
	Degrees, Languages     string
	Office, Address        string
	Phone, Fax, OfficeMail string
}

// Directory stores the provider data from rosters.
type Directory interface {
	// ImportListing stores a row and reports whether its provider is known.
	ImportListing(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, l Listing) (known bool, err error)
	// EndListings removes up to limit listings from earlier rosters of the provider group that
	// aren't in this one. It returns how many it removed.
	EndListings(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, limit int) (int, error)
}

// UpdateState is the state of updating the directory from a roster.
type UpdateState string

// The states.
const (
	NotAsked UpdateState = ""
	Updating UpdateState = "WAITING"
	Updated  UpdateState = "DONE"
)

type updateArgs struct{}

// Kind returns the job kind.
func (updateArgs) Kind() string { return "roster-directory" }

// InsertOpts uses the slow queue, so that it doesn't delay jobs that users wait for.
func (updateArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Slow} }

// isComplete reports whether a roster is full and every row of its files was read and can be used.
func (r Received) isComplete() bool {
	return r.UpdateType == Full && len(r.Files) > 0 && !slices.ContainsFunc(r.Files, func(f UploadFile) bool {
		c := readReport(f)
		return !c.isReadable() || c.Rows == 0 || c.BadRows > 0 || len(c.Sheets) > 0
	})
}

// RequestUpdate queues a directory update from a complete full roster.
func (s *Service) RequestUpdate(ctx context.Context, id int64) error {
	r, err := s.GetReceived(ctx, id)
	switch {
	case err != nil:
		return err
	case s.directory == nil:
		return problem.WithMessage(problem.Conflict, "Directory updates are off. Set WCPP_ROSTER_UPDATES to turn them on.")
	case !r.isComplete():
		return problem.WithMessage(problem.Conflict, "Only a full roster without problems can update the directory.")
	case !isClaimed(r):
		return errUnclaimed()
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.lockGroup(ctx, tx, r.SourceGroupID); err != nil {
			return err
		}
		n, err := askUpdate(ctx, tx, id, r.SourceGroupID)
		if err == nil && n == 0 {
			err = explainNoUpdate(ctx, tx, id)
		}
		if err == nil {
			err = s.jobs.Insert(ctx, tx, updateArgs{})
		}
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: "roster-directory", Subject: fmt.Sprintf("group %d", r.GroupID), Result: "ok", Detail: fmt.Sprintf("roster %d", id),
		})
	})
}

func isClaimed(r Received) bool { return r.Handling == Taken || r.Handling == Done }

func errUnclaimed() error { return problem.WithMessage(problem.Conflict, "Claim the roster first.") }

// explainNoUpdate returns why a roster can't update the directory. It reads its state again,
// because someone else can have changed it.
func explainNoUpdate(ctx context.Context, tx *sql.Tx, id int64) error {
	r, err := receivedByID(ctx, tx, id)
	if err != nil {
		return err
	}
	isUpdating, err := hasEarlierUpdate(ctx, tx, id, r.SourceGroupID)
	if err != nil {
		return err
	}
	switch {
	case !isClaimed(r):
		return errUnclaimed()
	case r.DirectoryState == Updating:
		return errUpdating()
	case r.DirectoryState == Updated:
		return problem.WithMessage(problem.Conflict, "The directory has already been updated from this roster.")
	case isUpdating:
		return problem.WithMessage(problem.Conflict,
			"The directory is being updated from an earlier roster for this provider group. Try again when that's finished.")
	}
	return problem.WithMessage(problem.Conflict,
		"A newer roster for this provider group has already updated the directory, or is doing so now.")
}

func errUpdating() error {
	return problem.WithMessage(problem.Conflict, "The directory is being updated from this roster. Try again when that's finished.")
}

// UpdateDirectory updates the directory from the requested rosters. It stores the rows in order
// and in batches, then ends older listings. It can be interrupted at any time and then resumes.
func (s *Service) UpdateDirectory(ctx context.Context) error {
	list, err := toUpdate(ctx, s.db.Reader)
	for _, id := range list {
		if failed := s.updateFrom(ctx, id); failed != nil {
			err = errors.Join(err, fmt.Errorf("roster %d: %w", id, failed))
		}
	}
	return err
}

// updatedAtOnce is the number of rows per transaction.
const updatedAtOnce = 200

// errMoved means that another instance is processing the same roster.
var errMoved = errors.New("another instance is processing this roster")

func (s *Service) updateFrom(ctx context.Context, id int64) error {
	r, err := receivedByID(ctx, s.db.Writer, id)
	if err != nil || r.DirectoryState != Updating {
		return err
	}
	dir, err := os.MkdirTemp("", "wcpp-roster")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, f := range r.Files {
		if _, err := blob.Download(ctx, s.files, f.StorageKey, filepath.Join(dir, fmt.Sprint(f.Number))); err != nil {
			return err
		}
	}
	u := &directoryUpdate{s: s, r: r, today: date.Of(s.now()), skip: r.DirectoryRows}
	// All files are checked before the first row is stored, because a stopped update must leave none. A part that
	// continues doesn't need it.
	if r.DirectoryRows == 0 {
		if err := u.readFiles(ctx, dir, nil); err != nil {
			return ignoreMoved(err)
		}
	}
	if err := u.readFiles(ctx, dir, func(row *row) error { return u.addRow(ctx, row) }); err != nil {
		return ignoreMoved(err)
	}
	if err := u.flush(ctx); err != nil {
		return ignoreMoved(err)
	}
	return ignoreMoved(u.endListings(ctx))
}

// readFiles reads the downloaded files and passes each row to each, unless that is nil. It stops the update if a row
// wasn't read or has a problem.
func (u *directoryUpdate) readFiles(ctx context.Context, dir string, each func(*row) error) error {
	for _, f := range u.r.Files {
		stored, c := readReport(f), newChecker(false)
		c.report.Format, c.chosen, c.each = spreadsheet.GetFormat(f.Name), stored.choice(), each
		if err := c.check(ctx, filepath.Join(dir, fmt.Sprint(f.Number)), c.report.Format); err != nil {
			return err
		}
		// Rows that weren't read would end like those that the roster lacks.
		if r := c.report; !r.isReadable() || r.Rows != stored.Rows || r.BadRows > 0 {
			stored.NotUpdated = fmt.Sprintf("%s: %d of %d rows were read, %d with problems. %s", f.Name, r.Rows, stored.Rows, r.BadRows,
				cmp.Or(r.explainUnread(), "The directory update needs all rows without problems."))
			return u.stop(ctx, f.Number, stored)
		}
	}
	return nil
}

func ignoreMoved(err error) error {
	if errors.Is(err, errMoved) {
		return nil
	}
	return err
}

// directoryUpdate is a directory update in progress.
type directoryUpdate struct {
	s     *Service
	r     Received // with its progress
	today date.Date
	skip  int // rows processed before
	batch []Listing
	rows  int // rows in the batch, including those without data
}

// addRow processes a row. A provider terminated by today isn't listed.
func (u *directoryUpdate) addRow(ctx context.Context, row *row) error {
	if u.skip > 0 {
		u.skip--
		return nil
	}
	u.rows++
	if end := spreadsheet.Date(row.get(colTerm)); end == "" || end >= u.today {
		u.batch = append(u.batch, toListing(row))
	}
	if u.rows < updatedAtOnce {
		return nil
	}
	return u.flush(ctx)
}

func toListing(row *row) Listing {
	get := func(name string) string { return strings.Clone(text.Clean(row.get(name))) }
	address := get(colAddress)
	if more := get("Address 2"); more != "" {
		address += ", " + more
	}
	office := get("Location Name")
	if office == "" {
		office = get(colOrganization)
	}
	if office == "" {
		office = "Practice location"
	}
	return Listing{
		NPI: get(colNPI), FTIN: text.Digits(get(colTIN)), Degrees: get("Degree"), Languages: get("Languages"), Office: office,
		Address: address + ", " + get("City") + ", " + strings.ToUpper(get("State")) + " " + text.Digits(get(colZIP))[:5],
		Phone:   text.Phone(get("Phone")), Fax: text.Phone(get("Fax")), OfficeMail: get("Email"),
	}
}

// flush stores the rows of the batch and the progress in one transaction.
func (u *directoryUpdate) flush(ctx context.Context) error {
	if u.rows == 0 {
		return nil
	}
	err := u.saveProgress(ctx, func(tx *sql.Tx, is *Update) error {
		is.DirectoryRows += u.rows
		for _, l := range u.batch {
			known, err := u.s.directory.ImportListing(ctx, tx, u.r.SourceGroupID, u.r.ID, l)
			if err != nil {
				return err
			}
			if !known {
				is.DirectoryUnknown++
			}
		}
		return nil
	})
	u.batch, u.rows = u.batch[:0], 0
	return err
}

// stop ends an update that can't succeed, with its reason. The roster can then be returned, or updated
// again from its first row.
func (u *directoryUpdate) stop(ctx context.Context, number int, report Report) error {
	stored, err := json.Marshal(report)
	if err != nil {
		return err
	}
	return cmp.Or(u.saveProgress(ctx, func(tx *sql.Tx, is *Update) error {
		*is = Update{}
		return putReport(ctx, tx, u.r.ID, number, string(stored))
	}), fmt.Errorf("file %d: %s", number, report.NotUpdated))
}

// explainStopped returns why the last directory update from a roster failed.
func (r Received) explainStopped() string {
	for _, f := range r.Files {
		if why := readReport(f).NotUpdated; why != "" && r.DirectoryState == NotAsked {
			return why
		}
	}
	return ""
}

// endListings removes listings from earlier rosters that aren't in this one.
func (u *directoryUpdate) endListings(ctx context.Context) error {
	for u.r.DirectoryState == Updating {
		err := u.saveProgress(ctx, func(tx *sql.Tx, is *Update) error {
			n, err := u.s.directory.EndListings(ctx, tx, u.r.SourceGroupID, u.r.ID, updatedAtOnce)
			if is.DirectoryEnded += n; n < updatedAtOnce {
				is.DirectoryState = Updated
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *directoryUpdate) saveProgress(ctx context.Context, do func(tx *sql.Tx, is *Update) error) error {
	is := u.r.Update
	err := u.s.db.Tx(ctx, func(tx *sql.Tx) error {
		is = u.r.Update
		if err := do(tx, &is); err != nil {
			return err
		}
		n, err := noteUpdate(ctx, tx, u.r.ID, u.r.Update, is)
		if err == nil && n == 0 {
			err = errMoved
		}
		return err
	})
	if err == nil {
		u.r.Update = is
	}
	return err
}
