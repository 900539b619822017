package notifications

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/validate"
)

// Audience selects the recipients of a notification at send time: everyone who matches all
// criteria. Empty criteria don't filter. Users with terminated accounts never match.
type Audience struct {
	Types    []string `json:"types,omitempty" nullable:"false" enum:"PRUS,PRAD,NNUS,ROAD,ROUS,IRAD,ISAD" doc:"Account types"`
	Statuses []string `json:"statuses,omitempty" nullable:"false" enum:"NEW,DRAFT,ACTIV,INACT,LOCK,DISABL" doc:"Default: all except TERM"`
	Groups   []int64  `json:"groups,omitempty" nullable:"false" doc:"Group IDs, up to 100"`
	TINs     []string `json:"tins,omitempty" nullable:"false" doc:"Up to 100; users with at least one of them"`
	States   []string `json:"states,omitempty" nullable:"false" doc:"2-letter codes; users with a TIN of a provider there"`
	Excluded []int64  `json:"excluded,omitempty" nullable:"false" doc:"User IDs to exclude, up to 500"`
}

// Size is the current number of recipients.
type Size struct {
	Count    int64 // without excluded users
	Excluded int64 // users who match but are excluded
}

const (
	maxGroups   = 100
	maxTINs     = 100
	maxExcluded = 500
)

// statuses are those of accounts that aren't terminated.
var statuses = []string{"NEW", "DRAFT", "ACTIV", "INACT", "LOCK", "DISABL"}

// validate normalizes each criterion and returns the errors.
func (a Audience) validate() (Audience, error) {
	a = Audience{sortUnique(a.Types), sortUnique(a.Statuses), sortUnique(a.Groups), sortUnique(a.TINs), sortUnique(a.States),
		sortUnique(a.Excluded)}
	var wrong validate.Fields
	for _, t := range a.Types {
		wrong.Require(slices.Contains(access.Types, access.Type(t)), "types", "Select valid account types.")
	}
	for _, status := range a.Statuses {
		wrong.Require(slices.Contains(statuses, status), "statuses", "Select valid statuses. Terminated users can't get notifications.")
	}
	wrong.Require(len(a.Groups) <= maxGroups, "groups", fmt.Sprintf("Enter up to %d groups.", maxGroups))
	wrong.Require(len(a.TINs) <= maxTINs, "tins", fmt.Sprintf("Enter up to %d TINs.", maxTINs))
	wrong.Require(!slices.ContainsFunc(a.TINs, func(tin string) bool { return !validate.TIN(tin) }), "tins", "Enter 9 digits for each TIN.")
	wrong.Require(!slices.ContainsFunc(a.States, func(state string) bool { return !identifiers.IsState(state) }), "states",
		"Enter 2-letter state codes.")
	wrong.Require(len(a.Excluded) <= maxExcluded, "excluded", fmt.Sprintf("Exclude up to %d users, or narrow the audience.", maxExcluded))
	return a, wrong.Refuse("The audience isn't valid.")
}

// sortUnique returns the distinct values of a list in order.
func sortUnique[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// checkExists returns errors for groups, TINs and users that don't exist, so that a typo doesn't go
// unnoticed.
func (a Audience) checkExists(ctx context.Context, q db.Queryer) error {
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
	checkNames(&wrong, "groups", "Unknown group %s. Remove it.", a.Groups, groups)
	checkNames(&wrong, "tins", "No group has the TIN %s. Remove it.", a.TINs, tins)
	checkNames(&wrong, "excluded", "Unknown user ID %s. Remove it.", a.Excluded, users)
	return wrong.Refuse("The audience isn't valid.")
}

// checkNames reports the first wanted value that is unknown.
func checkNames[T comparable](wrong *validate.Fields, field, message string, wanted, known []T) {
	for _, value := range wanted {
		if !slices.Contains(known, value) {
			wrong.Require(false, field, fmt.Sprintf(message, fmt.Sprint(value)))
			return
		}
	}
}

// encode returns the audience as stored with its notification. Equal audiences have equal text.
func (a Audience) encode() (string, error) {
	text, err := json.Marshal(a)
	return string(text), err
}

// parseAudience parses a stored audience.
func parseAudience(stored string) (Audience, error) {
	var a Audience
	err := json.Unmarshal([]byte(stored), &a)
	return a, err
}

// String describes the audience in the audit log.
func (a Audience) String() string {
	parts := []string{"all matching users"}
	for _, part := range []struct {
		name   string
		values any
		count  int
	}{
		{"types", a.Types, len(a.Types)}, {"statuses", a.Statuses, len(a.Statuses)}, {"groups", a.Groups, len(a.Groups)},
		{"TINs", a.TINs, len(a.TINs)}, {"states", a.States, len(a.States)}, {"excluded users", a.Excluded, len(a.Excluded)},
	} {
		if part.count > 0 {
			parts = append(parts, part.name+" "+strings.Trim(fmt.Sprint(part.values), "[]"))
		}
	}
	return strings.Join(parts, "; ")
}

// Count returns the current size of an audience.
func (s *Service) Count(ctx context.Context, a Audience) (Size, error) {
	a, err := a.validate()
	if err != nil {
		return Size{}, err
	}
	if err := a.checkExists(ctx, s.db.Reader); err != nil {
		return Size{}, err
	}
	return countSize(ctx, s.db.Reader, a)
}

// Announce creates a notification, or updates an unsent one if it has an id. It goes to the
// audience, or to the notification's own recipients if the audience is nil.
func (s *Service) Announce(ctx context.Context, a access.Actor, n Notification, to *Audience) (Notification, error) {
	if to != nil {
		meant, err := to.validate()
		if err != nil {
			return Notification{}, err
		}
		if n.Recipients != "" {
			return Notification{}, validate.RefuseField("The notification isn't valid.", fieldRecipients,
				"Select recipients individually, or select an audience.")
		}
		if err := meant.checkExists(ctx, s.db.Reader); err != nil {
			return Notification{}, err
		}
		if n.Audience, err = meant.encode(); err != nil {
			return Notification{}, err
		}
	}
	if n.ID == 0 {
		return s.Create(ctx, a, n)
	}
	return s.change(ctx, a, n, "", false)
}

// Announced contains what a notification's row omits: the audience, and the number of
// recipients.
type Announced struct {
	ID       int64
	Audience string // as stored in the notification
	SentTo   *int64 // nil: not sent
}

// ListAnnouncements lists the notifications for audiences and those that were sent, newest first, up to
// 1,000.
func (s *Service) ListAnnouncements(ctx context.Context) ([]Announced, error) {
	return announced(ctx, s.db.Reader, maxListed)
}

// formatDetail returns the audit log text for a saved notification.
func formatDetail(n Notification) (string, error) {
	if n.Audience == "" {
		return string(n.Status), nil
	}
	a, err := parseAudience(n.Audience)
	return string(n.Status) + " to " + a.String(), err
}
