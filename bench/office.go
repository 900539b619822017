package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/demo"
	"wcpp/internal/platform/db"
)

// office is a portal with generated data and the users of a busy morning.
type office struct {
	*portal
	kind   string
	data   string // its data directory
	db     *db.DB // the benchmark's own connection
	people people
	script string // file with the users
	held   atomic.Int64
}

// people are the signed-in users and their data. tools/load/morning.js reads them.
type people struct {
	Password string   `json:"password"`
	Names    []string `json:"names"` // users who sign in and out
	Readers  []person `json:"readers"`
	Staff    []person `json:"staff"`
	Sender   sender   `json:"sender"`
}

type person struct {
	ID    int64       `json:"id"`
	Name  string      `json:"name"`
	Token string      `json:"token"`
	TINs  []string    `json:"tins"`
	Bills []knownBill `json:"bills"`
	EORs  []string    `json:"eors"`
}

type knownBill struct {
	FTIN   string `json:"ftin"`
	Number string `json:"number"`
	ID     string `json:"id"`
}

type sender struct {
	Token    string `json:"token"`
	SourceID string `json:"sourceId"`
	GroupID  string `json:"groupId"`
}

// openOffice starts the demo with the given number of bills on its own database and signs its
// users in.
func (b *bench) openOffice(ctx context.Context, kind string, bills int, settings ...string) (*office, func(), error) {
	say("%s: making an office with %d bills ...", kind, bills)
	address, drop, err := b.database(ctx, kind, "office_"+kind)
	if err != nil {
		return nil, nil, err
	}
	o := &office{kind: kind, data: filepath.Join(b.dir, "office-"+kind)}
	// A few users send what many would, so limits per user and group must not apply.
	settings = append(settings, "WCPP_BILL_SEARCHES=1000000", "WCPP_BILL_OPENINGS=1000000",
		"WCPP_ROSTER_UPLOADS=1000000", "WCPP_ROSTER_GROUP_UPLOADS=1000000")
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		if err := os.Setenv(name, value); err != nil {
			return nil, nil, err
		}
	}
	o.portal, err = b.start(ctx, "demo", "--data", o.data, "--database-url", address, "--bills", strconv.Itoa(bills))
	if err == nil {
		o.db, err = db.Open(ctx, address)
	}
	if err == nil {
		err = o.meet(ctx)
	}
	end := func() {
		if o.db != nil {
			o.db.Close()
		}
		if o.portal != nil {
			if err := o.stop(); err != nil {
				say("the portal ended with %v", err)
			}
		}
		_ = os.RemoveAll(o.data) // the next office has another database
		drop()
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return o, end, nil
}

// call sends a request as a user and decodes the response into out, unless it's nil.
func (o *office) call(token, method, path string, body, out any) error {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequest(method, o.url+"/api"+path, &sent)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s answered %d", method, path, res.StatusCode)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(out)
}

func (o *office) signIn(name string) (person, error) {
	p := person{Name: name}
	if err := o.call("", "POST", "/authenticate", map[string]string{"username": name, "password": app.DemoPassword}, &p); err != nil {
		return p, err
	}
	var s struct{ User struct{ ID int64 } }
	err := o.call(p.Token, "GET", "/session", nil, &s)
	p.ID = s.User.ID
	return p, err
}

// meet signs in users of each type and looks up their data.
func (o *office) meet(ctx context.Context) error {
	var users []struct{ UserName, TypeCd string }
	if err := db.Select(ctx, o.db.Reader, &users, `SELECT user_name, type_cd FROM users WHERE status_cd = 'ACTIV' AND user_name <> $1
		ORDER BY id`, demo.Unfinished); err != nil {
		return err
	}
	o.people.Password = app.DemoPassword
	for _, u := range users {
		o.people.Names = append(o.people.Names, u.UserName)
		switch u.TypeCd {
		case "PRAD", "PRUS":
			p, err := o.reader(u.UserName)
			if err != nil {
				return err
			}
			if len(p.Bills) > 0 {
				o.people.Readers = append(o.people.Readers, p)
			}
		case "IRAD", "ISAD":
			p, err := o.signIn(u.UserName)
			if err != nil {
				return err
			}
			o.people.Staff = append(o.people.Staff, p)
		}
	}
	return errors.Join(o.sender(ctx), o.write())
}

func (o *office) reader(name string) (person, error) {
	p, err := o.signIn(name)
	if err != nil {
		return p, err
	}
	var tins []struct{ FTIN string }
	if err := o.call(p.Token, "GET", "/ftin/userFtins/"+name, nil, &tins); err != nil {
		return p, err
	}
	for _, t := range tins {
		p.TINs = append(p.TINs, t.FTIN)
	}
	var open struct {
		Bills []struct{ ID, FTIN, BillControlNumber, PatientLastName string }
	}
	if err := o.call(p.Token, "POST", "/work/bills/search", map[string]any{"filter": struct{}{}, "limit": 100}, &open); err != nil {
		return p, err
	}
	for _, b := range open.Bills {
		p.Bills = append(p.Bills, knownBill{b.FTIN, b.BillControlNumber, b.ID})
		var found []struct{ EORImageURL string }
		if len(p.EORs) >= 5 {
			continue
		}
		if err := o.call(p.Token, "POST", "/billSearch/searchByAssorted",
			map[string]string{"ftin": b.FTIN, "billControlNumber": b.BillControlNumber}, &found); err != nil {
			return p, err
		}
		for _, f := range found {
			if strings.HasPrefix(f.EORImageURL, "/api/") {
				p.EORs = append(p.EORs, f.EORImageURL)
			}
		}
	}
	return p, nil
}

