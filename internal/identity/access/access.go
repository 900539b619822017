// Package access decides what each account may do. It defines account types, the signed-in
// actor, the row scope and the policy table.
package access

import (
	"context"
	"slices"

	"wcpp/internal/platform/problem"
)

// Type is an account type code.
type Type string

// The account types.
const (
	PRUS Type = "PRUS" // provider sub user
	PRAD Type = "PRAD" // provider administrator
	NNUS Type = "NNUS" // non-network user
	ROAD Type = "ROAD" // roster administrator
	ROUS Type = "ROUS" // roster user
	IRAD Type = "IRAD" // internal read-only administrator
	ISAD Type = "ISAD" // internal system administrator
)

// Types lists every account type.
var Types = []Type{PRUS, PRAD, NNUS, ROAD, ROUS, IRAD, ISAD}

// IsInternal reports whether the type is internal staff, who see the admin portal and may mirror.
func (t Type) IsInternal() bool { return t == IRAD || t == ISAD }

// IsAdministrator reports whether the type is an administrator type.
func (t Type) IsAdministrator() bool { return t.IsInternal() || t == PRAD || t == ROAD }

// IsMirrorable reports whether internal staff may act as a user of this type.
func (t Type) IsMirrorable() bool { return t == PRUS || t == PRAD || t == NNUS }

// Role is what a read-only administrator (IRAD) can do beyond reading.
type Role string

// The staff roles. Lead includes Cases.
const (
	NoRole Role = ""
	Cases  Role = "CASES" // answers questions of offices
	Lead   Role = "LEAD"  // also assigns them
)

// Roles lists every staff role that can be granted.
var Roles = []Role{NoRole, Cases, Lead}

// Person identifies a user, either signed in or mirrored.
type Person struct {
	ID       int64
	UserName string
	Type     Type
	GroupID  int64 // 0: no group
	Role     Role  // counts only for IRAD
}

// Actor is the signed-in person and, while mirroring, the mirrored person.
type Actor struct {
	Person   Person
	Mirrored *Person
	// MirrorEnded is the ID of the user whose mirroring ended automatically, until the person
	// has seen the notice. 0 means none.
	MirrorEnded int64
	// MirrorTimeOver reports that mirroring ended because the time that the user's group
	// approved was up.
	MirrorTimeOver bool
	// Session is the hash of the session's token.
	Session []byte
	// Proven reports that the person re-authenticated recently. A valid session alone isn't
	// enough.
	Proven bool
	// Outside reports that an external identity provider authenticates the person, not a
	// password.
	Outside bool
	// read has the person's TINs if they were read with the session, otherwise nil.
	read *readTINs
}

type readTINs struct {
	of   int64
	tins []string
}

// WithTINs returns the actor with a person's TINs that were already read.
func (a Actor) WithTINs(of int64, tins []string) Actor {
	a.read = &readTINs{of, tins}
	return a
}

// ReadScope returns the acting person's scope if it was read with the session.
func (a Actor) ReadScope() (Scope, bool) {
	if a.read == nil || a.read.of != a.Acting().ID {
		return Scope{}, false
	}
	return NewScope(a.read.tins), true
}

// Acting returns the person whose permissions and rows apply, which is the mirrored one while
// mirroring.
func (a Actor) Acting() Person {
	if a.Mirrored != nil {
		return *a.Mirrored
	}
	return a.Person
}

// IsMirroring reports whether the actor acts as another user.
func (a Actor) IsMirroring() bool { return a.Mirrored != nil }

// FileOwner returns the ID of the user whose background files the actor gets: none while mirroring.
func (a Actor) FileOwner() int64 {
	if a.IsMirroring() {
		return 0
	}
	return a.Person.ID
}

// RequireProof returns an error until the person re-authenticates. It protects actions that
// someone with a stolen session must not do.
func (a Actor) RequireProof() error {
	if a.Proven {
		return nil
	}
	return problem.ProofRequired()
}

// CheckName checks a username from a request's path, query or body. Only the acting person's name is
// accepted. Empty is accepted too.
func (a Actor) CheckName(userName string) error {
	if userName == "" || userName == "-" || userName == a.Acting().UserName {
		return nil
	}
	return RefuseName(userName)
}

type actorKey struct{}

// WithActor adds the signed-in actor to a request's context.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// From returns the actor from a request's context. Operations that require sign-in always have
// one.
func From(ctx context.Context) Actor {
	a, ok := ctx.Value(actorKey{}).(Actor)
	if !ok {
		panic("access: guarded operation without an actor in its context")
	}
	return a
}

// Scope limits the rows an actor may read to a finite list of TINs. Store functions for scoped
// rows require one.
type Scope struct{ tins []string }

// NewScope returns the scope for the TINs that the tins package found for the actor.
func NewScope(tins []string) Scope { return Scope{tins: tins} }

// TINs returns the TINs in scope.
func (s Scope) TINs() []string { return s.tins }

// Has reports whether the TIN is in scope.
func (s Scope) Has(ftin string) bool { return slices.Contains(s.tins, ftin) }

// HasAll reports whether all the TINs are in scope.
func (s Scope) HasAll(ftins []string) bool {
	return !slices.ContainsFunc(ftins, func(ftin string) bool { return !s.Has(ftin) })
}
