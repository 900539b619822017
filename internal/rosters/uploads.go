package rosters

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// The update types.
const (
	Full  = "full"
	Delta = "delta" // a partial roster
)

// Upload contains the form fields sent with roster files.
type Upload struct {
	SourceID   int64
	GroupID    string // the source's own id of the provider group
	RosterType string
	UserName   string
	Confirmed  int // number of providers that the sender agreed to terminate; confirmedAny: any number
	choices    []fileChoice
}

// confirmedAny confirms any number of terminated providers.
const confirmedAny = math.MaxInt

// File is a roster file in progress, on the local disk until it is stored or discarded.
type File struct {
	*spool.File
	Format spreadsheet.Format
	Report *Report
	chosen *Layout // the column mapping, if a person selected it
	// providers is the file's data by NPI.
	providers map[string]tally
}

// tally combines all rows for a provider. A provider that is neither listed nor ended appears
// only in rows with problems: it isn't terminated, but its data is unknown.
type tally struct {
	digest int64 // sum over the rows
	listed bool
	ended  bool
}

func (t tally) merge(o tally) tally {
	return tally{t.digest + o.digest, t.listed || o.listed, t.ended || o.ended}
}

// Comparison is what a full roster would change from the previous one.
type Comparison struct {
	Before, Add, Change, End int
	MustConfirm              bool // a large share of the previous providers would be terminated
}

// LocalFiles are the files of a roster on the local disk.
type LocalFiles struct {
	Files    []*File
	settings Settings
}

// NewLocalFiles returns a roster without files. The caller must close it.
func (s *Service) NewLocalFiles() *LocalFiles { return &LocalFiles{settings: s.settings} }

// Close deletes the files.
func (r *LocalFiles) Close() error {
	var err error
	for _, f := range r.Files {
		err = errors.Join(err, f.Close())
	}
	return err
}

// Save adds a file.
func (r *LocalFiles) Save(name string, content io.Reader) error {
	if len(r.Files) >= r.settings.RosterFiles {
		return problem.WithMessage(problem.TooLarge, fmt.Sprintf("You can send up to %d files together.", r.settings.RosterFiles))
	}
	saved, err := spool.Save(name, content, spool.Limits{Bytes: r.settings.fileBytes(),
		Smaller: "Split it, or remove what is not part of the roster."})
	if err != nil {
		return err
	}
	f := &File{File: saved, Format: spreadsheet.GetFormat(saved.Name)}
	if strings.EqualFold(path.Ext(f.Name), ".xlsx") && !isZIP(f.Path) {
		f.Format = spreadsheet.Other // the content doesn't match the file extension
	}
	r.Files = append(r.Files, f)
	return nil
}

func newChecker(partial bool) *checker {
	return &checker{partial: partial, report: &Report{Counts: map[string]int{}}, rowByKey: map[uint64]int{}, npis: map[string]bool{}}
}

// Check checks the readable files and reports its progress.
func (s *Service) Check(ctx context.Context, files []*File, rosterType string, progress func(file, rows int)) error {
	for n, f := range files {
		if f.Format == spreadsheet.Other {
			continue
		}
		c := newChecker(rosterType == Delta)
		c.report.Format, c.chosen = f.Format, f.chosen
		f.Report, f.providers = c.report, map[string]tally{}
		c.progress = func(rows int) {
			if progress != nil {
				progress(n, rows)
			}
		}
		c.take = func(npi string, t tally) {
			have, known := f.providers[npi]
			if !known {
				npi = strings.Clone(npi) // the row's buffer is reused
			}
			f.providers[npi] = have.merge(t)
		}
		if err := c.check(ctx, f.Path, f.Format); err != nil {
			return err
		}
	}
	return nil
}

// combine merges the data of all files by provider. whole is false if a file couldn't be read.
func combine(files []*File) (providers map[string]tally, whole bool) {
	providers, whole = map[string]tally{}, len(files) > 0
	for _, f := range files {
		if f.Report == nil || f.Report.Unreadable != "" || len(f.Report.Missing) > 0 {
			whole = false
			continue
		}
		for npi, t := range f.providers {
			providers[npi] = providers[npi].merge(t)
		}
	}
	return providers, whole
}

// Compare returns what a full roster would change from the provider group's previous roster, or
// nil if there is nothing to compare.
func (s *Service) Compare(ctx context.Context, group SourceGroup, files []*File) (*Comparison, error) {
	providers, whole := combine(files)
	if !whole {
		return nil, nil
	}
	last, err := listProviders(ctx, s.db.Reader, group.SourceGroupID)
	if err != nil {
		return nil, err
	}
	c := s.newComparison(len(last), compare(last, Full, providers))
	return &c, nil
}

