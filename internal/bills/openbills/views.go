package openbills

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Limits of views.
const (
	MaxViews    = 30 // per user
	MaxShared   = 60 // per group
	MaxName     = 60 // characters
	MaxPayers   = 8  // payers with a suggested view
	viewsLocked = 43 // the lock space for groups with changing views
)

// View is a saved view of open bills.
type View struct {
	ID               string
	OwnerID          int64
	Group            int64 `db:"group_id"`
	Shared           bool  // visible to the group, and editable by its administrators
	Pinned           bool
	Name             string
	StoredDefinition string `db:"definition"` // as JSON
	Position         int    // among its owner's, from 0
	Version          int64
	UpdatedAt        db.Instant
	UpdatedBy        string // username
}

// ViewDefinition is the content of a view. Its dates are relative to today, and it has no
// individual bills.
type ViewDefinition struct {
	Filter  OpenBillFilter `json:"filter"`
	Columns []string       `json:"columns,omitempty" nullable:"false" doc:"Columns to show. Defaults to all but lastCall"`
	Order   string         `json:"order,omitempty" enum:"due,dueLast,oldest,newest,charge,chargeDesc,payer,payerDesc" doc:"Default: oldest"`
	Compact bool           `json:"compact,omitempty" doc:"True for compact rows"`
}

const viewWrong = "The view wasn't saved."

// check rejects content that a view can't have.
func (d ViewDefinition) check() error {
	f := d.Filter.filter()
	if err := f.check(); err != nil {
		e := problem.From(err)
		for i := range e.Fields {
			e.Fields[i].Path = "definition." + e.Fields[i].Path
		}
		e.Message = viewWrong
		return e
	}
	var wrong validate.Fields
	wrong.Require(d.Filter.From == "" && d.Filter.To == "", "definition.filter.from",
		"A view can't have fixed dates. Enter a number of days instead.")
	wrong.Require(len(d.Filter.Bills) == 0 && d.Filter.Lost == 0, "definition.filter.bills", "A view can't list individual bills.")
	for i, id := range d.Columns {
		wrong.Require(findColumn(id) != nil, fmt.Sprintf("definition.columns.%d", i), "This column doesn't exist. Select another one.")
	}
	wrong.Require(d.Order == "" || slices.Contains(Orders, d.Order), "definition.order", "Select a valid order.")
	return wrong.Refuse(viewWrong)
}

// readDefinition reads a definition, possibly from another program version. It drops unknown
// parts and returns their names.
func readDefinition(kept string) (d ViewDefinition, dropped []string) {
	var parts struct {
		Filter  map[string]json.RawMessage
		Columns []string
		Order   string
		Compact bool
	}
	if err := json.Unmarshal([]byte(kept), &parts); err != nil {
		return d, []string{"all of it"}
	}
	for _, name := range slices.Sorted(maps.Keys(parts.Filter)) {
		condition, err := json.Marshal(map[string]json.RawMessage{name: parts.Filter[name]})
		if err != nil || !mergePart(condition, &d.Filter) {
			dropped = append(dropped, "filter "+name)
		}
	}
	for _, id := range parts.Columns {
		if findColumn(id) == nil {
			dropped = append(dropped, "column "+id)
		} else {
			d.Columns = append(d.Columns, id)
		}
	}
	d.Order, d.Compact = parts.Order, parts.Compact
	if d.Order != "" && !slices.Contains(Orders, d.Order) {
		dropped, d.Order = append(dropped, "order "+d.Order), ""
	}
	return d, dropped
}

// mergePart adds a part to the filter, if this version knows it.
func mergePart(part []byte, into *OpenBillFilter) bool {
	with := *into
	in := json.NewDecoder(bytes.NewReader(part))
	in.DisallowUnknownFields()
	if in.Decode(&with) != nil {
		return false
	}
	f := with.filter()
	if f.check() != nil {
		return false
	}
	*into = with
	return true
}

