package notifications

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/validate"
)

// Audience is whom a notification is meant for where that is decided when it is
// sent: everyone for whom all of its parts hold. A part that is empty narrows
// nothing; nobody whose account is terminated is meant.
type Audience struct {
	Types    []string `json:"types,omitempty" nullable:"false" enum:"PRUS,PRAD,NNUS,ROAD,ROUS,IRAD,ISAD" doc:"Account types"`
	Statuses []string `json:"statuses,omitempty" nullable:"false" enum:"NEW,DRAFT,ACTIV,INACT,LOCK,DISABL" doc:"Account statuses; all except terminated if missing"`
	Groups   []int64  `json:"groups,omitempty" nullable:"false" doc:"Group IDs, up to 100"`
	TINs     []string `json:"tins,omitempty" nullable:"false" doc:"Up to 100; users with at least one of them"`
	States   []string `json:"states,omitempty" nullable:"false" doc:"2-letter codes; users with a TIN of a provider there"`
	Excluded []int64  `json:"excluded,omitempty" nullable:"false" doc:"User IDs to exclude, up to 500"`
}

// Meant tells how many would get a notification now.
type Meant struct {
	Count    int64 // without those who are left out
	Excluded int64 // of those left out, who would get it otherwise
}

const (
	mostGroups   = 100
	mostTINs     = 100
	mostExcluded = 500
)

// statuses are those of accounts that are not terminated.
var statuses = []string{"NEW", "DRAFT", "ACTIV", "INACT", "LOCK", "DISABL"}

// checked puts each part in order, and names what is wrong.
func (a Audience) checked() (Audience, error) {
	a = Audience{ordered(a.Types), ordered(a.Statuses), ordered(a.Groups), ordered(a.TINs), ordered(a.States), ordered(a.Excluded)}
	var wrong validate.Fields
	for _, t := range a.Types {
		wrong.Require(slices.Contains(access.Types, access.Type(t)), "types", "Select valid account types.")
	}
	for _, status := range a.Statuses {
		wrong.Require(slices.Contains(statuses, status), "statuses", "Select valid statuses. Terminated users can't get notifications.")
	}
	wrong.Require(len(a.Groups) <= mostGroups, "groups", fmt.Sprintf("Enter up to %d groups.", mostGroups))
	wrong.Require(len(a.TINs) <= mostTINs, "tins", fmt.Sprintf("Enter up to %d TINs.", mostTINs))
	wrong.Require(!slices.ContainsFunc(a.TINs, func(tin string) bool { return !validate.TIN(tin) }), "tins", "Enter 9 digits for each TIN.")
	wrong.Require(!slices.ContainsFunc(a.States, func(state string) bool { return !identifiers.IsState(state) }), "states", "Enter 2-letter state codes.")
	wrong.Require(len(a.Excluded) <= mostExcluded, "excluded", fmt.Sprintf("Exclude up to %d users, or narrow the audience.", mostExcluded))
	return a, wrong.Refuse("The audience isn't valid.")
}

// ordered is a list in order, each value once.
func ordered[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// known names groups, TINs and users that there are not: who mistypes one is not
// to find out by silence.
func (a Audience) known(ctx context.Context, q db.Queryer) error {
	groups, err := groupsAmong(ctx, q, a.Groups)
	if err != nil {
		return err
	}
	tins, err := tinsAmong(ctx, q, a.TINs)
	if err != nil {
		return err
	}
	users, err := usersAmong(ctx, q, a.Excluded)
	if err != nil {
		return err
	}
	var wrong validate.Fields
	name(&wrong, "groups", "Unknown group %s. Remove it.", a.Groups, groups)
	name(&wrong, "tins", "No group has the TIN %s. Remove it.", a.TINs, tins)
	name(&wrong, "excluded", "Unknown user ID %s. Remove it.", a.Excluded, users)
	return wrong.Refuse("The audience isn't valid.")
}

// name notes the first wanted value that is not among the known ones.
func name[T comparable](wrong *validate.Fields, field, message string, wanted, known []T) {
	for _, value := range wanted {
		if !slices.Contains(known, value) {
			wrong.Require(false, field, fmt.Sprintf(message, fmt.Sprint(value)))
			return
		}
	}
}

// stored is the audience as its notification keeps it; two that mean the same are
// stored alike.
func (a Audience) stored() (string, error) {
	text, err := json.Marshal(a)
	return string(text), err
}

// audienceOf reads what was stored.
func audienceOf(stored string) (Audience, error) {
	var a Audience
	err := json.Unmarshal([]byte(stored), &a)
	return a, err
}

// String tells the audience to whoever reads the audit log.
func (a Audience) String() string {
	said := []string{"all matching users"}
	for _, part := range []struct {
		name   string
		values any
		count  int
	}{
		{"types", a.Types, len(a.Types)}, {"statuses", a.Statuses, len(a.Statuses)}, {"groups", a.Groups, len(a.Groups)},
		{"TINs", a.TINs, len(a.TINs)}, {"states", a.States, len(a.States)}, {"excluded users", a.Excluded, len(a.Excluded)},
	} {
		if part.count > 0 {
			said = append(said, part.name+" "+strings.Trim(fmt.Sprint(part.values), "[]"))
		}
	}
	return strings.Join(said, "; ")
}

// Count tells how many an audience is now.
func (s *Service) Count(ctx context.Context, a Audience) (Meant, error) {
	a, err := a.checked()
	if err != nil {
		return Meant{}, err
	}
	if err := a.known(ctx, s.db.Reader); err != nil {
		return Meant{}, err
	}
	return countMeant(ctx, s.db.Reader, a)
}

// Announce makes a notification, or with an id changes one that is not sent, for
// an audience, or where that is nil for the recipients that it names.
func (s *Service) Announce(ctx context.Context, a access.Actor, n Notification, to *Audience) (Notification, error) {
	if to != nil {
		meant, err := to.checked()
		if err != nil {
			return Notification{}, err
		}
		if n.Recipients != "" {
			return Notification{}, validate.RefuseField("The notification isn't valid.", fieldRecipients, "Select recipients individually, or select an audience.")
		}
		if err := meant.known(ctx, s.db.Reader); err != nil {
			return Notification{}, err
		}
		if n.Audience, err = meant.stored(); err != nil {
			return Notification{}, err
		}
	}
	if n.ID == 0 {
		return s.Create(ctx, a, n)
	}
	return s.change(ctx, a, n, "", false)
}

// Announced is what a notification's row does not tell: whom it is meant for, and
// how many got it.
type Announced struct {
	ID       int64
	Audience string // as of the notification
	SentTo   *int64 // nil: it is not sent
}

// Announced lists the notifications for audiences and those that were sent, the newest
// first, at most a thousand.
func (s *Service) Announced(ctx context.Context) ([]Announced, error) {
	return announced(ctx, s.db.Reader, mostListed)
}

// recorded is what the audit log keeps of a notification that was saved.
func recorded(n Notification) (string, error) {
	if n.Audience == "" {
		return string(n.Status), nil
	}
	a, err := audienceOf(n.Audience)
	return string(n.Status) + " to " + a.String(), err
}
