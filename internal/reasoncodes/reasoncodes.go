// Package reasoncodes owns the plain-language explanations of reason codes: why a payer paid an
// amount, and what an office can do about it.
package reasoncodes

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	_ "embed" // for the built-in texts
	"encoding/csv"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Lists are the code lists: claim adjustment group codes (CAGC), claim adjustment reason codes
// (CARC), remittance advice remark codes (RARC), provider-level adjustment codes (PLB), claim
// status codes (CLP02), repricing rejection codes (HCP13), and codes of a jurisdiction or payer
// (LOCAL).
var Lists = []string{"CAGC", "CARC", "RARC", "PLB", "CLP02", "HCP13", "LOCAL"}

// Code statuses. An ended code retains its text for bills that have it.
const (
	Active = "ACTIVE"
	Ended  = "ENDED"
)

// Maximum lengths of a code and its texts.
const (
	MaxCode     = 10
	MaxTitle    = 160
	MaxText     = 400
	MaxOfficial = 1000
)

// Reason is the explanation of one code. An empty text falls back to the text for all
// jurisdictions, then to the built-in one.
type Reason struct {
	List         string
	Code         string
	Jurisdiction string // state code; empty: all
	Title        string // one sentence
	Plain        string // details
	Advice       string // next steps
	Official     string // the list owner's text, if the network has a license
	Status       string
	Effective    date.Date
	Ended        date.Date
	Version      int64 // number of the network's changes, with the fallback's; 0: built-in
	UpdatedAt    db.Instant
	UpdatedBy    string
}

type key struct{ list, code, jurisdiction string }

func (r Reason) key() key { return key{r.List, r.Code, r.Jurisdiction} }

// withFallback returns the reason with missing texts filled in from a fallback. A change of either
// changes the version.
func (r Reason) withFallback(below Reason) Reason {
	if r.Version > 0 {
		r.Version += below.Version
	}
	r.Title, r.Plain = cmp.Or(r.Title, below.Title), cmp.Or(r.Plain, below.Plain)
	r.Advice, r.Official = cmp.Or(r.Advice, below.Advice), cmp.Or(r.Official, below.Official)
	return r
}

// sentences are the built-in texts. They are our own wording: official texts belong to their
// owners and aren't included.
//
//go:embed sentences.csv
var sentences []byte

// readBuiltIn reads the built-in texts.
func readBuiltIn() (map[key]Reason, error) {
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

// Catalog reports which codes have an explanation. The service that manages the texts is made from
// it.
type Catalog struct {
	own map[key]Reason // built-in texts
}

// NewCatalog creates the catalog.
func NewCatalog() (*Catalog, error) {
	own, err := readBuiltIn()
	return &Catalog{own}, err
}

// FindUnexplained returns the codes without an explanation in any jurisdiction.
func (c *Catalog) FindUnexplained(ctx context.Context, q db.Queryer, list []Code) (map[Code]bool, error) {
	unexplained, keys := map[Code]bool{}, [][]any(nil)
	for _, code := range list {
		if !unexplained[code] && !c.own[key{code.List, code.Code, ""}].IsExplained() {
			unexplained[code], keys = true, append(keys, []any{code.List, code.Code})
		}
	}
	stored, err := among(ctx, q, keys)
	for _, r := range stored {
		if r.IsExplained() {
			delete(unexplained, Code{r.List, r.Code})
		}
	}
	return unexplained, err
}

// Service explains codes and manages the network's texts.
type Service struct {
	db       *db.DB
	payments Payments
	audit    *audit.Log
	now      func() time.Time
	own      map[key]Reason // built-in texts
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Catalog  *Catalog
	Payments Payments
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, payments: d.Payments, audit: d.Audit, now: d.LocalTime, own: d.Catalog.own}
}

// ListAll lists the explanations by list and code, for one list or all of them. The network's texts
// override the built-in ones.
func (s *Service) ListAll(ctx context.Context, list string) ([]Reason, error) {
	stored, err := all(ctx, s.db.Reader)
	if err != nil {
		return nil, err
	}
	reasons := s.merge(stored)
	if list != "" {
		reasons = slices.DeleteFunc(reasons, func(r Reason) bool { return r.List != list })
	}
	return reasons, nil
}

