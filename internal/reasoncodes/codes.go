// Package reasoncodes owns the reasons in plain words: what the codes mean by which
// payers tell why they paid as they did, and what an office can do about it.
package reasoncodes

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	_ "embed" // of the sentences
	"encoding/csv"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Lists are those that codes stand in: groups of adjustments, reasons of
// adjustments, remarks, adjustments of whole payments, statuses of claims, reasons
// why the network set no price, and codes of a jurisdiction's or payer's own.
var Lists = []string{"CAGC", "CARC", "RARC", "PLB", "CLP02", "HCP13", "LOCAL"}

// Statuses of codes. One that ended keeps its text for the bills that carry it.
const (
	Active = "ACTIVE"
	Ended  = "ENDED"
)

// The most characters of a code, and of its texts.
const (
	MostCode     = 10
	MostTitle    = 160
	MostText     = 400
	MostOfficial = 1000
)

// Reason is what is told of one code. An empty text is told by what lies below:
// the text for all jurisdictions, then the sentence that the portal brings.
type Reason struct {
	List         string
	Code         string
	Jurisdiction string // code of a state; empty: for all
	Title        string // one sentence
	Plain        string // more of it
	Advice       string // what to do
	Official     string // the text of the list's owner, where the network has a licence
	Status       string
	Effective    date.Date
	Ended        date.Date
	Version      int64 // counts the network's changes; 0: the portal's own
	UpdatedAt    db.Instant
	UpdatedBy    string
}

type key struct{ list, code, jurisdiction string }

func (r Reason) key() key { return key{r.List, r.Code, r.Jurisdiction} }

// over is the reason with the texts that it lacks taken from one below.
func (r Reason) over(below Reason) Reason {
	r.Title, r.Plain = cmp.Or(r.Title, below.Title), cmp.Or(r.Plain, below.Plain)
	r.Advice, r.Official = cmp.Or(r.Advice, below.Advice), cmp.Or(r.Official, below.Official)
	return r
}

// sentences are the portal's own, in words of its own: official texts are their
// owners', and no part of it.
//
//go:embed sentences.csv
var sentences []byte

// shipped reads the portal's own sentences.
func shipped() (map[key]Reason, error) {
	rows, err := csv.NewReader(bytes.NewReader(sentences)).ReadAll()
	if err != nil {
		return nil, err
	}
	list := make(map[key]Reason, len(rows))
	for _, row := range rows[1:] {
		r := Reason{List: row[0], Code: row[1], Title: row[2], Plain: row[3], Advice: row[4], Status: Active}
		list[r.key()] = r
	}
	return list, nil
}

// Service tells what codes mean, and keeps the network's texts.
type Service struct {
	db       *db.DB
	payments Payments
	audit    *audit.Log
	now      func() time.Time
	own      map[key]Reason // the portal's sentences
}

// NewService makes the service. Now tells the time where the business is.
func NewService(d *db.DB, payments Payments, log *audit.Log, now func() time.Time) (*Service, error) {
	own, err := shipped()
	return &Service{db: d, payments: payments, audit: log, now: now, own: own}, err
}

// All lists what is told of codes, those of one list where it is named, in the
// order of lists and codes: the network's texts over the portal's.
func (s *Service) All(ctx context.Context, list string) ([]Reason, error) {
	stored, err := all(ctx, s.db.Reader)
	if err != nil {
		return nil, err
	}
	reasons := s.merged(stored)
	if list != "" {
		reasons = slices.DeleteFunc(reasons, func(r Reason) bool { return r.List != list })
	}
	return reasons, nil
}

// merged puts the network's rows, those for all jurisdictions first, over the
// portal's sentences.
func (s *Service) merged(stored []Reason) []Reason {
	merged := maps.Clone(s.own)
	for _, r := range stored {
		merged[r.key()] = r.over(merged[key{r.List, r.Code, ""}])
	}
	return slices.SortedFunc(maps.Values(merged), inOrder)
}

// inOrder sorts as people look for codes: 4 before 16, 16 before A1, P2 before P12.
func inOrder(a, b Reason) int {
	return cmp.Or(
		cmp.Compare(slices.Index(Lists, a.List), slices.Index(Lists, b.List)),
		compareCodes(a.Code, b.Code), cmp.Compare(a.Jurisdiction, b.Jurisdiction))
}

