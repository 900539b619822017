package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"wcpp/internal/identity/access"
)

// world are the people of a simulation: three offices that share TINs, a billing company with
// all TINs, and the network's staff.
var world = []account{
	{Name: "lake", Office: "lake", Type: access.PRAD, TINs: []string{"111111111", "222222222"}},
	{Name: "lana", Office: "lake", Type: access.PRUS, TINs: []string{"111111111"}},
	{Name: "luis", Office: "lake", Type: access.PRUS, TINs: []string{"111111111", "222222222"}},
	{Name: "hill", Office: "hill", Type: access.PRAD, TINs: []string{"222222222", "333333333"}},
	{Name: "hugo", Office: "hill", Type: access.PRUS, TINs: []string{"333333333"}},
	{Name: "bay", Office: "bay", Type: access.PRAD, TINs: []string{"444444444"}},
	{Name: "bela", Office: "bay", Type: access.PRUS, TINs: []string{"444444444"}},
	{Name: "wide", Office: "wide", Type: access.PRAD, TINs: allTINs},
	{Name: "wanda", Office: "wide", Type: access.PRUS, TINs: allTINs},
	{Name: "rosa", Office: "hub", Type: access.ROAD},
	{Name: "roy", Office: "hub", Type: access.ROUS},
	{Name: "isa", Type: access.ISAD},
	{Name: "ivo", Type: access.ISAD},
	{Name: "ira", Type: access.IRAD},
}

var allTINs = []string{"111111111", "222222222", "333333333", "444444444"}

// violation is what the portal did that the model forbids.
type violation struct {
	invariant, detail string
}

// Error describes the violation.
func (v violation) Error() string { return v.invariant + ": " + v.detail }

// simulation is a running script with its model.
type simulation struct {
	script Script
	fleet  *fleet
	ledger *books
	ignore string // an invariant that isn't checked, to prove that it finds something

	mu         sync.Mutex // guards the model
	ticks      atomic.Int64
	group      int
	found      []violation
	people     []*person
	byName     map[string]*person
	links      []link
	notes      []*note
	calls      map[string]*tally
	saved      map[string]saved // over a version
	nights     int
	faulty     bool // a fault happened since the last night
	named      int
	bodies     int
	keyed      map[string]bool // payer calls by their request's key
	audits     map[string]*audited
	rosters    map[string]*roster
	changes    map[int64][]change // of rosters
	notices    map[string]*notice
	tables     map[string]*table
	questions  []*question
	messages   map[string]*message // in questions, by their bodies
	sent       []*sent
	staffCalls map[string]*loggedCall
	letters    map[string]int // how many emails must have a text
	took       map[string]time.Duration
	doubted    []func(context.Context) // settle what unknown outcomes did
}

// saved is what was saved over a version, and when it was confirmed.
type saved struct {
	content string
	at      int64
}

// tally counts the calls of a kind. Those that had to be refused are kept out.
type tally struct{ ok, refused, kept, unknown int }

// run runs a script and returns the first violation, or an error of the simulation itself.
func run(ctx context.Context, script Script, ignore string, say io.Writer) (s *simulation, err error) {
	s = &simulation{script: script, ignore: ignore, byName: map[string]*person{}, calls: map[string]*tally{}, saved: map[string]saved{},
		keyed: map[string]bool{}, audits: map[string]*audited{}, took: map[string]time.Duration{}, rosters: map[string]*roster{},
		changes: map[int64][]change{}, notices: map[string]*notice{}, tables: map[string]*table{}, letters: map[string]int{},
		messages: map[string]*message{}, staffCalls: map[string]*loggedCall{}}
	if s.fleet, err = newFleet(ctx, script.Database, os.Getenv("WCPP_TEST_POSTGRES"), world); err != nil {
		return s, err
	}
	defer func() {
		if len(s.found) > 0 {
			_, _ = fmt.Fprintln(say, s.fleet.lastLogs())
		}
		err = errors.Join(err, s.fleet.close())
	}()
	if s.ledger, err = newBooks(ctx, s.fleet.dir); err != nil {
		return s, err
	}
	for _, a := range world {
		s.addPerson(a, firstPassword)
	}
	if err := s.fleet.start(ctx); err != nil {
		return s, err
	}
	for _, group := range script.split() {
		if err := s.runGroup(ctx, group); err != nil {
			return s, err
		}
		if len(s.found) > 0 {
			return s, nil
		}
	}
	return s, nil
}

