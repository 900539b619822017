package app

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/payercalls"
	"wcpp/internal/bills/record"
	"wcpp/internal/deadlines"
	"wcpp/internal/demo"
	"wcpp/internal/feeds"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users/administration"
	"wcpp/internal/notifications"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/rosters"
	"wcpp/internal/sso"
)

// DemoPassword is the password for every demo account.
const DemoPassword = "Sunny-Day-2026"

// DemoOptions are the options of a demo portal.
type DemoOptions struct {
	Address  net.Addr     // listening address
	Bills    int          // generated bills
	Progress func(string) // receives progress messages
}

// NewDemo creates a portal with generated data and mock external systems. It first fills an
// empty data directory.
func NewDemo(ctx context.Context, cfg Config, o DemoOptions, log *slog.Logger, now func() time.Time) (*App, error) {
	_, port, err := net.SplitHostPort(o.Address.String())
	if err != nil {
		return nil, err
	}
	// A different hostname than the portal's, so that browsers isolate them.
	standIn := "127.0.0.1:" + port
	if cfg.PublicURL == "" {
		cfg.PublicURL = "http://localhost:" + port
	}
	if cfg.Bills.SecondBillURL == "" {
		cfg.Bills.SecondBillURL = "http://" + standIn + "/demo/second"
	}
	if cfg.Bills.ForeignBillURL == "" {
		cfg.Bills.ForeignBillURL = "http://" + standIn + "/demo/payer/{billControlNumber}"
	}
	cfg.Brand.TermsURL = orDefault(cfg.Brand.TermsURL, "", "http://"+standIn+"/demo/page/terms")
	cfg.Brand.PrivacyURL = orDefault(cfg.Brand.PrivacyURL, "", "http://"+standIn+"/demo/page/privacy")
	cfg.Bills.ImageHosts = append(cfg.Bills.ImageHosts, standIn)
	cfg.Sessions.LegacySignIn = true
	folder, err := filepath.Abs(filepath.Join(cfg.Data, "feed"))
	if err != nil {
		return nil, err
	}
	if cfg.Ingest.FeedURL == "" {
		cfg.Ingest.FeedURL = "file://" + folder
		if err := os.MkdirAll(folder, fileperm.Dir); err != nil {
			return nil, fmt.Errorf("demo import folder: %w", err)
		}
	}
	cfg.Factors = cfg.Factors.OrOffered()
	cfg.Account.InternalDomains = append(cfg.Account.InternalDomains, "harborline.example")
	cfg.Brand.BrandName, cfg.Brand.OrganizationName = orDefault(cfg.Brand.BrandName, "Provider Portal", "Harborline Network"),
		orDefault(cfg.Brand.OrganizationName, "", "Harborline Network")
	cfg.Brand.SupportPhone = orDefault(cfg.Brand.SupportPhone, "", "800-555-0100")
	cfg.Brand.SupportEmail = orDefault(cfg.Brand.SupportEmail, "", "support@portal.example")
	second := demo.NewSecondSystem("http://" + standIn)
	content, err := serveContent(&cfg, port, log)
	if err != nil {
		return nil, err
	}
	// Emails appear in the browser. None leaves this computer.
	cfg.Mail.SMTPURL = ""
	mailbox := demo.NewMailbox(filepath.Join(cfg.Data, "mail"))
	extra := &Extra{Demo: true, Password: DemoPassword, Mount: func(mux *http.ServeMux) {
		second.Mount(mux)
		mailbox.Mount(mux)
	}}
	for _, account := range demo.Accounts {
		extra.Accounts = append(extra.Accounts, sso.DemoAccount{UserName: account.UserName, About: account.About})
	}
	a, err := open(ctx, cfg, log, now, extra, func(d *db.DB) error { return prepareDemo(ctx, d) })
	if err != nil {
		content.Close()
		return nil, err
	}
	a.outside = content
	if withoutTLS(cfg.PublicURL) {
		a.Handler = plainCookies(a.Handler)
	}
	if err := a.fillDemo(ctx, o.Bills, date.Of(now().UTC()), "http://"+standIn, o.Progress); err != nil {
		a.Close()
		return nil, err
	}
	list, err := a.listSecondBills(ctx)
	if err != nil {
		a.Close()
		return nil, err
	}
	second.Serve(list)
	return a, nil
}