func compareCodes(a, b string) int {
	letters := func(s string) (string, int) {
		rest := strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		n, _ := strconv.Atoi(rest)
		return s[:len(s)-len(rest)], n
	}
	lettersA, numberA := letters(a)
	lettersB, numberB := letters(b)
	return cmp.Or(cmp.Compare(lettersA, lettersB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
}

// Unexplained tells which of some codes have no explanation, for any jurisdiction.
func (s *Service) Unexplained(ctx context.Context, q db.Queryer, list []Code) (map[Code]bool, error) {
	unexplained, keys := map[Code]bool{}, [][]any(nil)
	for _, c := range list {
		if !unexplained[c] && !s.own[key{c.List, c.Code, ""}].Explained() {
			unexplained[c], keys = true, append(keys, []any{c.List, c.Code})
		}
	}
	stored, err := among(ctx, q, keys)
	for _, r := range stored {
		if r.Explained() {
			delete(unexplained, Code{r.List, r.Code})
		}
	}
	return unexplained, err
}

// Listed is what is told of a code and how many bills carry it: to the staff.
type Listed struct {
	Reason
	Bills    int64
	LastSeen date.Date
}

// Explained tells whether there is any explanation.
func (r Reason) Explained() bool { return r.Title != "" || r.Official != "" }

// Desk lists all codes, those that the network has no explanation for first, then
// those that most bills carry; with when they were counted.
func (s *Service) Desk(ctx context.Context) ([]Listed, Counts, error) {
	stored, err := all(ctx, s.db.Reader)
	if err != nil {
		return nil, Counts{}, err
	}
	counts, err := s.counted(ctx)
	if err != nil {
		return nil, Counts{}, err
	}
	list := map[key]Listed{}
	for _, r := range s.merged(stored) {
		list[r.key()] = Listed{Reason: r}
	}
	for _, c := range counts.List {
		k := key{c.List, c.Code, ""}
		r, known := list[k]
		if !known {
			r.Reason = Reason{List: c.List, Code: c.Code, Status: Active}
		}
		r.Bills, r.LastSeen = c.Bills, c.LastSeen
		list[k] = r
	}
	return slices.SortedFunc(maps.Values(list), func(a, b Listed) int {
		if a.Explained() != b.Explained() {
			if b.Explained() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Bills, a.Bills), inOrder(a.Reason, b.Reason))
	}), counts, nil
}

// lockSpace is that of the lock which whoever changes texts holds.
const lockSpace = 7723505

// Save stores the network's text of a code in place of the version that r names, 0
// where there is none, and answers it as it is told then. What is told below
// already is not stored again, so that it can still change there.
func (s *Service) Save(ctx context.Context, a access.Actor, r Reason) (Reason, error) {
	r = r.clean()
	if err := r.check(); err != nil {
		return Reason{}, err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		t, err := s.texts(ctx, tx)
		if err != nil {
			return err
		}
		old := t.stored[r.key()]
		if old.Version != r.Version {
			theirs := old.over(t.below(r.key()))
			if err := stale(theirs, r); err != nil {
				return err
			}
			r = theirs // the same change was stored before, and its response got lost
			return nil
		}
		below := t.below(r.key())
		next := r.without(below)
		if !next.over(below).Explained() {
			return validate.RefuseField(validate.MarkedFields, "title", "Enter the meaning of the code, in one sentence")
		}
		if r.Jurisdiction != "" && r.Version == 0 && next.wording() == (wording{Status: Active}) {
			return validate.RefuseField(validate.MarkedFields, "title", "Enter a text that differs from the one for all states")
		}
		if _, err := t.change(ctx, tx, a.Person.UserName, next); err != nil {
			return err
		}
		r = t.stored[next.key()].over(below)
		return nil
	})
	return r, err
}

// stale refuses a text that would replace another version than its form has read. It
// passes if both are the same.
func stale(theirs, mine Reason) error {
	is, err := version.FieldsOf(wordingOf(theirs), "version")
	if err != nil {
		return err
	}
	wanted, err := version.FieldsOf(wordingOf(mine), "version")
	if err != nil {
		return err
	}
	return version.CheckAs(strconv.FormatInt(mine.Version, 10), strconv.FormatInt(theirs.Version, 10), is, wanted)
}

// without is the reason without the texts that lie below.
func (r Reason) without(below Reason) Reason {
	for _, field := range []struct{ text, below *string }{
		{&r.Title, &below.Title}, {&r.Plain, &below.Plain}, {&r.Advice, &below.Advice}, {&r.Official, &below.Official},
	} {
		if *field.text == *field.below {
			*field.text = ""
		}
	}
	return r
}

// clean is the reason as it is stored.
func (r Reason) clean() Reason {
	r.Code = strings.ToUpper(text.Clean(r.Code))
	for _, field := range []*string{&r.Title, &r.Plain, &r.Advice, &r.Official} {
		*field = text.Clean(*field)
	}
	return r
}

// codeForm is how codes are written: as parts of addresses and of tables.
var codeForm = regexp.MustCompile(`^[A-Z0-9][A-Z0-9_-]*$`)