// tick returns the next moment of the model's time.
func (s *simulation) tick() int64 { return s.ticks.Add(1) }

// violate records a violation.
func (s *simulation) violate(invariant, detail string, args ...any) {
	if invariant == s.ignore {
		return
	}
	s.found = append(s.found, violation{invariant, fmt.Sprintf(detail, args...)})
}

// runGroup runs steps at the same time, with the fault of the first, and then checks what must be
// true at any time.
func (s *simulation) runGroup(ctx context.Context, steps []Step) error {
	s.group++
	mend, err := s.harm(ctx, steps[0])
	if err != nil {
		return err
	}
	var wait, barrier sync.WaitGroup
	barrier.Add(len(steps))
	began := time.Now()
	for i, step := range steps {
		act := actions[step.Do]
		if act == nil {
			return fmt.Errorf("unknown step %q", step.Do)
		}
		r := &runner{s: s, step: step, process: s.fleet.pick(steps[0].N[3]), number: i, together: len(steps), barrier: &barrier}
		wait.Go(func() {
			defer r.ready()
			if !prepared[step.Do] {
				r.ready()
			}
			act(ctx, r)
		})
	}
	wait.Wait()
	s.took[steps[0].Do] += time.Since(began)
	if err := mend(); err != nil {
		return err
	}
	began = time.Now()
	if err := s.fleet.restore(ctx); err != nil {
		return err
	}
	s.took["restore"] += time.Since(began)
	for _, settle := range s.doubted {
		settle(ctx)
	}
	s.doubted = nil
	s.probe(ctx, steps[0].N[2])
	return nil
}

// harm starts a fault. mend ends it.
func (s *simulation) harm(ctx context.Context, step Step) (mend func() error, err error) {
	none := func() error { return nil }
	p := s.fleet.pick(step.N[3])
	if step.Fault != "" && step.Fault != faultDisconnect {
		s.faulty = true
	}
	fault := step.Fault
	if (fault == faultCut || fault == faultRestart) && s.fleet.cable == nil {
		fault = faultKill
	}
	switch fault {
	case faultKill:
		if err := p.set(ctx, control{Offset: s.fleet.offset, KillIn: max(1, step.At)}); err != nil && !p.exitsSoon() {
			return none, err
		}
	case faultCut:
		s.fleet.cable.cut(true)
		time.AfterFunc(300*time.Millisecond, func() { s.fleet.cable.cut(false) })
		return func() error { s.fleet.cable.cut(false); return nil }, nil
	case faultRestart:
		ended := make(chan error, 1)
		time.AfterFunc(time.Duration(step.At)*time.Millisecond, func() { ended <- s.fleet.endSessions(ctx) })
		return func() error { return <-ended }, nil
	case faultDisk:
		return func() error { return limitFiles(p.cmd.Process.Pid, -1) }, limitFiles(p.cmd.Process.Pid, 1<<12)
	case faultStorage:
		files := filepath.Join(s.fleet.dir, "data", "files")
		if err := os.Rename(files, files+"-away"); err != nil {
			return none, nil //nolint:nilerr // there are no files yet
		}
		if err := os.WriteFile(files, nil, 0o600); err != nil {
			return none, err
		}
		return func() error { return errors.Join(os.Remove(files), os.Rename(files+"-away", files)) }, nil
	}
	return none, nil
}

// runner runs one step.
type runner struct {
	s                *simulation
	step             Step
	process          *process
	number, together int
	forbidden        bool            // the next calls must be refused
	barrier          *sync.WaitGroup // of the steps that run at the same time
	isReady          bool
}

// prepared are actions that read something first, and then act on it.
var prepared = map[string]bool{
	"reset": true, "set-tins": true, "work": true, "payer-call": true, "post": true, "note": true, "terminate": true,
	"handle-roster": true, "ask": true, "follow-up": true, "handle-question": true, "log-call": true,
	"merge": true, "open-call": true, "record-complaint": true, "send-again": true,
}

// repeated are actions whose changes some clients send twice.
var repeated = map[string]bool{
	"set-tins": true, "work": true, "post": true, "note": true, "terminate": true, "add-user": true, "handle-roster": true,
	"announce": true, "ask": true, "follow-up": true, "handle-question": true, "log-call": true,
	"merge": true, "open-call": true, "record-complaint": true,
}