// newComparison summarizes the changes of a full roster from the previous one.
func (s *Service) newComparison(before int, changed changes) Comparison {
	c := Comparison{Before: before, Add: changed.count(Added), Change: changed.count(Changed), End: changed.count(Ended)}
	c.MustConfirm = c.Before > 0 && float64(c.End)/float64(c.Before) > s.settings.endShare()
	return c
}

// Change is the effect of a roster on a provider.
type Change string

// The changes.
const (
	Added   Change = "ADDED"
	Changed Change = "CHANGED"
	Ended   Change = "ENDED"
)

// changes are the effects of a roster by NPI.
type changes map[string]Change

func (c changes) count(kind Change) (n int) {
	for _, change := range c {
		if change == kind {
			n++
		}
	}
	return n
}

// compare returns the changes from the last roster, given as digests by NPI. Only a full roster
// terminates the providers it omits.
func compare(last map[string]int64, rosterType string, providers map[string]tally) changes {
	found := changes{}
	for npi, now := range providers {
		digest, there := last[npi]
		switch {
		case now.listed && !there:
			found[npi] = Added
		case now.listed && digest != now.digest:
			found[npi] = Changed
		case now.ended && !now.listed && there:
			found[npi] = Ended
		}
	}
	if rosterType == Full {
		for npi := range last {
			if _, named := providers[npi]; !named {
				found[npi] = Ended
			}
		}
	}
	return found
}

// FindGroup finds the provider group of an upload. It must belong to a source of the actor's group.
func (s *Service) FindGroup(ctx context.Context, a access.Actor, u Upload) (SourceGroup, error) {
	if err := a.CheckName(u.UserName); err != nil {
		return SourceGroup{}, err
	}
	if u.RosterType != Full && u.RosterType != Delta {
		return SourceGroup{}, problem.WithMessage(problem.Invalid, "Choose the Roster Update Type.")
	}
	if a.Acting().GroupID == 0 {
		return SourceGroup{}, problem.WithMessage(problem.Conflict, "Your account isn't in a roster group.")
	}
	if u.GroupID == "" {
		return SourceGroup{}, problem.WithMessage(problem.Invalid, "Error: Select Provider Group")
	}
	list, err := findSourceGroups(ctx, s.db.Reader, a.Acting().GroupID, u.SourceID, u.GroupID)
	switch {
	case err != nil:
		return SourceGroup{}, err
	case len(list) == 0:
		return SourceGroup{}, errNoGroup()
	case len(list) > 1:
		return SourceGroup{}, problem.WithMessage(problem.Conflict, "Two provider groups of this source have the same ID. Contact support.")
	}
	return list[0], nil
}

func errNoGroup() error {
	return problem.WithMessage(problem.Invalid, "Your roster group no longer has this provider group. Select another one.")
}

// requireConfirmation requires confirmation for a full roster that terminates many providers, and
// more than the sender confirmed.
func requireConfirmation(c Comparison, confirmed int) error {
	if !c.MustConfirm || c.End <= confirmed {
		return nil
	}
	e := problem.WithMessage(problem.Conflict, fmt.Sprintf("This roster would terminate %d of %d providers. Confirm to continue.", c.End,
		c.Before))
	e.Code = "ROSTER_ENDS_MANY"
	number := strconv.Itoa(c.End)
	e.Fields = []problem.Field{{Path: "confirmed", Code: e.Code, Message: "Send " + number + " to confirm.", Value: &number}}
	return e
}

// Send stores the files of a roster: all of them or none.
func (s *Service) Send(ctx context.Context, a access.Actor, u Upload, files []*File) (int64, error) {
	group, err := s.FindGroup(ctx, a, u)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, problem.WithMessage(problem.Invalid, "Error: Please select at least one file to upload")
	}
	if err := s.Check(ctx, files, u.RosterType, nil); err != nil {
		return 0, err
	}
	if u.RosterType == Full && u.Confirmed < confirmedAny { // before anything is stored
		c, err := s.Compare(ctx, group, files)
		if err == nil && c != nil {
			err = requireConfirmation(*c, u.Confirmed)
		}
		if err != nil {
			return 0, err
		}
	}
	if err := s.checkStorage(ctx, a, files); err != nil {
		return 0, err
	}
	id, err := insertUpload(ctx, s.db.Writer, UploadLog{
		GroupID: a.Acting().GroupID, SourceID: group.SourceID, SourceGroupID: group.SourceGroupID, UpdateType: u.RosterType,
		UploadedAt: db.At(s.now()), UploadedBy: a.Acting().UserName,
	})
	if err != nil {
		return 0, err
	}
	if err := s.store(ctx, a, id, group, u, files); err != nil {
		// The stored files are useless now. If they can't be deleted, the cleanup deletes them
		// later.
		return 0, errors.Join(err, s.deleteUpload(context.WithoutCancel(ctx), id))
	}
	return id, nil
}

