package tins

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"hash/crc32"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// SharingStatus is what became of a TIN that a group got while others had it. One
// that waits, was refused, taken away or given up is not among the group's TINs,
// and so in nobody's scope.
type SharingStatus string

// The statuses.
const (
	SharingWaiting  SharingStatus = "WAITING"  // for the review
	SharingInUse    SharingStatus = "IN_USE"   // the group has the TIN
	SharingDisputed SharingStatus = "DISPUTED" // the group has it, and an objection is open
	SharingRefused  SharingStatus = "REFUSED"  // by the review
	SharingTaken    SharingStatus = "TAKEN"    // away from the group, after an objection
	SharingEnded    SharingStatus = "ENDED"    // the group gave it up
)

// sharingNames are what screens say of them.
var sharingNames = map[SharingStatus]string{
	SharingWaiting: "Pending review", SharingInUse: "In use", SharingDisputed: "In use, objection open",
	SharingRefused: "Denied", SharingTaken: "Revoked", SharingEnded: "Withdrawn",
}

// undecided are those that wait for a system administrator.
var undecided = []SharingStatus{SharingWaiting, SharingDisputed}

// decided are the rest.
var decided = []SharingStatus{SharingInUse, SharingRefused, SharingTaken, SharingEnded}

// ObjectionState is what became of a holder's objection; empty without one.
type ObjectionState string

// The states.
const (
	ObjectionOpen      ObjectionState = "OPEN"
	ObjectionDismissed ObjectionState = "DISMISSED"
	ObjectionUpheld    ObjectionState = "UPHELD"
)

// objectionNames are what screens say of them.
var objectionNames = map[ObjectionState]string{
	ObjectionOpen: "Pending decision", ObjectionDismissed: "Dismissed", ObjectionUpheld: "Upheld",
}

// Decision is what a system administrator decides about a sharing: to approve or
// refuse what waits for the review; to let the group keep what is objected to,
// or to take it away.
type Decision string

// The decisions.
const (
	Approve  Decision = "approve"
	Refuse   Decision = "refuse"
	Keep     Decision = "keep"
	TakeAway Decision = "take-away"
)

// outcomes are what each decision is about and comes to.
var outcomes = map[Decision]struct {
	from, to  SharingStatus
	objection ObjectionState // of what is open
	letter    mail.Kind      // to the group
}{
	Approve:  {SharingWaiting, SharingInUse, ObjectionDismissed, mailApproved},
	Refuse:   {SharingWaiting, SharingRefused, ObjectionUpheld, mailRefused},
	Keep:     {SharingDisputed, SharingInUse, ObjectionDismissed, mailKept},
	TakeAway: {SharingDisputed, SharingTaken, ObjectionUpheld, mailTaken},
}

// Sharing is a TIN that a group got, or waits for, while other groups had it, as
// system administrators see it.
type Sharing struct {
	ID        string
	FTIN      string `db:"ftin"`
	GroupID   int64
	GroupName string
	StatusCd  SharingStatus
	Named     bool // the holders may learn the group's name
	AddedAt   db.Instant
	AddedBy   string // user name
	// The proof: one of the two, or none from a system administrator.
	BillControlNumber string
	ProviderID        string
	DecidedAt         db.Instant
	DecidedBy         string
	Holders           []Holding `db:"-"`
}

// Holding is a group that had the TIN and was told, with its objection.
type Holding struct {
	SharingID   string
	GroupID     int64
	GroupName   string
	ObjectionCd ObjectionState
	Reason      string
	ObjectedAt  db.Instant
	ObjectedBy  string
}

// Shared is a sharing as one of its holders sees it.
type Shared struct {
	ID          string
	FTIN        string `db:"ftin"`
	AddedAt     db.Instant
	Office      string // the name of the other group; empty unless it may be told
	StatusCd    SharingStatus
	ObjectionCd ObjectionState // of the own group
	Reason      string
}

// Awaited is a TIN that waits for the review before its group has it.
type Awaited struct {
	FTIN    string `db:"ftin"`
	AddedAt db.Instant
	AddedBy string
}

const (
	// anotherOffice acts in the log of the holders.
	anotherOffice = "another office"
	// maxReason is the most characters of an objection.
	maxReason = 400
	// lockSpace is that of the locks on TINs whose holders are looked for.
	lockSpace = 7723504
)

func sharingSubject(id string) string { return "sharing " + id }

