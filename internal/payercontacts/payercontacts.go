// Package payercontacts owns how to reach payers: what network staff enter, and which contact a
// bill's page shows.
package payercontacts

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Maximum lengths of an entry's texts.
const (
	MaxPayerID   = 40
	MaxPayerName = 60
	MaxExtension = 10
	MaxHours     = 80
	MaxReady     = 200
)

// Entry is how to reach a payer, as staff entered it.
type Entry struct {
	PayerID   string
	Name      string
	Phone     string // digits
	Extension string // digits
	Hours     string
	Ready     string // what to have ready for a call
	Version   int64  // increases with each change
	UpdatedAt db.Instant
	UpdatedBy string
}

func (e Entry) key() string { return text.Key(e.PayerID) }

// Sources of a contact.
const (
	Staff      = "staff"
	Remittance = "remittance"
	ClientList = "clients"
)

// Query is the payer of a bill. FTIN is a TIN in the reader's scope: a contact in an 835 comes from those
// of this TIN.
type Query struct {
	FTIN, PayerID, PayerName string
	State                    string // of jurisdiction
	LineOfBusiness           string // WC or AUTO; empty if unknown
}

// Contact is how to reach a payer, and from where that is known.
type Contact struct {
	Payer     string
	Phone     string // digits
	Extension string
	Web       string
	Address   string
	Hours     string
	Ready     string
	Source    string
	On        date.Date // empty for the client list
	Possibly  bool      // only the name matches, or several clients share the payer ID
}

// Remittances finds the contact in the latest 835 of a payer to a TIN.
type Remittances interface {
	FindContact(ctx context.Context, ftin, payerID string) (Contact, bool, error)
}

// Clients finds the billing contact in the client list, by payer ID or by name.
type Clients interface {
	FindContact(ctx context.Context, q Query) (Contact, bool, error)
	FindContactByName(ctx context.Context, q Query) (Contact, bool, error)
}

// Service finds and manages contacts.
type Service struct {
	db          *db.DB
	remittances Remittances
	clients     Clients
	audit       *audit.Log
	now         func() time.Time
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Remittances Remittances
	Clients     Clients
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, remittances: d.Remittances, clients: d.Clients, audit: d.Audit, now: d.LocalTime}
}

// Find returns the contact for a bill's payer: the staff's entry unless a later 835 has a contact, then that
// of the 835, then that of the client list. Without a match by ID, it returns one by name, as a possible one.
func (s *Service) Find(ctx context.Context, q Query) (Contact, bool, error) {
	if q.PayerID != "" {
		if c, found, err := s.findByID(ctx, q); found || err != nil {
			return c, found, err
		}
	}
	if q.PayerName == "" {
		return Contact{}, false, nil
	}
	e, err := getByName(ctx, s.db.Reader, text.Key(q.PayerName))
	if err == nil {
		c := s.contact(e)
		c.Possibly = true
		return c, true, nil
	}
	if !errors.Is(err, db.ErrNotFound) {
		return Contact{}, false, err
	}
	c, found, err := s.clients.FindContactByName(ctx, q)
	c.Source, c.Possibly = ClientList, true
	return c, found, err
}

func (s *Service) findByID(ctx context.Context, q Query) (Contact, bool, error) {
	e, err := get(ctx, s.db.Reader, text.Key(q.PayerID))
	entered := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return Contact{}, false, err
	}
	c, found, err := s.remittances.FindContact(ctx, q.FTIN, q.PayerID)
	if err != nil {
		return Contact{}, false, err
	}
	mine := s.contact(e)
	switch {
	case entered && (!found || mine.On >= c.On):
		return mine, true, nil
	case found:
		// Only staff know the hours and what to have ready.
		c.Source, c.Hours, c.Ready = Remittance, e.Hours, e.Ready
		return c, true, nil
	}
	c, found, err = s.clients.FindContact(ctx, q)
	c.Source = ClientList
	return c, found, err
}

func (s *Service) contact(e Entry) Contact {
	return Contact{Payer: e.Name, Phone: e.Phone, Extension: e.Extension, Hours: e.Hours, Ready: e.Ready, Source: Staff,
		On: date.Of(e.UpdatedAt.In(s.now().Location()))}
}

// List lists the entries by payer name.
func (s *Service) List(ctx context.Context) ([]Entry, error) { return all(ctx, s.db.Reader) }

// lockSpace identifies the lock that serializes changes of entries.
const lockSpace = 7723570