// check finds what is wrong with a reason by itself.
func (r Reason) check() error {
	var wrong validate.Fields
	wrong.Require(slices.Contains(Lists, r.List), "list", "Select one of "+strings.Join(Lists, ", "))
	if wrong.Limit(r.Code, MostCode, "code") {
		wrong.Require(codeForm.MatchString(r.Code), "code", "Enter letters and digits")
	}
	wrong.Require(r.Jurisdiction == "" || identifiers.IsState(r.Jurisdiction), "jurisdiction", "Select a state")
	wrong.Limit(r.Title, MostTitle, "title")
	wrong.Limit(r.Plain, MostText, "plain")
	wrong.Limit(r.Advice, MostText, "advice")
	wrong.Limit(r.Official, MostOfficial, "official")
	wrong.Require(r.Status == Active || r.Status == Ended, "status", "Select ACTIVE or ENDED")
	wrong.Require(r.Effective == "" || r.Effective >= date.Earliest, "effective", "Enter a date in 1900 or later")
	wrong.Require(r.Ended == "" || r.Ended >= max(r.Effective, date.Earliest), "ended", "End date must be on or after the start date")
	return wrong.Refuse(validate.MarkedFields)
}

// texts are all texts of the network, locked until the transaction ends.
type texts struct {
	*Service
	stored map[key]Reason
}

func (s *Service) texts(ctx context.Context, tx *sql.Tx) (*texts, error) {
	if err := s.db.Lock(ctx, tx, lockSpace, 1); err != nil {
		return nil, err
	}
	list, err := all(ctx, tx)
	t := &texts{s, make(map[key]Reason, len(list))}
	for _, r := range list {
		t.stored[r.key()] = r
	}
	return t, err
}

// below is what is told where the row of a key tells nothing.
func (t *texts) below(k key) Reason {
	own := t.own[key{k.list, k.code, ""}]
	if k.jurisdiction == "" {
		return own
	}
	return t.stored[key{k.list, k.code, ""}].over(own)
}

// operation is what the audit log calls a change of a text.
const operation = "reason-code-change"

// wording is what a version of a text told, as the audit log keeps it.
type wording struct {
	Title     string    `json:"title"`
	Plain     string    `json:"plain"`
	Advice    string    `json:"advice"`
	Official  string    `json:"official"`
	Status    string    `json:"status"`
	Effective date.Date `json:"effective,omitempty"`
	Ended     date.Date `json:"ended,omitempty"`
}

func (r Reason) wording() wording {
	return wording{r.Title, r.Plain, r.Advice, r.Official, r.Status, r.Effective, r.Ended}
}

// rewording is one change of a text.
type rewording struct {
	Old wording `json:"old"`
	New wording `json:"new"`
}

// subject is how the audit log names a text.
func (k key) subject() string { return strings.TrimSpace(k.list + " " + k.code + " " + k.jurisdiction) }

// change stores a text of the network, unless that changes nothing. The one before
// stays readable in the audit log.
func (t *texts) change(ctx context.Context, tx *sql.Tx, by string, next Reason) (changed bool, err error) {
	old, known := t.stored[next.key()]
	if !known {
		old.Status = Active
	}
	if old.wording() == next.wording() {
		return false, nil
	}
	next.Version, next.UpdatedAt, next.UpdatedBy = old.Version+1, db.At(t.now()), by
	detail, err := json.Marshal(rewording{old.wording(), next.wording()})
	if err != nil {
		return false, err
	}
	t.stored[next.key()] = next
	subject := next.key().subject()
	return true, errors.Join(put(ctx, tx, next),
		t.audit.Record(ctx, tx, audit.Entry{Actor: by, Operation: operation, Subject: subject, About: []string{subject}, Result: "ok", Detail: string(detail)}))
}

// Earlier is what the network's text told until somebody changed it.
type Earlier struct {
	Reason
	Until db.Instant
	By    string
}

// mostEarlier is how many versions are shown.
const mostEarlier = 20

// Earlier lists the versions of a text before the one in force, the latest first. The
// audit log has all of them, for as long as it is kept.
func (s *Service) Earlier(ctx context.Context, list, code, jurisdiction string) ([]Earlier, error) {
	k := key{list, code, jurisdiction}
	entries, err := s.audit.About(ctx, k.subject(), []string{operation}, mostEarlier)
	if err != nil {
		return nil, err
	}
	versions := make([]Earlier, len(entries))
	for i, e := range entries {
		var changed rewording
		if err := json.Unmarshal([]byte(e.Detail), &changed); err != nil {
			return nil, err
		}
		w := changed.Old
		versions[i] = Earlier{Reason{
			List: list, Code: code, Jurisdiction: jurisdiction, Title: w.Title, Plain: w.Plain, Advice: w.Advice, Official: w.Official,
			Status: w.Status, Effective: w.Effective, Ended: w.Ended,
		}, e.At, e.Actor}
	}
	return versions, nil
}