// give gives a group a TIN, or keeps it for the review, and tells those who have
// it already. Of two groups that get it at once the later one sees the other.
// What waits already, and is not given by someone who decides, is refused as what
// the group has.
func (s *Service) give(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string, p Proof, decides bool) (waits bool, err error) {
	if err := s.lockTIN(ctx, tx, ftin); err != nil {
		return false, err
	}
	before, err := sharingStatus(ctx, tx, g.ID(), ftin)
	if err != nil {
		return false, err
	}
	holders, err := otherHolders(ctx, tx, ftin, g.ID())
	if err != nil {
		return false, err
	}
	has, err := groupHas(ctx, tx, g.ID(), ftin)
	if err != nil {
		return false, err
	}
	if has || before == SharingWaiting && !decides {
		return false, code(codeExists)
	}
	decidedAgainst := before == SharingRefused || before == SharingTaken
	waits = !decides && (decidedAgainst || len(holders) > 0 && s.settings.TINSharing == "approve")
	now := db.At(s.now())
	if !waits {
		if _, err := insertGroupTIN(ctx, tx, g, ftin, now); err != nil {
			return false, err
		}
	}
	if len(holders) == 0 && before == "" {
		return waits, nil
	}
	id, err := upsertSharing(ctx, tx, rand.Text(), g, ftin, p, now)
	if err == nil {
		err = s.tell(ctx, tx, id, ftin, holders, waits, decidedAgainst)
	}
	if err == nil && !waits {
		err = useSharing(ctx, tx, g.ID(), ftin)
	}
	return waits, err
}

// lockTIN keeps the groups that have a TIN as they are until the transaction ends.
func (s *Service) lockTIN(ctx context.Context, tx *sql.Tx, ftin string) error {
	return s.db.Lock(ctx, tx, lockSpace, int(crc32.ChecksumIEEE([]byte(ftin))>>1))
}

// tell lists the holders of a TIN with its sharing and tells those who do not know
// of it yet, or all anew: by mail and in the log, where neither the other group
// nor its people are named.
func (s *Service) tell(ctx context.Context, tx *sql.Tx, id, ftin string, holders []int64, waits, anew bool) error {
	letter := mailShared
	if waits {
		letter = mailSharedWaiting
	}
	var mailed []int64
	for _, holder := range holders {
		n, err := insertHolder(ctx, tx, id, holder)
		if err != nil {
			return err
		}
		if n == 0 && !anew {
			continue
		}
		mailed = append(mailed, holder)
		if err := s.mailTo(ctx, tx, letter, holder); err != nil {
			return err
		}
	}
	if len(mailed) == 0 {
		return nil
	}
	return s.audit.Record(ctx, tx, audit.Entry{
		Actor: anotherOffice, Operation: "tin-shared", Subject: ftin, Result: resultOf(waits), Groups: mailed, Discreet: true,
	})
}

func resultOf(waits bool) string {
	if waits {
		return "waits"
	}
	return "ok"
}

// Awaited lists the TINs of a group that wait for the review, the newest first.
func (s *Service) Awaited(ctx context.Context, a access.Actor, groupID int64) ([]Awaited, error) {
	if !a.Reach().SeesGroup(groupID) {
		return nil, access.RefuseGroup(groupID)
	}
	return awaited(ctx, s.db.Reader, groupID, mostTINs)
}

// SharedPage answers a page of the TINs of the actor's group that others got, and
// how many there are.
func (s *Service) SharedPage(ctx context.Context, a access.Actor, t paging.Table) ([]Shared, int, error) {
	holder, err := a.Reach().Objector()
	if err != nil {
		return nil, 0, err
	}
	return sharedPage(ctx, s.db.Reader, s.db.Dialect, holder.ID(), t)
}

// SharingPage answers a page of the sharings that wait for a decision, or of the
// rest, and how many there are.
func (s *Service) SharingPage(ctx context.Context, waiting bool, t paging.Table) ([]Sharing, int, error) {
	return sharingPage(ctx, s.db.Reader, s.db.Dialect, statusesOf(waiting), t)
}

func statusesOf(waiting bool) []SharingStatus {
	if waiting {
		return undecided
	}
	return decided
}

// Undecided counts the sharings that wait for a decision.
func (s *Service) Undecided(ctx context.Context) (int, error) {
	return countSharings(ctx, s.db.Reader, undecided)
}

// UndecidedSince counts them, up to a bound, with the oldest.
func (s *Service) UndecidedSince(ctx context.Context) (paging.Backlog, error) {
	return undecidedSince(ctx, s.db.Reader)
}