// merge applies the network's rows, those for all jurisdictions first, to the built-in texts.
func (s *Service) merge(stored []Reason) []Reason {
	merged := maps.Clone(s.own)
	for _, r := range stored {
		merged[r.key()] = r.withFallback(merged[key{r.List, r.Code, ""}])
	}
	return slices.SortedFunc(maps.Values(merged), compareReasons)
}

// Explain returns the explanation of one code, in a jurisdiction if it has one there.
func (s *Service) Explain(ctx context.Context, list, code, jurisdiction string) (Reason, error) {
	stored, err := among(ctx, s.db.Reader, [][]any{{list, code}})
	found := s.own[key{list, code, ""}]
	for _, of := range []string{"", jurisdiction} {
		if i := slices.IndexFunc(stored, func(r Reason) bool { return r.Jurisdiction == of }); i >= 0 {
			found = stored[i].withFallback(found)
		}
	}
	return found, err
}

// compareReasons sorts codes naturally: 4 before 16, 16 before A1, P2 before P12.
func compareReasons(a, b Reason) int {
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

// Listed is an explanation and the number of bills with the code, for staff.
type Listed struct {
	Reason
	Bills    int64
	LastSeen date.Date
}

// IsExplained reports whether there is any explanation.
func (r Reason) IsExplained() bool { return r.Title != "" || r.Official != "" }

// Desk lists all codes and the time of the bill counts. Unexplained codes come first, then those
// on the most bills.
func (s *Service) Desk(ctx context.Context) ([]Listed, Counts, error) {
	stored, err := all(ctx, s.db.Reader)
	if err != nil {
		return nil, Counts{}, err
	}
	counts, err := s.loadCounts(ctx)
	if err != nil {
		return nil, Counts{}, err
	}
	list := map[key]Listed{}
	for _, r := range s.merge(stored) {
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
		if a.IsExplained() != b.IsExplained() {
			if b.IsExplained() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Bills, a.Bills), compareReasons(a.Reason, b.Reason))
	}), counts, nil
}

// lockSpace identifies the lock that serializes changes of texts.
const lockSpace = 7723505

// Save replaces the version of the network's text that r names (0 if there is none) and returns
// the resulting text. It doesn't store a text that equals its fallback, so that later changes of
// the fallback still apply.
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
		below := t.fallback(r.key())
		if theirs := t.stored[r.key()].withFallback(below); theirs.Version != r.Version {
			if err := checkVersion(theirs, r); err != nil {
				return err
			}
			r = theirs // the same change was already stored, and its response was lost
			return nil
		}
		next := r.withoutFallback(below)
		if !next.withFallback(below).IsExplained() {
			return validate.RefuseField(validate.MarkedFields, "title", "Enter the meaning of the code, in one sentence")
		}
		if r.Jurisdiction != "" && r.Version == 0 && next.wording() == (wording{Status: Active}) {
			return validate.RefuseField(validate.MarkedFields, "title", "Enter a text that differs from the one for all states")
		}
		if _, err := t.change(ctx, tx, a.Person.UserName, next); err != nil {
			return err
		}
		r = t.stored[next.key()].withFallback(below)
		return nil
	})
	return r, err
}

// checkVersion rejects a change based on an outdated version. It accepts one that is identical to the
// stored text.
func checkVersion(theirs, mine Reason) error {
	is, err := version.ListFields(toWording(theirs), "version")
	if err != nil {
		return err
	}
	wanted, err := version.ListFields(toWording(mine), "version")
	if err != nil {
		return err
	}
	return version.CheckAs(strconv.FormatInt(mine.Version, 10), strconv.FormatInt(theirs.Version, 10), is, wanted)
}

// withoutFallback returns the reason without texts that equal the fallback.
func (r Reason) withoutFallback(below Reason) Reason {
	for _, field := range []struct{ text, below *string }{
		{&r.Title, &below.Title}, {&r.Plain, &below.Plain}, {&r.Advice, &below.Advice}, {&r.Official, &below.Official},
	} {
		if *field.text == *field.below {
			*field.text = ""
		}
	}
	return r
}

