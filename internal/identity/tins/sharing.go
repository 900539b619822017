package tins

import (
	"context"
	"database/sql"
	"errors"
	"hash/crc32"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// SharingStatus is the status of a TIN that a group added while others had it. If it is pending,
// denied, revoked or ended, the group doesn't have the TIN, so it isn't in anyone's scope.
type SharingStatus string

// The statuses.
const (
	SharingWaiting  SharingStatus = "WAITING"  // pending review
	SharingInUse    SharingStatus = "IN_USE"   // the group has the TIN
	SharingDisputed SharingStatus = "DISPUTED" // the group has the TIN, with an open objection
	SharingRefused  SharingStatus = "REFUSED"  // denied in the review
	SharingTaken    SharingStatus = "TAKEN"    // revoked after an objection, or removed by a system administrator
	SharingEnded    SharingStatus = "ENDED"    // the group gave it up
)

// sharingNames are the display names.
var sharingNames = map[SharingStatus]string{
	SharingWaiting: "Pending review", SharingInUse: "In use", SharingDisputed: "In use, objection open",
	SharingRefused: "Denied", SharingTaken: "Revoked", SharingEnded: "Withdrawn",
}

// undecided are pending with a system administrator.
var undecided = []SharingStatus{SharingWaiting, SharingDisputed}

// decided are all others.
var decided = []SharingStatus{SharingInUse, SharingRefused, SharingTaken, SharingEnded}

// ObjectionState is the state of a holder's objection. Empty means no objection.
type ObjectionState string

// The states.
const (
	ObjectionOpen      ObjectionState = "OPEN"
	ObjectionDismissed ObjectionState = "DISMISSED"
	ObjectionUpheld    ObjectionState = "UPHELD"
)

// objectionNames are the display names.
var objectionNames = map[ObjectionState]string{
	ObjectionOpen: "Pending decision", ObjectionDismissed: "Dismissed", ObjectionUpheld: "Upheld",
}

// Decision is a system administrator's decision about a sharing: approve or deny a pending one,
// or keep or revoke a disputed one.
type Decision string

// The decisions.
const (
	Approve  Decision = "approve"
	Refuse   Decision = "refuse"
	Keep     Decision = "keep"
	TakeAway Decision = "take-away"
)

// outcomes are the required and resulting statuses of each decision.
var outcomes = map[Decision]struct {
	from, to  SharingStatus
	objection ObjectionState // for open objections
	kind      mail.Kind      // to the group
}{
	Approve:  {SharingWaiting, SharingInUse, ObjectionDismissed, mailApproved},
	Refuse:   {SharingWaiting, SharingRefused, ObjectionUpheld, mailRefused},
	Keep:     {SharingDisputed, SharingInUse, ObjectionDismissed, mailKept},
	TakeAway: {SharingDisputed, SharingTaken, ObjectionUpheld, mailTaken},
}

// Sharing is a TIN that a group has, or requests, and that other groups already had. It is the
// system administrators' view.
type Sharing struct {
	ID        string
	FTIN      string `db:"ftin"`
	GroupID   int64
	GroupName string
	StatusCd  SharingStatus
	Named     bool // the holders can see the group's name
	AddedAt   db.Instant
	AddedBy   string // username
	// The proof: one of the two, or neither from a system administrator.
	BillControlNumber string
	ProviderID        string
	DecidedAt         db.Instant
	DecidedBy         string
	Holders           []Holding `db:"-"`
}

// isDecidedAgainst reports whether the last decision was to deny or revoke the TIN. If the group requested
// it again and withdrew that request, the request is newer than the decision.
func (s Sharing) isDecidedAgainst() bool {
	withdrawn := s.StatusCd == SharingEnded && !s.DecidedAt.IsZero() && s.AddedAt.After(s.DecidedAt.Time)
	return s.StatusCd == SharingRefused || s.StatusCd == SharingTaken || withdrawn
}

// Holding is a group that already had the TIN and was notified, with its objection.
type Holding struct {
	SharingID   string
	GroupID     int64
	GroupName   string
	ObjectionCd ObjectionState
	Reason      string
	ObjectedAt  db.Instant
	ObjectedBy  string
}

// Shared is a sharing as a holder sees it.
type Shared struct {
	ID          string
	FTIN        string `db:"ftin"`
	AddedAt     db.Instant
	Office      string // name of the other group; empty unless visible
	StatusCd    SharingStatus
	ObjectionCd ObjectionState // of the holder's own group
	Reason      string
}

// Pending is a TIN that is pending review for a group.
type Pending struct {
	FTIN    string `db:"ftin"`
	AddedAt db.Instant
	AddedBy string
}

const (
	// anotherOffice is the acting user in the holders' audit log.
	anotherOffice = "another office"
	// maxReason is the maximum length of an objection.
	maxReason = 400
	// lockSpace identifies the locks on TINs while their holders are read.
	lockSpace = 7723504
)

func sharingSubject(id string) string { return "sharing " + id }

// addGroupTIN adds a TIN to a group, or submits it for review, and notifies the other holders. If two
// groups add it concurrently, the second one sees the first. A TIN already pending is rejected
// like one that the group has, unless the caller makes the decision.
func (s *Service) addGroupTIN(
	ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string, p Proof, decides bool,
) (waits bool, err error) {
	if err := s.lockTIN(ctx, tx, ftin); err != nil {
		return false, err
	}
	before, err := getSharing(ctx, tx, g.ID(), ftin)
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
	if has || before.StatusCd == SharingWaiting && !decides {
		return false, newCodeError(codeExists)
	}
	decidedAgainst := before.isDecidedAgainst()
	waits = !decides && (decidedAgainst || len(holders) > 0 && s.settings.TINSharing == "approve")
	now := db.At(s.now())
	if !waits {
		if _, err := insertGroupTIN(ctx, tx, g, ftin, now); err != nil {
			return false, err
		}
	}
	if len(holders) == 0 && before.StatusCd == "" {
		return waits, nil
	}
	id, err := upsertSharing(ctx, tx, g, sharingRequest{ftin, p, decidedAgainst, now})
	if err == nil {
		err = s.notifyHolders(ctx, tx, Sharing{ID: id, FTIN: ftin}, holders, waits, decidedAgainst)
	}
	if err == nil && !waits {
		err = useSharing(ctx, tx, g.ID(), ftin)
	}
	return waits, err
}

// lockTIN prevents changes of a TIN's holders until the transaction ends.
func (s *Service) lockTIN(ctx context.Context, tx *sql.Tx, ftin string) error {
	return s.db.Lock(ctx, tx, lockSpace, int(crc32.ChecksumIEEE([]byte(ftin))>>1))
}

// notifyHolders records the holders of a TIN with its sharing. It notifies those not yet
// notified, or all of them if anew is set, by email and in the audit log. Neither names the other
// group or its users.
func (s *Service) notifyHolders(ctx context.Context, tx *sql.Tx, shared Sharing, holders []int64, waits, anew bool) error {
	kind := mailShared
	if waits {
		kind = mailSharedWaiting
	}
	var mailed []int64
	for _, holder := range holders {
		n, err := insertHolder(ctx, tx, shared.ID, holder)
		if err != nil {
			return err
		}
		if n == 0 && !anew {
			continue
		}
		mailed = append(mailed, holder)
		if err := s.mailTo(ctx, tx, kind, holder); err != nil {
			return err
		}
	}
	if len(mailed) == 0 {
		return nil
	}
	return s.audit.Record(ctx, tx, audit.Entry{
		Actor: anotherOffice, Operation: "tin-shared", Subject: shared.FTIN, Result: auditResult(waits), Groups: mailed, Discreet: true,
	})
}

func auditResult(waits bool) string {
	if waits {
		return "waits"
	}
	return "ok"
}

// ListPending lists a group's TINs that are pending review, newest first.
func (s *Service) ListPending(ctx context.Context, a access.Actor, groupID int64) ([]Pending, error) {
	if !a.Reach().SeesGroup(groupID) {
		return nil, access.RefuseGroup(groupID)
	}
	return listPending(ctx, s.db.Reader, groupID, maxTINs)
}

// SharedPage returns a page of the TINs of the actor's group that other groups share, and the
// total.
func (s *Service) SharedPage(ctx context.Context, a access.Actor, t paging.Table) ([]Shared, int, error) {
	holder, err := a.Reach().ObjectionGrant()
	if err != nil {
		return nil, 0, err
	}
	return sharedPage(ctx, s.db.Reader, s.db.Dialect, holder.ID(), t)
}

// SharingPage returns a page of the pending or decided sharings, and the total.
func (s *Service) SharingPage(ctx context.Context, waiting bool, t paging.Table) ([]Sharing, int, error) {
	return sharingPage(ctx, s.db.Reader, s.db.Dialect, listStatuses(waiting), t)
}

func listStatuses(waiting bool) []SharingStatus {
	if waiting {
		return undecided
	}
	return decided
}

// CountUndecided counts the pending sharings.
func (s *Service) CountUndecided(ctx context.Context) (int, error) {
	return countSharings(ctx, s.db.Reader, undecided)
}

// UndecidedBacklog counts the pending sharings, up to a limit, and returns the time of the oldest.
func (s *Service) UndecidedBacklog(ctx context.Context) (paging.Backlog, error) {
	return undecidedSince(ctx, s.db.Reader)
}

// Object records an objection of the actor's group with a reason of up to 400 characters. Each
// group can object once per sharing, while the other group has or requests the TIN. It changes
// nothing until an administrator decides.
func (s *Service) Object(ctx context.Context, a access.Actor, id, reason string) error {
	reason = text.Clean(reason)
	var wrong validate.Fields
	wrong.Require(reason != "", "reason", "Enter a reason.")
	wrong.Limit(reason, maxReason, "reason")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	holder, err := a.Reach().ObjectionGrant()
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
			return problem.WithMessage(problem.Conflict, "Your office has already objected.")
		case shared.StatusCd != SharingWaiting && shared.StatusCd != SharingInUse:
			return problem.WithMessage(problem.Conflict, "The other office no longer has this TIN.")
		}
		if err := insertObjection(ctx, tx, id, holder, reason, db.At(s.now())); err != nil {
			return err
		}
		if err := disputeSharing(ctx, tx, id); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "tin-objection", Subject: shared.FTIN, Result: "ok",
			Detail: sharingSubject(id)})
	})
}