// Object notes an objection of the actor's group, with its reason of at most 400
// characters: once for each sharing, as long as the other group has the TIN or
// waits for it. Nothing changes until it is decided.
func (s *Service) Object(ctx context.Context, a access.Actor, id, reason string) error {
	reason = text.Clean(reason)
	var wrong validate.Fields
	wrong.Require(reason != "", "reason", "Enter a reason.")
	wrong.Limit(reason, maxReason, "reason")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	holder, err := a.Reach().Objector()
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		shared, err := lockShared(ctx, tx, s.db.Dialect, id, holder.ID())
		switch {
		case errors.Is(err, db.ErrNotFound):
			return access.Refuse(sharingSubject(id))
		case err != nil:
			return err
		case shared.ObjectionCd != "":
			return problem.Say(problem.Conflict, "Your office has already objected.")
		case shared.StatusCd != SharingWaiting && shared.StatusCd != SharingInUse:
			return problem.Say(problem.Conflict, "The other office no longer has this TIN.")
		}
		if err := insertObjection(ctx, tx, id, holder, reason, db.At(s.now())); err != nil {
			return err
		}
		if err := disputeSharing(ctx, tx, id); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "tin-objection", Subject: shared.FTIN, Result: "ok", Detail: sharingSubject(id)})
	})
}

// Decide ends the wait of a sharing, for good as far as the objections to it that
// are open. The administrators of the group, and of those who objected, are told.
func (s *Service) Decide(ctx context.Context, a access.Actor, id string, d Decision) error {
	outcome, known := outcomes[d]
	if !known {
		return validate.RefuseField(validate.MarkedFields, "decision", "Select a decision.")
	}
	if d == Approve { // which adds a TIN
		if err := a.MustBeProven(); err != nil {
			return err
		}
	}
	return s.decided(ctx, a, id, audit.Operation("tin-sharing-"+string(d)), func(tx *sql.Tx, g access.GroupGrant, kind string, found Sharing) error {
		if found.StatusCd != outcome.from {
			return problem.Say(problem.Conflict, "This was already decided, or the group withdrew the TIN.")
		}
		var err error
		switch now := db.At(s.now()); d {
		case Approve:
			_, err = insertGroupTIN(ctx, tx, g, found.FTIN, now)
		case TakeAway:
			err = s.remove(ctx, tx, g, kind, found.FTIN)
		}
		if err != nil {
			return err
		}
		objectors, err := decideObjections(ctx, tx, id, outcome.objection)
		if err != nil {
			return err
		}
		for _, group := range objectors {
			if err := s.mailTo(ctx, tx, mailObjectionDecided, group); err != nil {
				return err
			}
		}
		if err := decideSharing(ctx, tx, id, g, outcome.to, db.At(s.now())); err != nil {
			return err
		}
		return s.mailTo(ctx, tx, outcome.letter, g.ID())
	})
}

// NameOffice lets the holders of a shared TIN learn the name of the group that got
// it, or no longer.
func (s *Service) NameOffice(ctx context.Context, a access.Actor, id string, named bool) error {
	operation := audit.Operation("tin-sharing-unname")
	if named {
		operation = "tin-sharing-name"
	}
	return s.decided(ctx, a, id, operation, func(tx *sql.Tx, g access.GroupGrant, _ string, _ Sharing) error {
		return nameSharing(ctx, tx, id, g, named)
	})
}

// decided changes a sharing for who decides about it, its group and itself locked,
// and writes down what was done: for its group and its holders too, to whom the
// entry tells nothing of each other.
func (s *Service) decided(ctx context.Context, a access.Actor, id string, operation audit.Operation, do func(*sql.Tx, access.GroupGrant, string, Sharing) error) error {
	if !a.Reach().DecidesSharings() {
		return access.Refuse(sharingSubject(id))
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		groupID, err := groupOfSharing(ctx, tx, id)
		if errors.Is(err, db.ErrNotFound) {
			return access.Refuse(sharingSubject(id))
		}
		if err != nil {
			return err
		}
		grant, err := a.Reach().ManageGroup(groupID)
		if err != nil {
			return err
		}
		kind, err := s.users.LockGroup(ctx, tx, groupID)
		if err != nil {
			return err
		}
		found, err := lockSharing(ctx, tx, s.db.Dialect, id)
		if err != nil {
			return err
		}
		if err := do(tx, grant, kind, found); err != nil {
			return err
		}
		concerned, err := holdersOfSharing(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: operation, Subject: found.FTIN, Result: "ok", Detail: sharingSubject(id),
			About: []string{found.FTIN, groupSubject(groupID)}, Groups: append(concerned, groupID),
		})
	})
}