// VisibleView is a view as shown to a user.
type VisibleView struct {
	View
	Definition ViewDefinition
	Dropped    []string    // parts that this version doesn't know, or that no longer exist
	Owner      *users.User // nil if they left
	Mine       bool
	Changeable bool
}

// Views returns the user's own views in order, then those that others in the group share.
// Mirroring staff see none.
func (s *Service) Views(ctx context.Context, a access.Actor) ([]VisibleView, error) {
	who := s.newRequester(a)
	if who.group == 0 {
		return nil, nil
	}
	list, err := listViews(ctx, s.db.Reader, who.group, who.me)
	if err != nil {
		return nil, err
	}
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return nil, err
	}
	visible := make([]VisibleView, len(list))
	for i, v := range list {
		if visible[i], err = s.newVisibleView(ctx, v, a, people); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(visible, func(x, y VisibleView) int {
		if x.Mine != y.Mine {
			return map[bool]int{true: -1, false: 1}[x.Mine]
		}
		return 0
	})
	return visible, nil
}

func (s *Service) newVisibleView(ctx context.Context, v View, a access.Actor, people map[int64]*users.User) (VisibleView, error) {
	me := a.Acting()
	visible := VisibleView{View: v, Owner: people[v.OwnerID], Mine: v.OwnerID == me.ID}
	visible.Changeable = visible.Mine || me.Type == access.PRAD
	visible.Definition, visible.Dropped = readDefinition(v.StoredDefinition)
	f := &visible.Definition.Filter
	if f.Assigned == "" {
		return visible, nil
	}
	assignee, err := s.findViewAssignee(ctx, me.GroupID, people, f.Assigned)
	if assignee == 0 {
		visible.Dropped, f.Assigned = append(visible.Dropped, "assigned to "+f.Assigned), ""
	}
	return visible, err
}

// findViewAssignee returns the ID of a view's assignee, who can be inactive. It's 0 if they were terminated or left
// the group.
func (s *Service) findViewAssignee(ctx context.Context, group int64, people map[int64]*users.User, userName string) (int64, error) {
	for id, c := range people {
		if text.Key(c.UserName) == text.Key(userName) {
			return id, nil
		}
	}
	u, err := s.users.ByName(ctx, userName)
	if problem.Is(err, problem.NotFound) || err == nil && (u.GroupID != group || u.StatusCd == users.Terminated) {
		return 0, nil
	}
	return u.ID, err
}

// Counts counts the bills of the pinned views that the user sees.
func (s *Service) Counts(ctx context.Context, a access.Actor) ([]SavedViewCount, error) {
	list, err := s.Views(ctx, a)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(v VisibleView) bool { return !v.Pinned })
	if len(list) == 0 {
		return nil, nil
	}
	who := s.newRequester(a)
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return nil, err
	}
	filters := make([]Filter, len(list))
	for i, v := range list {
		filters[i] = v.Definition.Filter.filter()
		if err := filters[i].check(); err != nil {
			return nil, err
		}
		if filters[i].Assigned == "" {
			continue
		}
		if filters[i].assignee, err = s.findViewAssignee(ctx, who.group, people, filters[i].Assigned); err != nil {
			return nil, err
		}
	}
	if who.scope, err = s.scopes.Scope(ctx, a); err != nil {
		return nil, err
	}
	found, err := counts(ctx, s.db.Reader, who, filters)
	out := make([]SavedViewCount, len(found))
	for i, n := range found {
		out[i] = SavedViewCount{list[i].ID, n}
	}
	return out, err
}

// Payers returns the payers with the most open bills that the user sees.
func (s *Service) Payers(ctx context.Context, a access.Actor) ([]OpenBillPayer, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	return listPayers(ctx, s.db.Reader, scope, MaxPayers)
}