// Decide decides a sharing and closes its open objections. It notifies the administrators of the
// group and of those who objected.
func (s *Service) Decide(ctx context.Context, a access.Actor, id string, d Decision) error {
	outcome, known := outcomes[d]
	if !known {
		return validate.RefuseField(validate.MarkedFields, "decision", "Select a decision.")
	}
	if d == Approve { // it adds a TIN
		if err := a.RequireProof(); err != nil {
			return err
		}
	}
	return s.decide(ctx, a, id, audit.Operation("tin-sharing-"+string(d)),
		func(tx *sql.Tx, g access.GroupGrant, kind string, found Sharing) error {
			if found.StatusCd != outcome.from {
				return problem.WithMessage(problem.Conflict, "This was already decided, or the group withdrew the TIN.")
			}
			var err error
			switch now := db.At(s.now()); d {
			case Approve:
				if err = s.lockTIN(ctx, tx, found.FTIN); err == nil {
					_, err = insertGroupTIN(ctx, tx, g, found.FTIN, now)
				}
			case TakeAway:
				err = s.remove(ctx, tx, g, kind, found.FTIN)
			}
			if err != nil {
				return err
			}
			if err := s.closeObjections(ctx, tx, id, outcome.objection); err != nil {
				return err
			}
			if err := decideSharing(ctx, tx, id, g, outcome.to, db.At(s.now())); err != nil {
				return err
			}
			return s.mailTo(ctx, tx, outcome.kind, g.ID())
		})
}