// stored is the number and size of a group's stored files.
type stored struct{ Files, Bytes int64 }

// checkStorage rejects files that exceed the group's storage limit.
func (s *Service) checkStorage(ctx context.Context, a access.Actor, files []*File) error {
	has, err := storedBy(ctx, s.db.Reader, a.Acting().GroupID)
	if err != nil {
		return err
	}
	bytes := has.Bytes
	for _, f := range files {
		bytes += f.Size
	}
	if has.Files+int64(len(files)) <= int64(s.settings.GroupFiles) && bytes <= int64(s.settings.GroupMB)<<20 {
		return nil
	}
	return problem.WithMessage(problem.Conflict,
		fmt.Sprintf("Your group has %s with %d MB stored, and these files don't fit. Contact support to have old rosters deleted.",
			text.FormatCount(int(has.Files), "roster file", "roster files"), has.Bytes>>20))
}

// checkUploadLimit enforces the hourly limits on rosters per person and per group.
func (s *Service) checkUploadLimit(a access.Actor) error {
	if person := a.Person.UserName; !s.ofPerson.Allow(person) {
		wait := s.ofPerson.Wait(person)
		return problem.RetryLater(wait, fmt.Sprintf("You can send %d rosters per hour. Try again in %s.", s.settings.RosterUploads,
			problem.FormatWait(wait)))
	}
	if group := strconv.FormatInt(a.Acting().GroupID, 10); !s.ofGroup.Allow(group) {
		wait := s.ofGroup.Wait(group)
		return problem.RetryLater(wait, fmt.Sprintf("Your group can send %d rosters per hour. Try again in %s.", s.settings.GroupUploads,
			problem.FormatWait(wait)))
	}
	return nil
}

// storagePrefix returns the key prefix of an upload's files.
func storagePrefix(id int64) string { return fmt.Sprintf("rosters/%d/", id) }

// storageKey returns the key of an upload's file, counted from 0.
func storageKey(id int64, n int) string { return fmt.Sprint(storagePrefix(id), n+1) }

func (s *Service) store(ctx context.Context, a access.Actor, id int64, group SourceGroup, u Upload, files []*File) error {
	for n, f := range files {
		if err := blob.Upload(ctx, s.files, storageKey(id, n), f.Path); err != nil {
			return err
		}
	}
	providers, whole := combine(files)
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.requireSource(ctx, tx, a.Acting().GroupID, group.SourceID); err != nil {
			return err
		}
		for n, f := range files {
			report := ""
			if f.Report != nil {
				j, err := json.Marshal(f.Report)
				if err != nil {
					return err
				}
				report = string(j)
			}
			if err := insertFile(ctx, tx, id, n, f, report); err != nil {
				return err
			}
		}
		if whole {
			if err := s.storeProviders(ctx, tx, id, group.SourceGroupID, u, providers); err != nil {
				return err
			}
		}
		n, err := finishUpload(ctx, tx, id)
		if err == nil && n == 0 {
			err = errors.New("the upload was cleaned up while it was being stored")
		}
		if err == nil {
			err = s.queueArrival(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: "roster-upload", Subject: fmt.Sprintf("group %d", a.Acting().GroupID), Result: "ok",
			Detail: fmt.Sprintf("roster %d, %s, %s", id, u.RosterType, text.FormatCount(len(files), "file", "files")),
		})
	})
}

// requireSource refuses a roster whose source was removed from the sender's group since the upload began.
func (s *Service) requireSource(ctx context.Context, tx *sql.Tx, groupID, sourceID int64) error {
	if _, err := lockSource(ctx, tx, s.db.Dialect, sourceID); err != nil {
		return err
	}
	has, err := hasSource(ctx, tx, groupID, sourceID)
	if err == nil && !has {
		err = errNoGroup()
	}
	return err
}

// lockSpace identifies the locks on provider groups.
const lockSpace = 7723513

// lockGroup locks a provider group until the transaction ends. The rosters of a provider group are
// compared, stored and used for the directory one after the other.
func (s *Service) lockGroup(ctx context.Context, tx *sql.Tx, sourceGroupID int64) error {
	return s.db.Lock(ctx, tx, lockSpace, int(sourceGroupID&math.MaxInt32))
}