// ViewChange is the new content of a view, and the version the user saw.
type ViewChange struct {
	Version    int64
	Name       string
	Shared     bool
	Pinned     bool
	Position   int // among the user's own, from 0
	Definition ViewDefinition
}

func (c *ViewChange) check() error {
	c.Name = text.Clean(c.Name)
	var wrong validate.Fields
	wrong.Require(c.Name != "", "name", "Enter a name for the view.")
	wrong.Limit(c.Name, MaxName, "name")
	return cmp.Or(wrong.Refuse(viewWrong), c.Definition.check())
}

func (c *ViewChange) apply(v *View, a access.Actor, now db.Instant) error {
	kept, err := json.Marshal(c.Definition)
	v.Name, v.Shared, v.Pinned, v.StoredDefinition = c.Name, c.Shared, c.Pinned, string(kept)
	v.Version, v.UpdatedAt, v.UpdatedBy = v.Version+1, now, a.Person.UserName
	return err
}

// AddView saves a view after the user's other ones. A repeated request saves only one, because
// the user's view names are unique.
func (s *Service) AddView(ctx context.Context, a access.Actor, c ViewChange) (VisibleView, error) {
	v := View{ID: rand.Text(), OwnerID: a.Acting().ID, Group: a.Acting().GroupID}
	return s.changeViews(ctx, a, "view-add", func(tx *sql.Tx, all []View) (View, error) {
		if own := ownViews(all, v.OwnerID); len(own) > 0 {
			v.Position = own[len(own)-1].Position + 1
		}
		err := cmp.Or(c.check(), checkLimits(all, v, c, true))
		if err == nil {
			err = s.checkReach(ctx, a, c.Definition.Filter, OpenBillFilter{})
		}
		if err == nil {
			err = c.apply(&v, a, db.At(s.now()))
		}
		if err != nil {
			return v, err
		}
		return v, addView(ctx, tx, v)
	})
}

// ErrStaleView rejects a change because another user changed the view first.
var ErrStaleView = errors.New("the view was changed by someone else")

// ChangeView changes one of the user's views, or as an administrator a shared one. If another
// user was faster, it returns ErrStaleView and their version.
func (s *Service) ChangeView(ctx context.Context, a access.Actor, id string, c ViewChange) (VisibleView, error) {
	return s.changeViews(ctx, a, "view-change", func(tx *sql.Tx, all []View) (View, error) {
		v, err := findChangeable(all, a, id)
		if err != nil {
			return v, err
		}
		if err := c.check(); err != nil {
			return v, err
		}
		if v.Version != c.Version {
			return v, ErrStaleView
		}
		before, _ := readDefinition(v.StoredDefinition)
		if v.OwnerID != a.Acting().ID { // the owner's private views count too
			if all, err = listViews(ctx, tx, v.Group, v.OwnerID); err != nil {
				return v, err
			}
		}
		err = checkLimits(all, v, c, v.OwnerID == a.Acting().ID)
		if err == nil {
			err = s.checkReach(ctx, a, c.Definition.Filter, before.Filter)
		}
		if err == nil {
			err = c.apply(&v, a, db.At(s.now()))
		}
		if err != nil {
			return v, err
		}
		if v.OwnerID != a.Acting().ID {
			return v, putView(ctx, tx, v)
		}
		return v, storeAt(ctx, tx, ownViews(all, v.OwnerID), &v, c.Position)
	})
}

// RemoveView deletes a view.
func (s *Service) RemoveView(ctx context.Context, a access.Actor, id string) error {
	_, err := s.changeViews(ctx, a, "view-remove", func(tx *sql.Tx, all []View) (View, error) {
		v, err := findChangeable(all, a, id)
		if err != nil {
			return v, err
		}
		return v, removeView(ctx, tx, id)
	})
	return err
}