// clean normalizes the reason for storage.
func (r Reason) clean() Reason {
	r.Code = strings.ToUpper(text.Clean(r.Code))
	for _, field := range []*string{&r.Title, &r.Plain, &r.Advice, &r.Official} {
		*field = text.Clean(*field)
	}
	return r
}

// codeForm is the format of codes, which appear in URLs and tables.
var codeForm = regexp.MustCompile(`^[A-Z0-9][A-Z0-9_-]*$`)

// check validates a reason on its own.
func (r Reason) check() error {
	var wrong validate.Fields
	wrong.Require(slices.Contains(Lists, r.List), "list", "Select one of "+strings.Join(Lists, ", "))
	if wrong.Limit(r.Code, MaxCode, "code") {
		wrong.Require(codeForm.MatchString(r.Code), "code", "Enter letters and digits")
	}
	wrong.Require(r.Jurisdiction == "" || identifiers.IsState(r.Jurisdiction), "jurisdiction", "Select a state")
	wrong.Limit(r.Title, MaxTitle, "title")
	wrong.Limit(r.Plain, MaxText, "plain")
	wrong.Limit(r.Advice, MaxText, "advice")
	wrong.Limit(r.Official, MaxOfficial, "official")
	wrong.Require(r.Status == Active || r.Status == Ended, "status", "Select ACTIVE or ENDED")
	wrong.Require(r.Effective == "" || r.Effective >= date.Earliest, "effective", "Enter a date in 1900 or later")
	wrong.Require(r.Ended == "" || r.Ended >= max(r.Effective, date.Earliest), "ended", "End date must be on or after the start date")
	return wrong.Refuse(validate.MarkedFields)
}

// texts are all of the network's texts, locked until the transaction ends.
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

// fallback returns the fallback of a key's row.
func (t *texts) fallback(k key) Reason {
	own := t.own[key{k.list, k.code, ""}]
	if k.jurisdiction == "" {
		return own
	}
	return t.stored[key{k.list, k.code, ""}].withFallback(own)
}

// operation is the audit operation for a changed text.
const operation = "reason-code-change"

// wording is a version of a text in the audit log.
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

// rewording is a change of a text.
type rewording struct {
	Old wording `json:"old"`
	New wording `json:"new"`
}

// subject identifies a text in the audit log.
func (k key) subject() string { return strings.TrimSpace(k.list + " " + k.code + " " + k.jurisdiction) }

// change stores a text of the network unless it is unchanged. The audit log contains the
// previous version.
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
		t.audit.Record(ctx, tx, audit.Entry{Actor: by, Operation: operation, Subject: subject, About: []string{subject}, Result: "ok",
			Detail: string(detail)}))
}

// EarlierText is an earlier version of the network's text.
type EarlierText struct {
	Reason
	Until db.Instant
	By    string
}

// maxEarlier is the maximum number of versions shown.
const maxEarlier = 20

// ListEarlier lists the versions of a text before the current one, newest first. The audit log
// contains all of them, within its retention period.
func (s *Service) ListEarlier(ctx context.Context, list, code, jurisdiction string) ([]EarlierText, error) {
	k := key{list, code, jurisdiction}
	entries, err := s.audit.ListAbout(ctx, k.subject(), []string{operation}, maxEarlier)
	if err != nil {
		return nil, err
	}
	versions := make([]EarlierText, len(entries))
	for i, e := range entries {
		var changed rewording
		if err := json.Unmarshal([]byte(e.Detail), &changed); err != nil {
			return nil, err
		}
		w := changed.Old
		versions[i] = EarlierText{Reason{
			List: list, Code: code, Jurisdiction: jurisdiction, Title: w.Title, Plain: w.Plain, Advice: w.Advice, Official: w.Official,
			Status: w.Status, Effective: w.Effective, Ended: w.Ended,
		}, e.At, e.Actor}
	}
	return versions, nil
}
