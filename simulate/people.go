package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
)

// person is an account in the model.
type person struct {
	account
	address  string
	password string
	others   []string // passwords that could be the current one, after a reset with an unknown outcome
	tokens   []*token
	tins     map[string][]span
	ended    int64 // when the account was terminated; 0: it isn't
	maybe    bool  // an unknown outcome could have ended it
	changing bool  // a reset or termination is under way
}

// span is a time of the model, from its beginning up to and including to.
type span struct{ from, to int64 }

const forever = math.MaxInt64

// token is a session.
type token struct {
	person   *person
	value    string
	password string
	from, to int64 // of the sign-in
	dead     int64 // from when it must not work; 0: it works
	mirrors  *person
}

// link is a link in an email.
type link struct {
	person *person
	token  string
	screen string
}

func (s *simulation) addPerson(a account, password string) *person {
	p := &person{account: a, password: password, tins: map[string][]span{}, address: fmt.Sprintf("203.0.113.%d", 1+len(s.people))}
	for _, ftin := range a.TINs {
		p.tins[ftin] = []span{{0, forever}}
	}
	s.people = append(s.people, p)
	s.byName[a.Name] = p
	return p
}

// couldSee reports whether a person had a TIN at any time of a call.
func (p *person) couldSee(ftin string, from, to int64) bool {
	return slices.ContainsFunc(p.tins[ftin], func(s span) bool { return s.from <= to && s.to >= from })
}

// has reports whether a person had a TIN during the whole call.
func (p *person) has(ftin string, from, to int64) bool {
	return slices.ContainsFunc(p.tins[ftin], func(s span) bool {
		return s.from < from && (s.to == forever || s.to > to)
	})
}

func (p *person) give(ftin string, from int64) {
	if !p.couldSee(ftin, from, forever) {
		p.tins[ftin] = append(p.tins[ftin], span{from, forever})
	}
}

func (p *person) take(ftin string, to int64) {
	for i, s := range p.tins[ftin] {
		if s.to == forever {
			p.tins[ftin][i].to = to
		}
	}
}

// settleTins makes the model's TINs those that are stored.
func (s *simulation) settleTins(ctx context.Context, p *person) {
	var list []string
	if err := db.Select(ctx, s.fleet.db.Writer, &list, `SELECT t.ftin FROM user_tins t JOIN users u ON u.id = t.user_id
		WHERE u.user_name = $1`, p.Name); err != nil {
		s.violate("readable", "%v", err)
	}
	at := s.tick()
	for _, ftin := range allTINs {
		if slices.Contains(list, ftin) {
			p.give(ftin, at)
		} else {
			p.take(ftin, at)
		}
	}
}

// kill ends all of a person's sessions at a moment.
func (p *person) kill(at int64) {
	for _, t := range p.tokens {
		if t.dead == 0 {
			t.dead = max(at, t.to)
		}
	}
}

// live returns the sessions that work, of people for whom is is true.
func (s *simulation) live(is func(*person) bool) (list []*token) {
	for _, p := range s.people {
		for _, t := range p.tokens {
			if t.dead == 0 && t.mirrors == nil && is(p) {
				list = append(list, t)
			}
		}
	}
	return list
}

func isOffice(p *person) bool { return p.Type == access.PRAD || p.Type == access.PRUS }
func isAdmin(p *person) bool  { return p.Type == access.PRAD }
func isISAD(p *person) bool   { return p.Type == access.ISAD }

// session chooses a live session by the step's first number.
func (r *runner) session(is func(*person) bool) *token {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	t, _ := pickFrom(r.s.live(is), r.step.N[0])
	return t
}

// ended records that a session was refused. From that moment, it must not work again.
func (r *runner) ended(t *token, a reply) {
	if a.status == http.StatusUnauthorized && a.err == nil {
		r.s.mu.Lock()
		defer r.s.mu.Unlock()
		if t.dead == 0 {
			t.dead = a.to
		}
	}
}

// signIn signs a person in by password.
func signIn(ctx context.Context, r *runner) {
	s := r.s
	s.mu.Lock()
	p, _ := pickFrom(s.people, r.step.N[0])
	password := p.password
	s.mu.Unlock()
	r.signInAs(ctx, p, password)
}