// serveContent serves the demo's content host on the port after the portal's if it's free. It
// sets the content settings that aren't configured.
func serveContent(cfg *Config, port string, log *slog.Logger) (io.Closer, error) {
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(n+1)))
	if err != nil {
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, err
		}
	}
	font, err := loadTextFont()
	if err != nil {
		listener.Close()
		return nil, err
	}
	portal := listOrigins(cfg.PublicURL, "http://localhost:"+port, "http://127.0.0.1:"+port)
	server := &http.Server{
		Handler: demo.NewContent(portal, font), ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("demo content host stopped", "error", err)
		}
	}()
	host := "http://" + listener.Addr().String()
	cfg.Content.HomePageURL = orDefault(cfg.Content.HomePageURL, "", host+"/home")
	cfg.Content.LoginPageURL = orDefault(cfg.Content.LoginPageURL, "", host+"/login")
	cfg.Content.WebsiteURL = orDefault(cfg.Content.WebsiteURL, "", host+"/home")
	if cfg.Content.ResourceURL == "" {
		cfg.Content.ResourceURL, cfg.Content.ResourceKey = host, demo.ContentKey
		cfg.Content.ResourceAssetPath, cfg.Content.ResourceContentPath = demo.AssetPath, demo.ContentPath
	}
	if cfg.Chat.ChatURL == "" {
		cfg.Chat.ChatURL, cfg.Chat.ChatToken, cfg.Chat.ChatHMACKey = host, "demo", "demo-chat-key"
	}
	return server, nil
}

func orDefault(value, unset, other string) string {
	if value == "" || value == unset {
		return other
	}
	return value
}

// fillDemo writes the demo's feeds and imports them as network files. The feeds are deleted only
// after a complete import, so the next start resumes an interrupted one.
func (a *App) fillDemo(ctx context.Context, count int, today date.Date, network string, progress func(string)) error {
	done := filepath.Join(a.Config.Data, "demo.done")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	dir := filepath.Join(a.Config.Data, "demo-feeds")
	today, err := loadFirstDay(dir, today)
	if err != nil {
		return err
	}
	if err := a.fillFeeds(ctx); err != nil {
		return err
	}
	if err := a.importDemo(ctx, dir, count, today, progress); err != nil {
		return err
	}
	if err := a.Users.SetMissingPasswords(ctx, DemoPassword); err != nil {
		return err
	}
	if err := a.fillStaffRoles(ctx); err != nil {
		return err
	}
	if err := a.fillNotifications(ctx, network); err != nil {
		return err
	}
	if err := a.fillRosters(ctx, today); err != nil {
		return err
	}
	if err := a.fillReasons(ctx); err != nil {
		return err
	}
	if err := a.fillRules(ctx); err != nil {
		return err
	}
	if err := a.fillWork(ctx); err != nil {
		return err
	}
	if err := a.fillQuestions(ctx, today); err != nil {
		return err
	}
	if err := a.fillNews(ctx, today); err != nil {
		return err
	}
	if err := a.writeSamples(today, count); err != nil {
		return err
	}
	if err := os.WriteFile(done, []byte(today+"\n"), 0o600); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// bankListName is the file of the demo bank's deposits.
const bankListName = "bank-deposits.csv"

func (a *App) samplePath(name string) string { return filepath.Join(a.Config.Data, "samples", name) }

// writeSamples writes files to try the portal with: an 837 of sent bills for Bulk lookup, and a
// bank's list of a day for Match deposits.
func (a *App) writeSamples(today date.Date, count int) error {
	if err := os.MkdirAll(filepath.Join(a.Config.Data, "samples"), 0o700); err != nil {
		return err
	}
	sent, err := demo.SentBills(today, count)
	if err != nil {
		return err
	}
	var deposits bytes.Buffer
	return errors.Join(
		os.WriteFile(a.samplePath("sent-bills.edi"), sent, 0o600),
		demo.WriteBankList(&deposits, today, count),
		os.WriteFile(a.samplePath(bankListName), deposits.Bytes(), 0o600),
	)
}

// loadFirstDay returns the date of the first start, which it stores in the directory, so that a
// resumed start writes the same files.
func loadFirstDay(dir string, today date.Date) (date.Date, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "day")
	kept, err := os.ReadFile(file)
	switch {
	case err == nil:
		return date.Parse(strings.TrimSpace(string(kept)))
	case errors.Is(err, fs.ErrNotExist):
		return today, os.WriteFile(file, []byte(today), 0o600)
	}
	return "", err
}