// ready waits until all steps of the group have read what they act on. After that, their calls
// take turns.
func (r *runner) ready() {
	if r.isReady || r.barrier == nil {
		return
	}
	r.isReady = true
	r.barrier.Done()
	r.barrier.Wait()
}

func pickFrom[T any](list []T, n uint32) (v T, ok bool) {
	if len(list) == 0 {
		return v, false
	}
	return list[int(n)%len(list)], true
}

// reply is the response to a call. from and to are the moments around it.
type reply struct {
	status   int
	body     []byte
	err      error
	from, to int64
}

func (r reply) isOK() bool      { return r.err == nil && r.status/100 == 2 }
func (r reply) isUnknown() bool { return r.err != nil || r.status >= 500 }

func (r reply) into(v any) bool { return r.isOK() && json.Unmarshal(r.body, v) == nil }

type fields = map[string]any

// call sends a request as a session, which can be nil.
func (r *runner) call(ctx context.Context, session *token, method, path string, body any) reply {
	var sent io.Reader
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case upload:
		sent, kind = bytes.NewReader(b.body), b.kind
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return reply{err: err}
		}
		sent = bytes.NewReader(text)
	}
	if r.process == nil {
		return reply{err: errDown}
	}
	ctx, cancel := context.WithTimeout(ctx, 40*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+r.process.address+"/api"+path, sent)
	if err != nil {
		return reply{err: err}
	}
	req.Header.Set("Content-Type", kind)
	address := "198.51.100.1"
	if session != nil {
		req.Header.Set("Authorization", "Bearer "+session.value)
		address = session.person.address
	}
	req.Header.Set("X-Forwarded-For", address)
	if r.together > 1 && r.isReady {
		req.Header.Set(turnHeader, fmt.Sprintf("%d %d %d %d", r.s.group, r.number, r.together, uint64(r.step.N[0])+r.s.script.Seed))
	}
	if r.step.Fault == faultDisconnect && r.number == 0 {
		time.AfterFunc(time.Duration(r.step.At)*time.Millisecond, cancel)
	}
	a := reply{from: r.s.tick()}
	res, err := http.DefaultClient.Do(req)
	if err == nil {
		a.status = res.StatusCode
		a.body, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
	}
	a.err, a.to = err, r.s.tick()
	r.s.count(r.step.Do, a, r.forbidden)
	if repeated[r.step.Do] && r.together == 1 && r.step.N[2]%4 == 0 && method != http.MethodGet && a.isOK() {
		again := *r
		again.step.Do, again.forbidden = "repeat", true
		again.call(ctx, session, method, path, body)
	}
	if a.status == http.StatusInternalServerError {
		r.s.mu.Lock()
		defer r.s.mu.Unlock()
		r.s.violate("no 500", "%s %s answered 500: %s", method, path, a.body)
	}
	return a
}

func (s *simulation) count(do string, a reply, forbidden bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.calls[do]
	if t == nil {
		t = &tally{}
		s.calls[do] = t
	}
	switch {
	case a.isOK():
		t.ok++
	case a.isUnknown():
		t.unknown++
	case forbidden:
		t.kept++
	default:
		t.refused++
	}
}

// upload is a form with files.
type upload struct {
	body []byte
	kind string
}

// report lists the calls of each kind.
func (s *simulation) report() string {
	var b strings.Builder
	kinds := map[string]bool{}
	for kind := range s.calls {
		kinds[kind] = true
	}
	for kind := range s.took {
		kinds[kind] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t := cmp.Or(s.calls[kind], &tally{})
		fmt.Fprintf(&b, "%-14s %5d answered %4d refused %4d kept out %4d unknown, %s\n", kind, t.ok, t.refused, t.kept, t.unknown,
			s.took[kind].Round(time.Millisecond))
	}
	return b.String() + s.countQuestions() + "\n"
}

// isWorthADay reports whether most calls were answered. A day of refused calls proves nothing.
func (s *simulation) isWorthADay() bool {
	var all tally
	for _, t := range s.calls {
		all.ok, all.refused, all.unknown = all.ok+t.ok, all.refused+t.refused, all.unknown+t.unknown
	}
	return all.ok > 2*(all.refused+all.unknown)
}