func (r *runner) signInAs(ctx context.Context, p *person, password string) *token {
	s := r.s
	a := r.call(ctx, &token{person: p}, http.MethodPost, "/authenticate", fields{"username": p.Name, "password": password})
	var got struct{ Token string }
	s.mu.Lock()
	defer s.mu.Unlock()
	if !a.into(&got) || got.Token == "" {
		if a.err == nil && a.status < 500 && a.status != http.StatusTooManyRequests && p.ended == 0 && !p.maybe && !p.changing &&
			p.password == password && p.others == nil {
			s.violate("sign-in", "%s can't sign in: %d %s", p.Name, a.status, a.body)
		}
		return nil
	}
	t := &token{person: p, value: got.Token, password: password, from: a.from, to: a.to}
	p.tokens = append(p.tokens, t)
	switch {
	case p.ended > 0 && p.ended < a.from:
		s.violate("termination", "%s signed in after the account was terminated", p.Name)
	case p.ended > 0, p.password != password && p.others == nil: // ended or reset since
		t.dead = a.to
	}
	return t
}

// signOut ends a session.
func signOut(ctx context.Context, r *runner) {
	t := r.session(func(*person) bool { return true })
	if t == nil {
		return
	}
	a := r.call(ctx, t, http.MethodPost, "/logout", nil)
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if a.isOK() {
		t.dead = a.to
	} else if a.isUnknown() {
		t.person.tokens = slices.DeleteFunc(t.person.tokens, func(o *token) bool { return o == t })
	}
}

// probe checks that sessions which must not work don't: those that ended, and those before.
func (s *simulation) probe(ctx context.Context, n uint32) {
	var dead []*token
	for _, p := range s.people {
		for _, t := range p.tokens {
			if t.dead > 0 {
				dead = append(dead, t)
			}
		}
	}
	r := &runner{s: s, step: Step{Do: "probe"}, process: s.fleet.pick(n), together: 1, forbidden: true}
	for i := range min(4, len(dead)) {
		t := dead[len(dead)-1-i] // the newest, and a random one
		if i == 3 {
			t = dead[int(n)%len(dead)]
		}
		if a := r.call(ctx, t, http.MethodGet, "/session", nil); a.isOK() {
			s.violate("dead sessions", "a session of %s works after it ended at %d (signed in at %d to %d)", t.person.Name, t.dead,
				t.from, t.to)
		}
		if len(dead) > 40 {
			t.person.tokens = slices.DeleteFunc(t.person.tokens, func(o *token) bool { return o == t })
		}
	}
}

var linkInMail = regexp.MustCompile(`http://portal\.test/wcpp/\S+`)

func readLetter(to string, raw []byte) (letter, error) {
	m, err := mail.Read(bytes.NewReader(raw))
	if err != nil {
		return letter{}, err
	}
	id := ""
	for line := range strings.Lines(string(raw)) {
		if name, value, is := strings.Cut(line, ":"); is && strings.EqualFold(name, "Message-ID") {
			id = strings.TrimSpace(value)
		}
	}
	return letter{to: to, id: id, text: m.Subject + "\n" + m.Text}, nil
}