func (o *office) sender(ctx context.Context) error {
	p, err := o.signIn("road.demo")
	if err != nil {
		return err
	}
	var s struct {
		SourceID int64
		GroupID  string
	}
	err = db.Get(ctx, o.db.Reader, &s, `
		SELECT s.source_id, s.group_id FROM group_roster_sources g JOIN roster_source_groups s ON s.source_id = g.source_id
		JOIN users u ON u.group_id = g.group_id WHERE u.user_name = 'road.demo' ORDER BY s.source_group_id LIMIT 1`)
	o.people.Sender = sender{p.Token, strconv.FormatInt(s.SourceID, 10), s.GroupID}
	return err
}

func (o *office) write() error {
	content, err := json.Marshal(o.people)
	if err != nil {
		return err
	}
	o.script = filepath.Join(o.data, "people.json")
	return os.WriteFile(o.script, content, 0o600)
}

// stage is a phase of a load with its target requests per second and duration.
type stage struct {
	Duration string `json:"duration"`
	Target   int    `json:"target"`
}

// outcome has the results of a load's requests, and the milliseconds that successful ones took.
type outcome struct {
	Right, Refused, Wrong, NotBegun int
	Median, P95, P99, Most          float64
	LastBegun                       float64             // Unix time in ms of the last request
	wrote                           map[string][]string // confirmed writes, by kind
	samples                         []string            // samples of wrong responses
	slow                            []string            // slow successful requests with their times
}

var wrote = regexp.MustCompile(`WROTE (\w+) ([^"\\]+)`)

// put runs a load on the office.
func (o *office) put(ctx context.Context, b *bench, run string, most int, stages ...stage) (outcome, error) {
	var got outcome
	text, err := json.Marshal(stages)
	if err != nil {
		return got, err
	}
	out, log := filepath.Join(b.dir, "k6-"+run+".json"), filepath.Join(b.dir, "k6-"+run+".log")
	command := exec.CommandContext(ctx, "go", "tool", "-modfile=tools/load/go.mod", "k6", "run", "--quiet", "--no-usage-report",
		"--no-color", "--log-format", "raw", "--console-output", log, "tools/load/morning.js")
	command.Env = append(os.Environ(), "BASE="+o.url, "PEOPLE="+o.script, "STAGES="+string(text), "OUT="+out, "RUN="+run,
		"MOST="+strconv.Itoa(most))
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	said, err := command.CombinedOutput()
	if err != nil {
		return got, fmt.Errorf("k6: %w: %s", err, said)
	}
	content, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(content, &got)
	}
	if err != nil {
		return got, err
	}
	lines, err := os.Open(log)
	if errors.Is(err, os.ErrNotExist) {
		return got, nil
	}
	if err != nil {
		return got, err
	}
	defer lines.Close()
	got.wrote = map[string][]string{}
	scan := bufio.NewScanner(lines)
	for scan.Scan() {
		if found := wrote.FindStringSubmatch(scan.Text()); found != nil {
			got.wrote[found[1]] = append(got.wrote[found[1]], found[2])
		} else if slow, is := strings.CutPrefix(scan.Text(), "SLOW "); is {
			got.slow = append(got.slow, slow)
		} else if len(got.samples) < 5 {
			got.samples = append(got.samples, scan.Text())
		}
	}
	return got, scan.Err()
}

// lost counts the confirmed writes of a run that are missing in the database.
func (o *office) lost(ctx context.Context, run string, wrote map[string][]string) (int, error) {
	lost := 0
	for kind, query := range map[string]string{
		"note": `SELECT body FROM bill_notes WHERE body LIKE $1`, "roster": `SELECT name FROM roster_files WHERE name LIKE $1`,
	} {
		var there []string
		if err := db.Select(ctx, o.db.Reader, &there, query, run+" %"); err != nil {
			return 0, err
		}
		slices.Sort(there)
		for _, name := range wrote[kind] {
			if _, is := slices.BinarySearch(there, name); !is {
				lost++
			}
		}
	}
	return lost, nil
}

// hold opens notification streams that stay open until ctx ends. It returns once all of them are
// connected. A stream that the portal closes is reopened.
func (o *office) hold(ctx context.Context, streams int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	for n := range streams {
		p := o.people.Readers[n%len(o.people.Readers)]
		go func() {
			for ctx.Err() == nil {
				o.listen(ctx, client, p)
				select {
				case <-ctx.Done():
				case <-time.After(time.Second):
				}
			}
		}()
		if n%50 == 49 {
			time.Sleep(100 * time.Millisecond)
		}
	}
	for started := time.Now(); int(o.held.Load()) < streams; time.Sleep(100 * time.Millisecond) {
		if time.Since(started) > time.Minute {
			return fmt.Errorf("%d of %d streams are held", o.held.Load(), streams)
		}
	}
	return nil
}

func (o *office) listen(ctx context.Context, client *http.Client, p person) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/notifications/events/%d", o.url, p.ID), nil)
	if err != nil {
		return
	}
	req.Header.Set("Authorization", "Bearer "+p.Token)
	res, err := client.Do(req)
	if err != nil {
		return
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return
	}
	o.held.Add(1)
	defer o.held.Add(-1)
	in := bufio.NewReaderSize(res.Body, 512)
	for {
		if _, err := in.ReadSlice('\n'); err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}