// Save replaces the version of an entry that e names (0 if there is none). Saving it unchanged confirms it
// as of today.
func (s *Service) Save(ctx context.Context, a access.Actor, e Entry) (Entry, error) {
	e = e.clean()
	if err := e.check(); err != nil {
		return Entry{}, err
	}
	err := s.change(ctx, e, func(tx *sql.Tx, old Entry) error {
		if old.Version != e.Version {
			if err := checkVersion(old, e); err != nil {
				return err
			}
			e = old // the same change was already stored, and its response was lost
			return nil
		}
		e.Version, e.UpdatedAt, e.UpdatedBy = old.Version+1, db.At(s.now()), a.Person.UserName
		if old.Version == 0 {
			e.Version = s.now().UnixMicro() // an entry that was deleted had another one
		}
		return errors.Join(put(ctx, tx, e), s.record(ctx, tx, a, "payer-contact-save", old, e))
	})
	return e, err
}

// Delete deletes the version of an entry.
func (s *Service) Delete(ctx context.Context, a access.Actor, payerID string, of int64) error {
	return s.change(ctx, Entry{PayerID: payerID}, func(tx *sql.Tx, old Entry) error {
		switch old.Version {
		case 0:
			return problem.New(problem.NotFound)
		case of:
			return errors.Join(remove(ctx, tx, old), s.record(ctx, tx, a, "payer-contact-delete", old, Entry{}))
		}
		return problem.WithMessage(problem.Conflict, "Someone else changed this contact. Reload the page, then try again.")
	})
}

// change runs a change of an entry, which is locked. It's the zero entry if there is none.
func (s *Service) change(ctx context.Context, e Entry, do func(tx *sql.Tx, old Entry) error) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, lockSpace, 1); err != nil {
			return err
		}
		old, err := get(ctx, tx, e.key())
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		return do(tx, old)
	})
}

// checkVersion rejects a change based on an outdated version. It accepts one that is identical to the stored
// entry.
func checkVersion(theirs, mine Entry) error {
	if theirs.Version == 0 { // deleted
		return problem.New(problem.Conflict)
	}
	is, err := version.ListFields(toEdit(theirs), "version")
	if err != nil {
		return err
	}
	wanted, err := version.ListFields(toEdit(mine), "version")
	if err != nil {
		return err
	}
	return version.CheckAs(strconv.FormatInt(mine.Version, 10), strconv.FormatInt(theirs.Version, 10), is, wanted)
}

// record audits a change with the entry before and after it.
func (s *Service) record(ctx context.Context, tx *sql.Tx, a access.Actor, operation audit.Operation, old, now Entry) error {
	var changed struct {
		Old *PayerContactEdit `json:"old"`
		New *PayerContactEdit `json:"new"`
	}
	if old.Version > 0 {
		before := toEdit(old)
		changed.Old = &before
	}
	if now.Version > 0 {
		after := toEdit(now)
		changed.New = &after
	}
	detail, err := json.Marshal(changed)
	if err != nil {
		return err
	}
	subject := cmp.Or(now.PayerID, old.PayerID)
	return s.audit.Record(ctx, tx, audit.Entry{Actor: a.Person.UserName, Operation: operation, Subject: subject, About: []string{subject},
		Result: "ok", Detail: string(detail)})
}

// clean normalizes the entry for storage.
func (e Entry) clean() Entry {
	e.PayerID = strings.ToUpper(text.Clean(e.PayerID))
	e.Phone = text.Phone(e.Phone)
	for _, field := range []*string{&e.Name, &e.Extension, &e.Hours, &e.Ready} {
		*field = text.Clean(*field)
	}
	return e
}

// check validates an entry on its own.
func (e Entry) check() error {
	var wrong validate.Fields
	wrong.Require(e.PayerID != "", "payerId", "Enter the payer ID")
	wrong.Limit(e.PayerID, MaxPayerID, "payerId")
	wrong.Require(e.Name != "", "name", "Enter the payer's name")
	wrong.Limit(e.Name, MaxPayerName, "name")
	wrong.Require(validate.Phone(e.Phone), "phone", "Enter a phone number of 10 to 15 digits")
	wrong.Require(e.Extension == "" || validate.Digits(e.Extension, 1, MaxExtension), "extension", "Enter up to 10 digits")
	wrong.Limit(e.Hours, MaxHours, "hours")
	wrong.Limit(e.Ready, MaxReady, "ready")
	return wrong.Refuse(validate.MarkedFields)
}