// closeObjections decides the open objections to a sharing and notifies the groups that objected.
func (s *Service) closeObjections(ctx context.Context, tx *sql.Tx, id string, to ObjectionState) error {
	objectors, err := decideObjections(ctx, tx, id, to)
	if err != nil {
		return err
	}
	for _, group := range objectors {
		if err := s.mailTo(ctx, tx, mailObjectionDecided, group); err != nil {
			return err
		}
	}
	return nil
}

// revoke records that the network removes a TIN from a group. So it waits for review if the group adds it
// again, for example with the number of an old bill. Open objections are upheld.
func (s *Service) revoke(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string) error {
	id, err := revokeSharing(ctx, tx, g, ftin, db.At(s.now()))
	if err != nil {
		return db.IfNotFound(err, problem.New(problem.NotFound))
	}
	return s.closeObjections(ctx, tx, id, ObjectionUpheld)
}

// NameOffice shows the holders of a shared TIN the other group's name, or hides it.
func (s *Service) NameOffice(ctx context.Context, a access.Actor, id string, named bool) error {
	operation := audit.Operation("tin-sharing-unname")
	if named {
		operation = "tin-sharing-name"
	}
	return s.decide(ctx, a, id, operation, func(tx *sql.Tx, g access.GroupGrant, _ string, _ Sharing) error {
		return nameSharing(ctx, tx, id, g, named)
	})
}

// decide changes a sharing, with it and its group locked, and audits the change. Its group and
// its holders also get an entry, which doesn't identify them to each other.
func (s *Service) decide(
	ctx context.Context, a access.Actor, id string, operation audit.Operation, do func(*sql.Tx, access.GroupGrant, string, Sharing) error,
) error {
	if !a.Reach().DecidesSharings() {
		return access.Refuse(sharingSubject(id))
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		groupID, err := groupOfSharing(ctx, tx, id)
		if err != nil {
			return db.IfNotFound(err, access.Refuse(sharingSubject(id)))
		}
		grant, err := a.Reach().ManageGroup(groupID)
		if err != nil {
			return err
		}
		group, err := s.users.LockGroup(ctx, tx, groupID)
		if err != nil {
			return err
		}
		found, err := lockSharing(ctx, tx, s.db.Dialect, id)
		if err != nil {
			return err
		}
		if err := do(tx, grant, group.Kind, found); err != nil {
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