// changeViews changes and audits views of a group, one request at a time. do gets the views that the
// actor sees.
func (s *Service) changeViews(
	ctx context.Context, a access.Actor, operation audit.Operation, do func(tx *sql.Tx, all []View) (View, error),
) (VisibleView, error) {
	who := s.newRequester(a)
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return VisibleView{}, err
	}
	var changed View
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, viewsLocked, int(who.group)); err != nil {
			return err
		}
		all, err := listViews(ctx, tx, who.group, who.me)
		if err != nil {
			return err
		}
		if changed, err = do(tx, all); err != nil {
			return err
		}
		subject := "view " + changed.ID
		detail := map[bool]string{true: "shared", false: "own"}[changed.Shared]
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: subject, About: []string{subject}, Detail: detail,
			Result: "ok"})
	})
	if err != nil && !errors.Is(err, ErrStaleView) {
		return VisibleView{}, err
	}
	visible, failed := s.newVisibleView(ctx, changed, a, people)
	return visible, cmp.Or(err, failed)
}

// checkReach rejects TINs and users that the actor can't see, except those already in the view.
// The user's TINs can change, and colleagues can leave.
func (s *Service) checkReach(ctx context.Context, a access.Actor, f, before OpenBillFilter) error {
	if f.Assigned != "" && f.Assigned != before.Assigned {
		if _, err := s.findColleague(ctx, s.newRequester(a).group, f.Assigned); err != nil {
			return err
		}
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return err
	}
	for _, tin := range f.TINs {
		if !scope.Has(tin) && !slices.Contains(before.TINs, tin) {
			return access.Refuse(tin)
		}
	}
	return nil
}

// findChangeable returns a visible view that the actor can change.
func findChangeable(all []View, a access.Actor, id string) (View, error) {
	at := slices.IndexFunc(all, func(v View) bool { return v.ID == id })
	if at < 0 {
		return View{}, access.Refuse("view " + id)
	}
	if me := a.Acting(); all[at].OwnerID != me.ID && me.Type != access.PRAD {
		return all[at], problem.WithMessage(problem.Forbidden, "Only its owner or a group administrator can change a shared view.")
	}
	return all[at], nil
}

// checkLimits rejects too many views and duplicate names among those that the owner sees.
func checkLimits(all []View, v View, c ViewChange, isOwner bool) error {
	own := slices.DeleteFunc(ownViews(all, v.OwnerID), func(o View) bool { return o.ID == v.ID })
	shared := 0
	for _, o := range all {
		if o.Shared && o.ID != v.ID {
			shared++
		}
	}
	same := slices.ContainsFunc(own, func(o View) bool { return text.Key(o.Name) == text.Key(c.Name) })
	sameName := "You already have a view with this name. Enter another name."
	if !isOwner {
		sameName = "Its owner already has a view with this name. Enter another name."
	}
	var wrong validate.Fields
	wrong.Require(!same, "name", sameName)
	wrong.Require(len(own) < MaxViews, "name", fmt.Sprintf("You already have %d views. Delete one first.", MaxViews))
	wrong.Require(!c.Shared || shared < MaxShared, "shared", fmt.Sprintf("Your group already shares %d views. Delete one first.",
		MaxShared))
	return wrong.Refuse(viewWrong)
}

func ownViews(all []View, owner int64) []View {
	return slices.DeleteFunc(slices.Clone(all), func(v View) bool { return v.OwnerID != owner })
}

// storeAt stores a view at its position among its owner's, and updates their positions. That
// doesn't count as a change of the other views, so they don't become stale.
func storeAt(ctx context.Context, tx *sql.Tx, own []View, v *View, at int) error {
	own = slices.DeleteFunc(own, func(o View) bool { return o.ID == v.ID })
	at = min(max(0, at), len(own))
	v.Position = at
	if err := putView(ctx, tx, *v); err != nil {
		return err
	}
	for i, o := range slices.Insert(own, at, *v) {
		if o.Position == i {
			continue
		}
		o.Position = i
		if err := putView(ctx, tx, o); err != nil {
			return err
		}
	}
	return nil
}