// fillFeeds sets the senders of the demo's files.
func (a *App) fillFeeds(ctx context.Context) error {
	there, err := a.FeedDesk.Sources(ctx)
	if err != nil || len(there) > 0 { // by an interrupted start
		return err
	}
	for _, x := range []feeds.Source{
		{Name: "Harborline clearinghouse", Kind: "x12", Pattern: "bills-*.edi", Expected: "0 6 * * 1-5", GraceMinutes: 60,
			OwnerMail: "feeds@harborline.example"},
		{Name: "Beacon Road Mutual", Kind: "x12", Pattern: "payments*.edi", Expected: "30 7 * * *", GraceMinutes: 30,
			OwnerMail: "feeds@harborline.example"},
		{Name: "Claim system", Kind: "csv-claims", Expected: "0 4 * * 1", GraceMinutes: 240},
		{Name: "Fee schedule desk", Kind: "csv-allowances", GraceMinutes: 60},
	} {
		if _, err := a.FeedDesk.Add(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// importDemo writes the demo's files to the directory and imports them.
func (a *App) importDemo(ctx context.Context, dir string, count int, today date.Date, progress func(string)) error {
	progress(fmt.Sprintf("creating %d sample bills ...", count))
	files, err := demo.Files(ctx, today, count, func(name string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, name))
	})
	if err != nil {
		return err
	}
	came, err := splitByWeek(dir, files, today)
	if err != nil {
		return err
	}
	for _, f := range came {
		opts := ingest.Options{AllowTest: true, Quiet: f.quiet, Progress: func(p ingest.Progress) {
			progress(fmt.Sprintf("%s: %s, %d records", f.Name, p.Phase, p.Records))
		}}
		importer := a.Feeds
		if f.day < today {
			importer = importer.At(func() time.Time { return f.day.Time().Add(14 * time.Hour) })
		}
		report, err := importer.Import(ctx, f.Kind, filepath.Join(dir, f.Name), opts)
		if err != nil {
			return err
		}
		if report.ExitCode() != ingest.ExitAllImported {
			var text strings.Builder
			if err := report.WriteText(&text); err != nil {
				return err
			}
			return fmt.Errorf("demo data: %s", text.String())
		}
	}
	return nil
}

// datedFile is a demo file with its arrival date.
type datedFile struct {
	demo.File
	day   date.Date
	quiet bool
}

// splitByWeek splits bill and payment files by week, so that past days have a history too. Bills
// still precede all payments.
func splitByWeek(dir string, files []demo.File, today date.Date) ([]datedFile, error) {
	var came []datedFile
	for _, f := range files {
		if f.Kind != "x12" {
			came = append(came, datedFile{f, today, false})
			continue
		}
		path := filepath.Join(dir, f.Name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		parts, err := demo.ByWeek(f.Name, text, today)
		if err != nil {
			return nil, err
		}
		for _, w := range parts {
			if err := os.WriteFile(filepath.Join(dir, w.Name), w.Text, 0o600); err != nil {
				return nil, err
			}
			// The first file of a kind announces no news, even if it's split.
			first := f.Name == "bills-professional.edi"
			came = append(came, datedFile{demo.File{Name: w.Name, Kind: f.Kind}, w.Day, first})
		}
	}
	return came, nil
}

// prepareDemo refuses a database with other accounts than the demo's, before it changes anything in it.
func prepareDemo(ctx context.Context, d *db.DB) error {
	version, _, err := migrations.ReadVersions(ctx, d)
	if err == nil && version > 0 {
		var all, own int
		err = d.Reader.QueryRowContext(ctx, `SELECT count(*), count(CASE WHEN user_name = $1 THEN 1 END) FROM users`,
			demo.Accounts[0].UserName).Scan(&all, &own)
		if err == nil && all > 0 && own == 0 {
			return errors.New("the demo uses public passwords, so it can't share a database with existing accounts; use another --data " +
				"and unset WCPP_DATABASE_URL")
		}
	}
	if err == nil {
		_, err = migrations.Up(ctx, d)
	}
	return err
}

// fillStaffRoles sets the staff roles of the demo's accounts.
func (a *App) fillStaffRoles(ctx context.Context) error {
	if !a.Config.Access.Offers("staff.roles") {
		return nil
	}
	admin, err := a.loadActor(ctx, "isad.demo")
	admin.Proven = true
	for _, account := range demo.Accounts {
		var u access.Actor
		if err == nil {
			u, err = a.loadActor(ctx, account.UserName)
		}
		if role := access.Role(account.Role); err == nil && u.Person.Role != role { // not yet by an interrupted start
			err = a.Administration.SetStaffRole(ctx, admin, account.UserName, administration.RoleChange{Role: role})
		}
	}
	return err
}

// fillNotifications creates notifications from the system administrator. It sends today's at
// once, regardless of the hour.
func (a *App) fillNotifications(ctx context.Context, network string) error {
	written, err := a.Notifications.List(ctx)
	if err != nil || len(written) > 0 { // by an interrupted start
		return err
	}
	writer, err := a.loadActor(ctx, "isad.demo")
	if err != nil {
		return err
	}
	today := a.Notifications.Today()
	for _, n := range demo.Notifications {
		stored := notifications.Notification{Name: n.Name, Campaign: n.Campaign, RequestedBy: n.RequestedBy}
		if n.Page != "" {
			stored.Link = network + "/demo/page/" + n.Page
		}
		if !n.Unscheduled {
			stored.SendDate = today.AddDays(n.InDays)
		}
		var ids []string
		for _, name := range n.To {
			to, err := a.loadActor(ctx, name)
			if err != nil {
				return err
			}
			ids = append(ids, strconv.FormatInt(to.Person.ID, 10))
		}
		stored.Recipients = strings.Join(ids, ",")
		if stored, err = a.Notifications.Create(ctx, writer, stored); err != nil {
			return err
		}
		if err := a.Notifications.SendUpTo(ctx, today); err != nil {
			return err
		}
		for _, name := range n.Viewed {
			viewer, err := a.loadActor(ctx, name)
			if err == nil {
				err = a.Notifications.MarkViewed(ctx, viewer, stored.ID)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fillRosters sends rosters from roster users.
func (a *App) fillRosters(ctx context.Context, today date.Date) error {
	list := demo.Rosters(today)
	sender, err := a.loadActor(ctx, list[0].By)
	if err != nil {
		return err
	}
	sent, err := a.Rosters.Uploads(ctx, sender, sender.Person.GroupID)
	if err != nil {
		return err
	}
	for _, r := range list[min(len(sent), len(list)):] { // an interrupted start sent the first ones
		if err := a.sendRoster(ctx, r); err != nil {
			return err
		}
	}
	if len(sent) > 0 || !a.Config.Access.Offers("rosters.receive") {
		return nil
	}
	return a.receiveDemoRosters(ctx, sender)
}

// receiveDemoRosters lets the network receive the demo's first rosters.
func (a *App) receiveDemoRosters(ctx context.Context, sender access.Actor) error {
	staff, err := a.loadActor(ctx, "isad.demo")
	if err != nil {
		return err
	}
	list, err := a.Rosters.Uploads(ctx, sender, sender.Person.GroupID)
	if err != nil {
		return err
	}
	slices.Reverse(list)
	for n, to := range []rosters.Handling{rosters.Done, rosters.Taken} {
		if _, err := a.Rosters.Handle(ctx, staff, list[n].ID, rosters.Step{From: rosters.New, To: to}); err != nil {
			return err
		}
	}
	return nil
}

// fillReasons adds the network's own texts to some codes on the demo's payments.
func (a *App) fillReasons(ctx context.Context) error {
	if !a.hasReasons() {
		return nil
	}
	staff, err := a.loadActor(ctx, "isad.demo")
	if err != nil {
		return err
	}
	_, err = a.Codes.Import(ctx, staff, demo.Reasons)
	return err
}

// fillRules confirms some of the portal's unreviewed draft rules and applies them to the demo's
// bills.
func (a *App) fillRules(ctx context.Context) error {
	if !a.hasDeadlines() {
		return nil
	}
	staff, err := a.loadActor(ctx, "isad.demo")
	if err != nil {
		return err
	}
	desk, err := a.Deadlines.Desk(ctx)
	if err != nil {
		return err
	}
	for _, r := range desk.Rules {
		if r.Version > 0 || !slices.Contains(demo.ConfirmedRules, r.ID) { // by an interrupted start
			continue
		}
		r.Status, r.ReviewedBy = deadlines.Active, demo.RuleReviewer
		if _, err := a.Deadlines.Save(ctx, staff, r); err != nil {
			return err
		}
	}
	return a.Deadlines.Recalculate(ctx)
}

// fillWork simulates office work on open bills.
func (a *App) fillWork(ctx context.Context) error {
	if !a.Config.Access.Offers("work.notes") {
		return nil
	}
	today := a.Notifications.Today()
	for _, w := range demo.Works() {
		by, err := a.loadActor(ctx, w.By)
		if err != nil {
			return err
		}
		kept, err := a.OpenBills.Views(ctx, by)
		if err != nil {
			return err
		}
		if len(kept) > 0 {
			continue // done by an interrupted start
		}
		lists := map[string][]openbills.Listed{}
		for _, b := range w.Bills {
			list, known := lists[b.State]
			if !known {
				if list, _, err = a.OpenBills.Page(ctx, by, openbills.Filter{States: []string{b.State}}, openbills.Place{}, 0, 50); err !=
					nil {
					return err
				}
				lists[b.State] = list
			}
			if b.At < len(list) && list[b.At].Work.Version == 0 && list[b.At].Work.Notes == 0 {
				if err := a.workOn(ctx, by, list[b.At], b, today); err != nil {
					return err
				}
			}
		}
		for _, v := range w.Views {
			c := openbills.ViewChange{Name: v.Name, Shared: true, Pinned: true}
			if err := json.Unmarshal([]byte(v.Definition), &c.Definition); err != nil {
				return err
			}
			if _, err := a.OpenBills.AddView(ctx, by, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// workOn performs the planned work on one bill. It skips bills that the planned assignee can't
// see.
func (a *App) workOn(ctx context.Context, by access.Actor, bill openbills.Listed, b demo.WorkOnBill, today date.Date) error {
	if b.Note != "" {
		if err := a.OpenBills.AddNote(ctx, by, bill.Page, b.Note); err != nil {
			return err
		}
	}
	var c openbills.Change
	if b.To != "" {
		c.AssignTo = &b.To
	}
	if b.FollowUp != nil {
		day := today.AddDays(*b.FollowUp)
		c.FollowUpOn = &day
	}
	marked := ""
	switch {
	case b.Done:
		marked = openbills.MarkedDone
	case b.Parked > 0:
		marked, c.Until = openbills.Snoozed, today.AddDays(b.Parked)
	}
	if marked != "" {
		c.Marked = &marked
	}
	if b.Call != nil {
		return a.logDemoCall(ctx, by, bill, *b.Call, today)
	}
	if c == (openbills.Change{}) {
		return nil
	}
	_, err := a.OpenBills.Set(ctx, by, []openbills.Target{{Page: bill.Page, Changed: bill.Changed}}, c)
	return err
}

func (a *App) logDemoCall(ctx context.Context, by access.Actor, bill openbills.Listed, c demo.PayerCall, today date.Date) error {
	call := payercalls.Call{RequestKey: rand.Text(), Payer: cmp.Or(bill.PayerName, "The payer"), Person: c.Person,
		Outcome: openbills.CallOutcome(c.Outcome), Reference: c.Reference, Body: c.Body, FollowUpOn: today.AddDays(7)}
	if c.Promised > 0 {
		call.PromisedOn = today.AddDays(c.Promised)
	}
	_, _, err := a.PayerCalls.Log(ctx, by, call, []openbills.Target{{Page: bill.Page}})
	return err
}

// fillNews sets the office's last visit to Today some days back, before its payments arrived,
// and adds a mailbox.
func (a *App) fillNews(ctx context.Context, today date.Date) error {
	zone, err := a.Config.Notifications.Zone()
	if err != nil {
		return err
	}
	lately := today.AddDays(-3)
	for _, name := range []string{"prad.demo", "prus.demo"} {
		actor, err := a.loadActor(ctx, name)
		if err != nil {
			return err
		}
		tins, err := a.TINs.ListTINs(ctx, actor.Person)
		if err != nil {
			return err
		}
		changes, err := a.Ledger.ChangesAfter(ctx, access.NewScope(tins), 0, math.MaxInt32)
		if err != nil {
			return err
		}
		paid := slices.IndexFunc(changes, func(c facts.Change) bool { return c.Kind == facts.Paid })
		if paid < 0 { // too few bills
			continue
		}
		window := alerts.Window{To: changes[paid].ID - 1, Today: lately}
		day := lately.Time()
		at := time.Date(day.Year(), day.Month(), day.Day(), 16, 10, 0, 0, zone)
		if _, err := a.Alerts.MarkSeenAt(ctx, actor, window, at); err != nil {
			return err
		}
	}
	admin, err := a.loadActor(ctx, "prad.demo")
	if err != nil {
		return err
	}
	boxes, err := a.Alerts.Mailboxes(ctx, admin)
	if err != nil || len(boxes) > 0 { // by an interrupted start
		return err
	}
	return a.Alerts.AddConfirmed(ctx, admin, "billing@lakeside.example",
		alerts.Mailing{Digest: alerts.Daily, Days: []int{1, 2, 3, 4, 5}, Hour: 7})
}

func (a *App) sendRoster(ctx context.Context, r demo.Roster) error {
	sender, err := a.loadActor(ctx, r.By)
	if err != nil {
		return err
	}
	received := a.Rosters.NewLocalFiles()
	defer received.Close() //nolint:errcheck // the next start removes temporary files
	for _, f := range r.Files {
		if err := received.Save(f.Name, strings.NewReader(f.Content)); err != nil {
			return err
		}
	}
	u := rosters.Upload{SourceID: r.SourceID, GroupID: r.GroupID, RosterType: rosters.Full}
	if r.Partial {
		u.RosterType = rosters.Delta
	}
	_, err = a.Rosters.Send(ctx, sender, u, received.Files)
	return err
}

func (a *App) loadActor(ctx context.Context, userName string) (access.Actor, error) {
	u, err := a.Users.ByName(ctx, userName)
	return access.Actor{Person: u.Person()}, err
}

// listSecondBills returns bills for the mock second bill system. Their claimants are in the first
// system too, as for a payer with two systems.
func (a *App) listSecondBills(ctx context.Context) ([]demo.SecondBill, error) {
	var list []demo.SecondBill
	for _, name := range []string{"prad.demo", "nnus.demo"} {
		u, err := a.Users.ByName(ctx, name)
		if err != nil {
			return nil, err
		}
		owned, err := a.TINs.ListTINs(ctx, u.Person())
		if err != nil {
			return nil, err
		}
		for _, ftin := range owned {
			sample, err := a.Bills.Search.Sample(ctx, access.NewScope(owned), ftin, 25)
			if err != nil {
				return nil, err
			}
			for i, b := range sample {
				list = append(list, toSecondBill(b, i))
			}
		}
	}
	return list, nil
}

func toSecondBill(b record.Bill, n int) demo.SecondBill {
	charges := float64(b.BillCharges/2) / 100
	return demo.SecondBill{
		FTIN: b.FTIN, ExID: fmt.Sprintf("%s-%d", b.FTIN[5:], n), BillControlNumber: fmt.Sprintf("M%s%04d", b.FTIN[4:], n),
		DocumentID: fmt.Sprintf("MD%s%04d", b.FTIN[5:], n), ClaimNumber: b.ClaimNumber,
		PatientFirstName: b.PatientFirstName, PatientLastName: b.PatientLastName, BirthDate: string(b.PatientBirthDate),
		BeginServiceDate: string(b.BeginServiceDate), EndServiceDate: string(b.EndServiceDate),
		PhysicianFirstName: b.PhysicianFirstName, PhysicianLastName: b.PhysicianLastName, FacilityName: b.FacilityName,
		BillCharges: charges, RecommendedAllowance: charges * 3 / 4, BillStatus: "2", EOR: n%2 == 0, PayerName: b.PayerName,
	}
}

// DemoGreeting returns the text to print when the demo is ready, with accounts and search
// examples that can't be guessed.
func (a *App) DemoGreeting(ctx context.Context) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe demo portal is ready: %s\n\nSign in with one of these accounts (password: %s)\n", a.Config.PublicURL,
		DemoPassword)
	for _, account := range demo.Accounts {
		fmt.Fprintf(&b, "  %-10s %s\n", account.UserName, account.About)
	}
	found, err := a.findSampleBill(ctx)
	if err != nil {
		return "", err
	}
	if found.FTIN != "" {
		b.WriteString("\nAs prad.demo or prus.demo, search for\n")
		fmt.Fprintf(&b, "  bill       %s with Tax ID %s\n", found.BillControlNumber, found.FTIN)
		fmt.Fprintf(&b, "  claim      %s, service date %s\n", found.ClaimNumber, found.BeginServiceDate.US())
		fmt.Fprintf(&b, "  claimant   %s %s, born %s, injured %s\n", found.PatientFirstName, found.PatientLastName,
			found.PatientBirthDate.US(), found.DateOfInjury.US())
	}
	if list := a.samplePath(bankListName); a.Config.Access.Offers("remittances.read") {
		fmt.Fprintf(&b, "\nTo match a day's deposits, upload %s in Remittances\n", list)
	}
	fmt.Fprintf(&b, "\nTo read the portal's emails, open %s/demo/mail\n", a.Config.PublicURL)
	b.WriteString("\nAll people and bills are fictional. Press Ctrl+C to stop; data is kept.\n")
	return b.String(), nil
}

// findSampleBill returns a bill that both provider accounts may see, with an EOR if possible. It
// returns none if the demo has too few bills.
func (a *App) findSampleBill(ctx context.Context) (found record.Bill, err error) {
	u, err := a.Users.ByName(ctx, "prus.demo")
	if err != nil {
		return found, err
	}
	owned, err := a.TINs.ListTINs(ctx, u.Person())
	if err != nil {
		return found, err
	}
	for _, ftin := range owned {
		list, err := a.Bills.Search.Sample(ctx, access.NewScope(owned), ftin, 25)
		if err != nil {
			return found, err
		}
		for _, b := range list {
			if found.FTIN == "" || b.EOR && !found.EOR {
				found = b
			}
		}
	}
	return found, nil
}