// storeProviders stores the providers in a roster, to compare with the next one, and the changes.
// Another roster of the provider group waits, and is compared with this one. The confirmation is
// checked again, because another roster can have been stored since the first comparison.
func (s *Service) storeProviders(
	ctx context.Context, tx *sql.Tx, uploadID, sourceGroupID int64, u Upload, providers map[string]tally,
) error {
	if err := s.lockGroup(ctx, tx, sourceGroupID); err != nil {
		return err
	}
	last, err := listProviders(ctx, tx, sourceGroupID)
	if err != nil {
		return err
	}
	changed := compare(last, u.RosterType, providers)
	if u.RosterType == Full {
		if err := requireConfirmation(s.newComparison(len(last), changed), u.Confirmed); err != nil {
			return err
		}
	}
	var ended []string
	listed := map[string]int64{}
	for npi, change := range changed {
		if change == Ended {
			ended = append(ended, npi)
		} else {
			listed[npi] = providers[npi].digest
		}
	}
	if err := deleteProviders(ctx, tx, sourceGroupID, ended); err != nil {
		return err
	}
	if err := putProviders(ctx, tx, sourceGroupID, listed); err != nil {
		return err
	}
	if err := noteChanges(ctx, tx, uploadID, len(last), changed); err != nil || len(last) == 0 {
		return err // a group's first roster would count every provider as changed
	}
	return putChanges(ctx, tx, uploadID, changed)
}

func (s *Service) deleteUpload(ctx context.Context, id int64) error {
	if err := s.removeAll(ctx, storagePrefix(id)); err != nil {
		return err
	}
	return deleteUpload(ctx, s.db.Writer, id)
}