// awaitLink waits for a link to a screen in an email to a person, other than those known. It
// returns nothing if no email is left to be sent.
func (r *runner) awaitLink(ctx context.Context, p *person, screen string) string {
	for range 150 {
		var waiting int
		if err := db.Get(ctx, r.s.fleet.db.Writer, &waiting, `SELECT count(*) FROM river_job WHERE queue = 'mail'
			AND state IN ('available', 'running')`); err != nil || !r.s.fleet.relay.isWorking() {
			return ""
		}
		for _, l := range r.s.fleet.relay.list() {
			if l.to != p.email() {
				continue
			}
			u, err := url.Parse(linkInMail.FindString(l.text))
			if err != nil || u.Path != "/wcpp/"+screen {
				continue
			}
			found := u.Query().Get("token")
			r.s.mu.Lock()
			isNew := !slices.ContainsFunc(r.s.links, func(o link) bool { return o.token == found })
			if isNew {
				r.s.links = append(r.s.links, link{person: p, token: found, screen: screen})
			}
			r.s.mu.Unlock()
			if isNew {
				return found
			}
		}
		if waiting == 0 {
			return ""
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ""
}

// reset resets a password by a link in an email.
func reset(ctx context.Context, r *runner) {
	s := r.s
	s.mu.Lock()
	p, _ := pickFrom(s.people, r.step.N[0])
	if p.ended > 0 || p.maybe {
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	a := r.call(ctx, &token{person: p}, http.MethodPost, "/public/resetPasswordByUser/start",
		fields{"userName": p.Name, "emailAddress": p.email()})
	if !a.isOK() {
		return
	}
	value := r.awaitLink(ctx, p, "confirmPasswordReset")
	if value == "" {
		return
	}
	r.ready()
	r.complete(ctx, p, value)
}

// complete sets a new password with a link's token.
func (r *runner) complete(ctx context.Context, p *person, value string) {
	s := r.s
	s.mu.Lock()
	s.named++
	password := fmt.Sprintf("Clear-Window-%d", s.named)
	p.changing = true
	s.mu.Unlock()
	body := fields{"token": value, "newPassword": password}
	a := r.call(ctx, &token{person: p}, http.MethodPost, "/public/resetPassword/complete", body)
	s.mu.Lock()
	p.changing = false
	switch {
	case a.isOK():
		p.password, p.others = password, nil
		for _, t := range p.tokens {
			if t.dead == 0 && t.password != password {
				t.dead = max(a.to, t.to)
			}
		}
	case a.isUnknown():
		old := p.password
		p.others = append(p.others, password)
		s.doubted = append(s.doubted, func(ctx context.Context) { s.settlePassword(ctx, p, old, password) })
	}
	s.mu.Unlock()
	if !a.isOK() {
		return
	}
	r.forbidden = true
	if again := r.call(ctx, &token{person: p}, http.MethodPost, "/public/resetPassword/complete", body); again.isOK() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.violate("links", "a reset link of %s worked twice", p.Name)
	}
}

// settlePassword finds out which password a reset with an unknown outcome left.
func (s *simulation) settlePassword(ctx context.Context, p *person, old, fresh string) {
	r := &runner{s: s, step: Step{Do: "settle"}, process: s.fleet.pick(0), together: 1}
	switch {
	case p.ended > 0 || p.maybe:
	case r.signInAs(ctx, p, fresh) != nil:
		at := s.tick()
		for _, t := range p.tokens {
			if t.dead == 0 && t.password != fresh {
				t.dead = at
			}
		}
		p.password = fresh
	case p.password == old && r.signInAs(ctx, p, old) == nil && r.signInAs(ctx, p, old) == nil:
		s.violate("sign-in", "%s can sign in with neither the old nor the new password", p.Name)
	}
	p.others = nil
}

// setTins saves the list of TINs of a colleague, as Manage TINs does.
func setTins(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isAdmin)
	if t == nil {
		return
	}
	s.mu.Lock()
	var colleagues []*person
	for _, p := range s.people {
		if p.Office == t.person.Office && p.Type == access.PRUS && p.ended == 0 && !p.maybe {
			colleagues = append(colleagues, p)
		}
	}
	target, ok := pickFrom(colleagues, r.step.N[0]>>8)
	s.mu.Unlock()
	if !ok {
		return
	}
	type row struct {
		FTIN    string `json:"ftin"`
		HasIt   bool   `json:"hasIt"`
		Version string `json:"version,omitempty"`
	}
	var list []row
	read := r.call(ctx, t, http.MethodGet, "/ftin/managedUserFtins/"+target.Name, nil)
	r.ended(t, read)
	if !read.into(&list) || len(list) == 0 {
		return
	}
	flipped := int(r.step.N[1]) % len(list)
	list[flipped].HasIt = !list[flipped].HasIt
	if !slices.ContainsFunc(list, func(o row) bool { return o.HasIt }) {
		return // a user keeps a TIN
	}
	version := list[0].Version
	r.ready()
	a := r.call(ctx, t, http.MethodPost, "/ftin/managedUserFtins/"+target.Name, list)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case a.isOK():
		key, content := "tins "+target.Name+" "+version, fmt.Sprint(list)
		if before, is := s.saved[key]; is && before.content != content && read.from < before.at {
			s.violate("lost update", "two lists of %s's TINs were saved over the same version: %s, %s", target.Name, before.content,
				content)
		}
		s.saved[key] = saved{content, a.to}
		if r.together > 1 { // the last one of several lists counts
			s.doubted = append(s.doubted, func(ctx context.Context) { s.settleTins(ctx, target) })
		}
		for _, o := range list {
			if o.HasIt {
				target.give(o.FTIN, a.from)
			} else {
				target.take(o.FTIN, a.to)
			}
		}
	case a.isUnknown():
		for _, o := range list {
			if o.HasIt {
				target.give(o.FTIN, a.from)
			}
		}
		s.doubted = append(s.doubted, func(ctx context.Context) { s.settleTins(ctx, target) })
	}
}

// groupTIN removes a TIN from an office, and with it from its people.
func groupTIN(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isAdmin)
	if t == nil || t.person.Office != "wide" { // the billing company has enough
		return
	}
	ftin, _ := pickFrom(allTINs[:2], r.step.N[1])
	var group int64
	if err := db.Get(ctx, s.fleet.db.Writer, &group, `SELECT group_id FROM users WHERE user_name = $1`, t.person.Name); err != nil {
		return
	}
	path := fmt.Sprintf("/ftin/groupFtins/%d/%s?lastUpdatedUserName=%s", group, ftin, t.person.Name)
	a := r.call(ctx, t, http.MethodDelete, path, nil)
	r.ended(t, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !a.isOK() && !a.isUnknown() {
		return
	}
	for _, p := range s.people {
		if p.Office != t.person.Office {
			continue
		}
		if a.isOK() {
			p.take(ftin, a.to)
		}
		s.doubted = append(s.doubted, func(ctx context.Context) { s.settleTins(ctx, p) })
	}
}

