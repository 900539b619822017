// Package access decides who may do what: account types, the acting person,
// the row scope made from them, and the one policy table.
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

// Internal tells whether the type is internal staff, who see the admin portal
// and may mirror.
func (t Type) Internal() bool { return t == IRAD || t == ISAD }

// Administers tells whether an account of this type is an administrator's.
func (t Type) Administers() bool { return t.Internal() || t == PRAD || t == ROAD }

// Mirrorable tells whether internal staff may act as a user of this type.
func (t Type) Mirrorable() bool { return t == PRUS || t == PRAD || t == NNUS }

// Person is who an Actor is or acts for.
type Person struct {
	ID       int64
	UserName string
	Type     Type
	GroupID  int64 // 0: no group
}

// Actor is the signed-in person and, while mirroring, the person acted for.
type Actor struct {
	Person   Person
	Mirrored *Person
	// MirrorEnded is the id of the user whose mirroring has ended by itself, until
	// the person has read so; 0: none has.
	MirrorEnded int64
	// MirrorTimeOver tells that it has ended as the user's group allowed it no longer.
	MirrorTimeOver bool
	// Session is the hash of the session's token.
	Session []byte
	// Proven tells that the person has shown who they are a moment ago, not only
	// that the session is theirs.
	Proven bool
	// Outside tells that an outside provider proves the person, not a password.
	Outside bool
	// read are the TINs of a person that were read with the session; nil where they
	// were not.
	read *readTINs
}

type readTINs struct {
	of   int64
	tins []string
}

// WithTINs is the actor for whom the TINs of a person were read already.
func (a Actor) WithTINs(of int64, tins []string) Actor {
	a.read = &readTINs{of, tins}
	return a
}

// ReadScope is the scope of who acts where it was read with the session.
func (a Actor) ReadScope() (Scope, bool) {
	if a.read == nil || a.read.of != a.Acting().ID {
		return Scope{}, false
	}
	return ScopeOf(a.read.tins), true
}

// Acting is the person whose rights and rows count: the mirrored one when
// there is one.
func (a Actor) Acting() Person {
	if a.Mirrored != nil {
		return *a.Mirrored
	}
	return a.Person
}

// Mirroring tells whether the actor acts as another user.
func (a Actor) Mirroring() bool { return a.Mirrored != nil }

// MustBeProven refuses what a session that somebody else got hold of must not do,
// until its person has shown again who they are.
func (a Actor) MustBeProven() error {
	if a.Proven {
		return nil
	}
	return problem.NeedProof()
}

// Named checks a user name that a call carries in its path, query or body: it
// is accepted only when it names the acting person. Empty names nobody.
func (a Actor) Named(userName string) error {
	if userName == "" || userName == "-" || userName == a.Acting().UserName {
		return nil
	}
	return problem.New(problem.Forbidden)
}

type actorKey struct{}

// WithActor puts the signed-in actor into a request's context.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// From takes the actor from a request's context. Operations that require
// sign-in always have one.
func From(ctx context.Context) Actor {
	a, ok := ctx.Value(actorKey{}).(Actor)
	if !ok {
		panic("access: guarded operation without an actor in its context")
	}
	return a
}

// Scope is the rows an actor may read: the TINs, always a finite list. Store
// functions over scoped rows take it and cannot be called without.
type Scope struct{ tins []string }

// ScopeOf makes the scope of the TINs that the tins area found for the actor.
func ScopeOf(tins []string) Scope { return Scope{tins: tins} }

// TINs lists the TINs in scope.
func (s Scope) TINs() []string { return s.tins }

// Has tells whether the TIN is in scope.
func (s Scope) Has(ftin string) bool { return slices.Contains(s.tins, ftin) }

// HasAll tells whether all of the TINs are in scope.
func (s Scope) HasAll(ftins []string) bool {
	return !slices.ContainsFunc(ftins, func(ftin string) bool { return !s.Has(ftin) })
}