func (s *Service) removeAll(ctx context.Context, prefix string) error {
	for file, err := range s.files.List(ctx, prefix) {
		if err == nil {
			err = s.files.Delete(ctx, file.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Uploads lists the rosters of a group, newest first, up to 500. It includes those that others
// sent for its sources.
func (s *Service) Uploads(ctx context.Context, a access.Actor, groupID int64) ([]UploadLog, error) {
	if err := checkVisible(a, groupID); err != nil {
		return nil, err
	}
	return listUploads(ctx, s.db.Reader, groupID, maxUploads)
}

const maxUploads = 500

// UploadPage returns a page of a group's rosters, and the total.
func (s *Service) UploadPage(ctx context.Context, a access.Actor, groupID int64, t paging.Table) ([]UploadLog, int, error) {
	if err := checkVisible(a, groupID); err != nil {
		return nil, 0, err
	}
	return uploadPage(ctx, s.db.Reader, s.db.Dialect, groupID, t)
}

// Open returns a stored roster file that the actor can see.
func (s *Service) Open(ctx context.Context, a access.Actor, uploadID int64, number int) (UploadFile, *blob.File, error) {
	f, err := s.findSent(ctx, a, uploadID, number)
	if err == nil {
		err = s.auditOpening(ctx, f)
	}
	if err != nil {
		return f, nil, err
	}
	r, err := s.files.Open(ctx, f.StorageKey)
	return f, r, err
}

// findSent finds a file in the history of a group that the actor can see.
func (s *Service) findSent(ctx context.Context, a access.Actor, uploadID int64, number int) (UploadFile, error) {
	f, err := getFile(ctx, s.db.Reader, uploadID, number)
	if errors.Is(err, db.ErrNotFound) {
		return f, problem.New(problem.NotFound)
	}
	if err != nil || checkVisible(a, f.GroupID) == nil {
		return f, err
	}
	has, err := hasSource(ctx, s.db.Reader, a.Acting().GroupID, f.SourceID)
	if err == nil && !has {
		err = problem.New(problem.NotFound)
	}
	return f, err
}

func (s *Service) auditOpening(ctx context.Context, f UploadFile) error {
	return s.audit.RecordNow(ctx, audit.Entry{
		Operation: "roster-open", Subject: fmt.Sprintf("group %d", f.GroupID), Result: "ok",
		Detail: fmt.Sprintf("roster %d, file %d", f.UploadID, f.Number),
	})
}

// checkedFor is how long a checked file is kept for its corrected copy. keptRosters limits a
// person's checked files to those of this many full rosters.
const (
	checkedFor  = time.Hour
	keptRosters = 2
)

// StoreChecked keeps the checked files that could be read and returns their ids. An id is empty
// if there is nothing to correct.
func (s *Service) StoreChecked(ctx context.Context, a access.Actor, rosterType string, files []*File) (ids []string, err error) {
	ids = make([]string, len(files))
	for i, f := range files {
		if f.Report == nil || f.Report.Unreadable != "" || f.Report.Found == 0 {
			continue
		}
		id := rand.Text()
		key := "roster-checks/" + id
		if err := blob.Upload(ctx, s.files, key, f.Path); err != nil {
			return nil, err
		}
		check := Checked{ID: id, UserID: a.Acting().ID, Name: f.Name, UpdateType: rosterType, StorageKey: key}
		if check.Layout, err = f.Report.choice().encode(); err != nil {
			return nil, err
		}
		if err := insertCheck(ctx, s.db.Writer, check, db.At(s.now())); err != nil {
			return nil, err
		}
		ids[i] = id
	}
	before, err := checksBeyond(ctx, s.db.Reader, a.Acting().ID, keptRosters*s.settings.RosterFiles)
	if err != nil {
		return nil, err
	}
	return ids, s.deleteChecks(ctx, before)
}

func (s *Service) deleteChecks(ctx context.Context, list []Checked) (err error) {
	for _, c := range list {
		if failed := s.files.Delete(ctx, c.StorageKey); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		err = errors.Join(err, deleteCheck(ctx, s.db.Writer, c.ID))
	}
	return err
}

// CorrectChecked writes the corrected copy of a file that the actor checked.
func (s *Service) CorrectChecked(
	ctx context.Context, a access.Actor, id string,
) (name string, write func(context.Context, io.Writer) error, err error) {
	c, err := checkByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && c.UserID != a.Acting().ID {
		return "", nil, problem.WithMessage(problem.NotFound, "This check has expired. Check the file again.")
	}
	if err != nil {
		return "", nil, err
	}
	chosen, err := decodeLayout(c.Layout)
	if err != nil {
		return "", nil, err
	}
	return s.writeCorrected(ctx, c.Name, c.StorageKey, c.UpdateType, chosen)
}

// CorrectSent writes the corrected copy of a sent roster file.
func (s *Service) CorrectSent(
	ctx context.Context, a access.Actor, uploadID int64, number int,
) (name string, write func(context.Context, io.Writer) error, err error) {
	f, err := s.findSent(ctx, a, uploadID, number)
	if err == nil && f.Report == "" {
		err = problem.New(problem.NotFound)
	}
	if err == nil {
		err = s.auditOpening(ctx, f)
	}
	if err != nil {
		return "", nil, err
	}
	return s.writeCorrected(ctx, f.Name, f.StorageKey, f.UpdateType, readReport(f).choice())
}

func (s *Service) writeCorrected(
	ctx context.Context, name, key, updateType string, chosen *Layout,
) (string, func(context.Context, io.Writer) error, error) {
	dir, err := os.MkdirTemp("", "wcpp-roster")
	if err != nil {
		return "", nil, err
	}
	file := filepath.Join(dir, "0")
	if _, err := blob.Download(ctx, s.files, key, file); err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	format := spreadsheet.GetFormat(name)
	ending := "." + string(format)
	return strings.TrimSuffix(name, path.Ext(name)) + " - errors" + ending, func(ctx context.Context, out io.Writer) error {
		defer os.RemoveAll(dir)
		return correct(ctx, file, format, updateType == Delta, chosen, out)
	}, nil
}

// abandoned is the age when an unfinished upload counts as interrupted.
const abandoned = time.Hour

// removeOld deletes old rosters, files before rows, so that an interrupted run can be resumed.
// Rosters not yet processed by the network stay.
func (s *Service) removeOld(ctx context.Context) error {
	if s.settings.RosterKeepDays == 0 {
		return nil
	}
	old, err := uploadsBefore(ctx, s.db.Reader, db.At(s.now().AddDate(0, 0, -s.settings.RosterKeepDays)))
	for _, id := range old {
		failed := s.removeAll(ctx, storagePrefix(id))
		if failed == nil {
			failed = s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return removeChanges(ctx, tx, id) })
		}
		if failed == nil {
			failed = s.db.Tx(ctx, func(tx *sql.Tx) error { return removeUpload(ctx, tx, id) })
		}
		err = errors.Join(err, failed)
	}
	return err
}

// Cleanup deletes interrupted uploads, expired checks and old rosters. It is safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	broken, err := brokenUploads(ctx, s.db.Reader, db.At(s.now().Add(-abandoned)))
	for _, id := range broken {
		err = errors.Join(err, s.deleteUpload(ctx, id))
	}
	over, failed := oldChecks(ctx, s.db.Reader, db.At(s.now().Add(-checkedFor)))
	return errors.Join(err, failed, s.deleteChecks(ctx, over), s.removeOld(ctx))
}

func isZIP(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [4]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && string(head[:]) == "PK\x03\x04"
}