// addUser adds a colleague, who registers by the link in an email.
func addUser(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isAdmin)
	if t == nil {
		return
	}
	s.mu.Lock()
	s.named++
	email := fmt.Sprintf("new%d@office.example", s.named)
	var ftins []string
	for _, ftin := range allTINs {
		if t.person.couldSee(ftin, s.ticks.Load(), forever) {
			ftins = append(ftins, ftin)
		}
	}
	s.mu.Unlock()
	ftin, ok := pickFrom(ftins, r.step.N[1])
	if !ok {
		return
	}
	var made struct {
		UserNm string `json:"userNm"`
	}
	a := r.call(ctx, t, http.MethodPut, "/users/createUser", fields{"userFirstName": "Nora", "userLastName": "Newman",
		"emailAddr": email,
		"phoneNum":  "2165550148", "typeCd": "PRUS", "affiliationCd": "OFC_STAFF", "jobTitle": "Biller", "companyNm": "Newman Billing",
		"userFtins": []fields{{"ftin": ftin}}})
	r.ended(t, a)
	if !a.into(&made) || made.UserNm == "" {
		return
	}
	s.mu.Lock()
	p := &person{account: account{Name: made.UserNm, Office: t.person.Office, Type: access.PRUS}, tins: map[string][]span{}}
	p.mailbox = email
	s.mu.Unlock()
	value := r.awaitLink(ctx, p, "confirmAddUser")
	if value == "" {
		return
	}
	a = r.call(ctx, nil, http.MethodPost, "/public/registration/complete", fields{"token": value, "newPassword": firstPassword})
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.isOK() && s.byName[p.Name] == nil {
		added := s.addPerson(p.account, firstPassword)
		added.give(ftin, a.from)
	}
}

// terminate ends a colleague's account, unless too few would be left.
func terminate(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isAdmin)
	if t == nil {
		return
	}
	s.mu.Lock()
	var colleagues []*person
	for _, p := range s.people {
		if p.Office == t.person.Office && p.Type == access.PRUS && p.ended == 0 && !p.maybe {
			colleagues = append(colleagues, p)
		}
	}
	p, ok := pickFrom(colleagues, r.step.N[1])
	if !ok || len(colleagues) < 2 {
		s.mu.Unlock()
		return
	}
	p.changing = true
	s.mu.Unlock()
	r.ready()
	a := r.call(ctx, t, http.MethodPut, "/users/terminateUser/"+t.person.Name+"/"+p.Name, fields{"userNm": p.Name})
	r.ended(t, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	p.changing = false
	switch {
	case a.isOK():
		p.ended = a.to
		p.kill(a.to)
	case a.isUnknown():
		p.maybe = true
		s.doubted = append(s.doubted, func(ctx context.Context) {
			var status string
			if err := db.Get(ctx, s.fleet.db.Writer, &status, `SELECT status_cd FROM users WHERE user_name = $1`, p.Name); err != nil {
				s.violate("readable", "%v", err)
			}
			if p.maybe = false; status == "TERM" {
				p.ended = s.tick()
				p.kill(p.ended)
			}
		})
	}
}

// mirror shows a member of staff an office's data as one of its people sees it. Nothing can be
// changed.
func mirror(ctx context.Context, r *runner) {
	s := r.s
	s.mu.Lock()
	staff, _ := pickFrom([]*person{s.byName["isa"], s.byName["ivo"]}, r.step.N[0])
	var seen []*person
	for _, p := range s.people {
		if isOffice(p) && p.ended == 0 && !p.maybe {
			seen = append(seen, p)
		}
	}
	target, ok := pickFrom(seen, r.step.N[1])
	password := staff.password
	s.mu.Unlock()
	if !ok {
		return
	}
	t := r.signInAs(ctx, staff, password)
	if t == nil {
		return
	}
	s.mu.Lock()
	t.mirrors = target
	s.mu.Unlock()
	var got struct{ Token string }
	a := r.call(ctx, t, http.MethodPost, "/session/mirror", fields{"userNm": target.Name, "reason": "Call"})
	if !a.into(&got) {
		return
	}
	acting := &token{person: staff, value: got.Token, mirrors: target}
	r.lookAround(ctx, acting)
	r.forbidden = true
	w := r.call(ctx, acting, http.MethodPut, "/work/alerts/settings",
		fields{"digest": "off", "hour": 7, "watches": true, "questions": true})
	if w.err == nil &&
		w.status != http.StatusForbidden && w.status < 500 && w.status != http.StatusUnauthorized {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.violate("mirroring", "a change while mirroring %s answered %d", target.Name, w.status)
	}
}
