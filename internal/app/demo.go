package app

import (
	"context"
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

	"wcpp/internal/access"
	"wcpp/internal/bills"
	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/deadlines"
	"wcpp/internal/demo"
	"wcpp/internal/feeds"
	"wcpp/internal/notifications"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/rosters"
	"wcpp/internal/sso"
)

// DemoPassword is the password of every demo account.
const DemoPassword = "Sunny-Day-2026"

// NewDemo makes a portal with invented data and stand-ins for the systems
// outside. An empty data directory is filled first; say tells how far it is.
func NewDemo(ctx context.Context, cfg Config, listening net.Addr, count int, log *slog.Logger, now func() time.Time, say func(string)) (*App, error) {
	_, port, err := net.SplitHostPort(listening.String())
	if err != nil {
		return nil, err
	}
	// Another host name than the portal's: browsers keep the two apart.
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
	cfg.Brand.TermsURL = or(cfg.Brand.TermsURL, "", "http://"+standIn+"/demo/page/terms")
	cfg.Brand.PrivacyURL = or(cfg.Brand.PrivacyURL, "", "http://"+standIn+"/demo/page/privacy")
	cfg.Bills.ImageHosts = append(cfg.Bills.ImageHosts, standIn)
	cfg.Sessions.LegacySignIn = true
	folder, err := filepath.Abs(filepath.Join(cfg.Data, "feed"))
	if err != nil {
		return nil, err
	}
	if cfg.Intake.FeedURL == "" {
		cfg.Intake.FeedURL = "file://" + folder
		if err := os.MkdirAll(folder, fileperm.Dir); err != nil {
			return nil, fmt.Errorf("demo import folder: %w", err)
		}
	}
	cfg.Factors = cfg.Factors.OrOffered()
	cfg.Account.InternalDomains = append(cfg.Account.InternalDomains, "harborline.example")
	cfg.Brand.BrandName, cfg.Brand.OrganizationName = or(cfg.Brand.BrandName, "Provider Portal", "Harborline Network"), or(cfg.Brand.OrganizationName, "", "Harborline Network")
	second := demo.NewSecondSystem("http://" + standIn)
	content, err := serveContent(&cfg, port, log)
	if err != nil {
		return nil, err
	}
	// Mails are read in the browser: none leaves this computer.
	cfg.Mail.SMTPURL = ""
	mailbox := demo.NewMailbox(filepath.Join(cfg.Data, "mail"))
	extra := &Extra{Demo: true, Password: DemoPassword, Mount: func(mux *http.ServeMux) {
		second.Mount(mux)
		mailbox.Mount(mux)
	}}
	for _, account := range demo.Accounts {
		extra.Accounts = append(extra.Accounts, sso.DemoAccount{UserName: account.UserName, About: account.About})
	}
	a, err := New(ctx, cfg, log, now, extra)
	if err != nil {
		content.Close()
		return nil, err
	}
	a.outside = content
	if withoutTLS(cfg.PublicURL) {
		a.Handler = plainCookies(a.Handler)
	}
	if err := a.fillDemo(ctx, count, date.Of(now().UTC()), "http://"+standIn, say); err != nil {
		a.Close()
		return nil, err
	}
	list, err := a.secondBills(ctx)
	if err != nil {
		a.Close()
		return nil, err
	}
	second.Serve(list)
	return a, nil
}

// serveContent serves the demo's content host at the port after the portal's
// where that is free, and points the settings that are not made at it.
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
	font, err := textFont()
	if err != nil {
		listener.Close()
		return nil, err
	}
	portal := origins(cfg.PublicURL, "http://localhost:"+port, "http://127.0.0.1:"+port)
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
	cfg.Content.HomePageURL = or(cfg.Content.HomePageURL, "", host+"/home")
	cfg.Content.LoginPageURL = or(cfg.Content.LoginPageURL, "", host+"/login")
	cfg.Content.WebsiteURL = or(cfg.Content.WebsiteURL, "", host+"/home")
	if cfg.Content.ResourceURL == "" {
		cfg.Content.ResourceURL, cfg.Content.ResourceKey = host, demo.ContentKey
		cfg.Content.ResourceAssetPath, cfg.Content.ResourceContentPath = demo.AssetPath, demo.ContentPath
	}
	if cfg.Chat.ChatURL == "" {
		cfg.Chat.ChatURL, cfg.Chat.ChatToken, cfg.Chat.ChatHMACKey = host, "demo", "demo-chat-key"
	}
	return server, nil
}

func or(value, unset, other string) string {
	if value == "" || value == unset {
		return other
	}
	return value
}

// fillDemo writes the demo's feeds and imports them as a network's files would
// be. A stop in between is made good by the next start: the feeds are kept
// until all of them were taken.
func (a *App) fillDemo(ctx context.Context, count int, today date.Date, network string, say func(string)) error {
	done := filepath.Join(a.Config.Data, "demo.done")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	if err := a.refuseOffice(ctx); err != nil {
		return err
	}
	dir := filepath.Join(a.Config.Data, "demo-feeds")
	today, err := firstDay(dir, today)
	if err != nil {
		return err
	}
	if err := a.fillFeeds(ctx); err != nil {
		return err
	}
	if err := a.importDemo(ctx, dir, count, today, say); err != nil {
		return err
	}
	if err := a.Users.SetMissingPasswords(ctx, DemoPassword); err != nil {
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
	if err := a.fillNews(ctx, today); err != nil {
		return err
	}
	if err := os.WriteFile(done, []byte(today+"\n"), 0o600); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// firstDay keeps the day of the first start in the directory, so that the files
// of a start that goes on stay the same.
func firstDay(dir string, today date.Date) (date.Date, error) {
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

// fillFeeds tells who sends the demo's files.
func (a *App) fillFeeds(ctx context.Context) error {
	there, err := a.ControlRoom.Sources(ctx)
	if err != nil || len(there) > 0 { // by a start that was stopped
		return err
	}
	for _, x := range []feeds.Source{
		{Name: "Harborline clearinghouse", Kind: "x12", Pattern: "bills-*.edi", Expected: "0 6 * * 1-5", GraceMinutes: 60, OwnerMail: "feeds@harborline.example"},
		{Name: "Beacon Road Mutual", Kind: "x12", Pattern: "payments*.edi", Expected: "30 7 * * *", GraceMinutes: 30, OwnerMail: "feeds@harborline.example"},
		{Name: "Claim system", Kind: "csv-claims", Expected: "0 4 * * 1", GraceMinutes: 240},
		{Name: "Fee schedule desk", Kind: "csv-allowances", GraceMinutes: 60},
	} {
		if _, err := a.ControlRoom.Add(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// importDemo writes the demo's files into the directory and imports them.
func (a *App) importDemo(ctx context.Context, dir string, count int, today date.Date, say func(string)) error {
	say(fmt.Sprintf("creating %d sample bills ...", count))
	files, err := demo.Files(ctx, today, count, func(name string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, name))
	})
	if err != nil {
		return err
	}
	came, err := byWeek(dir, files, today)
	if err != nil {
		return err
	}
	for _, f := range came {
		opts := ingest.Options{TakeTest: true, Quiet: f.quiet, Progress: func(p ingest.Progress) {
			say(fmt.Sprintf("%s: %s, %d records", f.Name, p.Phase, p.Records))
		}}
		importer := a.Feeds
		if f.day < today {
			importer = importer.At(func() time.Time { return f.day.Time().Add(14 * time.Hour) })
		}
		report, err := importer.Import(ctx, f.Kind, filepath.Join(dir, f.Name), opts)
		if err != nil {
			return err
		}
		if report.ExitCode() != ingest.ExitAllTaken {
			var text strings.Builder
			if err := report.WriteText(&text); err != nil {
				return err
			}
			return fmt.Errorf("demo data: %s", text.String())
		}
	}
	return nil
}

// cameOn is a file of the demo, and the day on which it came.
type cameOn struct {
	demo.File
	day   date.Date
	quiet bool
}

// byWeek parts the files of bills and payments into those of some weeks, so that the days
// before today have a history too. Bills still come before all payments.
func byWeek(dir string, files []demo.File, today date.Date) ([]cameOn, error) {
	var came []cameOn
	for _, f := range files {
		if f.Kind != "x12" {
			came = append(came, cameOn{f, today, false})
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
			// The first file of a kind announces nothing, in however many parts it came.
			first := f.Name == "bills-professional.edi"
			came = append(came, cameOn{demo.File{Name: w.Name, Kind: f.Kind}, w.Day, first})
		}
	}
	return came, nil
}

// refuseOffice keeps the demo out of a database that has accounts already, but
// for its own of a start that was stopped.
func (a *App) refuseOffice(ctx context.Context) error {
	if _, err := a.Users.ByName(ctx, demo.Accounts[0].UserName); !errors.Is(err, db.ErrNotFound) {
		return err
	}
	count, err := a.Users.Count(ctx)
	if err == nil && count > 0 {
		return errors.New("the demo uses public passwords, so it can't share a database with existing accounts; use another --data and unset WCPP_DATABASE_URL")
	}
	return err
}

// fillNotifications has the system administrator write notifications, and sends
// those of today whatever the hour.
func (a *App) fillNotifications(ctx context.Context, network string) error {
	written, err := a.Notifications.List(ctx)
	if err != nil || len(written) > 0 { // by a start that was stopped
		return err
	}
	writer, err := a.actor(ctx, "isad.demo")
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
			to, err := a.actor(ctx, name)
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
			viewer, err := a.actor(ctx, name)
			if err == nil {
				err = a.Notifications.View(ctx, viewer, stored.ID)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fillRosters has roster users send rosters.
func (a *App) fillRosters(ctx context.Context, today date.Date) error {
	list := demo.Rosters(today)
	sender, err := a.actor(ctx, list[0].By)
	if err != nil {
		return err
	}
	sent, err := a.Rosters.Uploads(ctx, sender, sender.Person.GroupID)
	if err != nil {
		return err
	}
	for _, r := range list[min(len(sent), len(list)):] { // a start that was stopped sent the first ones
		if err := a.sendRoster(ctx, r); err != nil {
			return err
		}
	}
	if len(sent) > 0 || !a.Config.Access.Offers("rosters.receive") {
		return nil
	}
	return a.receiveDemoRosters(ctx, sender)
}

// receiveDemoRosters has the network take over the first rosters of the demo.
func (a *App) receiveDemoRosters(ctx context.Context, sender access.Actor) error {
	staff, err := a.actor(ctx, "isad.demo")
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

// fillReasons gives codes of the demo's payments texts of the network's own.
func (a *App) fillReasons(ctx context.Context) error {
	if !a.hasReasons() {
		return nil
	}
	staff, err := a.actor(ctx, "isad.demo")
	if err != nil {
		return err
	}
	_, err = a.Codes.Import(ctx, staff, demo.Reasons)
	return err
}

// fillRules confirms some of the portal's drafts, which nobody has reviewed, and has
// the demo's bills follow them.
func (a *App) fillRules(ctx context.Context) error {
	if !a.hasDeadlines() {
		return nil
	}
	staff, err := a.actor(ctx, "isad.demo")
	if err != nil {
		return err
	}
	desk, err := a.Deadlines.Desk(ctx)
	if err != nil {
		return err
	}
	for _, r := range desk.Rules {
		if r.Version > 0 || !slices.Contains(demo.ConfirmedRules, r.ID) { // by a start that was stopped
			continue
		}
		r.Status, r.ReviewedBy = deadlines.Active, demo.RuleReviewer
		if _, err := a.Deadlines.Save(ctx, staff, r); err != nil {
			return err
		}
	}
	return a.Deadlines.Count(ctx)
}

// fillWork has the offices work on their open bills.
func (a *App) fillWork(ctx context.Context) error {
	if !a.Config.Access.Offers("work.notes") {
		return nil
	}
	today := a.Notifications.Today()
	for _, w := range demo.Works() {
		by, err := a.actor(ctx, w.By)
		if err != nil {
			return err
		}
		kept, err := a.OpenBills.Views(ctx, by)
		if err != nil {
			return err
		}
		if len(kept) > 0 {
			continue // a start that was stopped did it
		}
		lists := map[string][]openbills.Listed{}
		for _, b := range w.Bills {
			list, known := lists[b.State]
			if !known {
				if list, _, err = a.OpenBills.Page(ctx, by, openbills.Filter{States: []string{b.State}}, openbills.Place{}, 0, 50); err != nil {
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

// workOn does what is planned about one bill, and nothing where it is not among the
// bills of who is to have it.
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
	if c == (openbills.Change{}) {
		return nil
	}
	_, err := a.OpenBills.Set(ctx, by, []openbills.Target{{Page: bill.Page, Changed: bill.Changed}}, c)
	return err
}

// fillNews has the office have looked at Today some days ago, before its payments came,
// and gives it a mailbox.
func (a *App) fillNews(ctx context.Context, today date.Date) error {
	zone, err := a.Config.Notifications.Zone()
	if err != nil {
		return err
	}
	lately := today.AddDays(-3)
	for _, name := range []string{"prad.demo", "prus.demo"} {
		actor, err := a.actor(ctx, name)
		if err != nil {
			return err
		}
		tins, err := a.TINs.Of(ctx, actor.Person)
		if err != nil {
			return err
		}
		changes, err := a.Ledger.ChangesAfter(ctx, access.ScopeOf(tins), 0, math.MaxInt32)
		if err != nil {
			return err
		}
		paid := slices.IndexFunc(changes, func(c ledger.Change) bool { return c.Kind == ledger.Paid })
		if paid < 0 { // too few were made
			continue
		}
		window := alerts.Window{To: changes[paid].ID - 1, Today: lately}
		day := lately.Time()
		if err := a.Alerts.MarkSeenAt(ctx, actor, window, time.Date(day.Year(), day.Month(), day.Day(), 16, 10, 0, 0, zone)); err != nil {
			return err
		}
	}
	admin, err := a.actor(ctx, "prad.demo")
	if err != nil {
		return err
	}
	boxes, err := a.Alerts.Mailboxes(ctx, admin)
	if err != nil || len(boxes) > 0 { // by a start that was stopped
		return err
	}
	return a.Alerts.AddConfirmed(ctx, admin, "billing@lakeside.example", alerts.Mailing{Digest: alerts.Daily, Days: []int{1, 2, 3, 4, 5}, Hour: 7})
}

func (a *App) sendRoster(ctx context.Context, r demo.Roster) error {
	sender, err := a.actor(ctx, r.By)
	if err != nil {
		return err
	}
	spool, err := a.Rosters.NewSpool()
	if err != nil {
		return err
	}
	defer spool.Close() //nolint:errcheck // of the operating system's temporary files
	for _, f := range r.Files {
		if err := spool.Take(f.Name, strings.NewReader(f.Content)); err != nil {
			return err
		}
	}
	u := rosters.Upload{SourceID: r.SourceID, GroupID: r.GroupID, RosterType: rosters.Full}
	if r.Partial {
		u.RosterType = rosters.Delta
	}
	_, err = a.Rosters.Send(ctx, sender, u, spool.Files)
	return err
}

func (a *App) actor(ctx context.Context, userName string) (access.Actor, error) {
	u, err := a.Users.ByName(ctx, userName)
	return access.Actor{Person: u.Person()}, err
}

// secondBills gives the stand-in of the second bill system bills of claimants
// that the first one knows, as a payer with two systems has them.
func (a *App) secondBills(ctx context.Context) ([]demo.SecondBill, error) {
	var list []demo.SecondBill
	for _, name := range []string{"prad.demo", "nnus.demo"} {
		u, err := a.Users.ByName(ctx, name)
		if err != nil {
			return nil, err
		}
		owned, err := a.TINs.Of(ctx, u.Person())
		if err != nil {
			return nil, err
		}
		for _, ftin := range owned {
			sample, err := a.Bills.Sample(ctx, access.ScopeOf(owned), ftin, 25)
			if err != nil {
				return nil, err
			}
			for i, b := range sample {
				list = append(list, secondBill(b, i))
			}
		}
	}
	return list, nil
}

func secondBill(b bills.Bill, n int) demo.SecondBill {
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

// DemoGreeting is printed once the demo is ready: who can sign in, and what
// there is to search for, which nobody could guess.
func (a *App) DemoGreeting(ctx context.Context) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe demo portal is ready: %s\n\nSign in with one of these accounts (password: %s)\n", a.Config.PublicURL, DemoPassword)
	for _, account := range demo.Accounts {
		fmt.Fprintf(&b, "  %-10s %s\n", account.UserName, account.About)
	}
	found, err := a.specimen(ctx)
	if err != nil {
		return "", err
	}
	if found.FTIN != "" {
		b.WriteString("\nAs prad.demo or prus.demo, search for\n")
		fmt.Fprintf(&b, "  bill       %s with Tax ID %s\n", found.BillControlNumber, found.FTIN)
		fmt.Fprintf(&b, "  claim      %s, service date %s\n", found.ClaimNumber, found.BeginServiceDate.US())
		fmt.Fprintf(&b, "  claimant   %s %s, born %s, injured %s\n", found.PatientFirstName, found.PatientLastName, found.PatientBirthDate.US(), found.DateOfInjury.US())
	}
	fmt.Fprintf(&b, "\nTo read the portal's emails, open %s/demo/mail\n", a.Config.PublicURL)
	b.WriteString("\nAll people and bills are fictional. Press Ctrl+C to stop; data is kept.\n")
	return b.String(), nil
}

// specimen is a bill that both accounts of the provider may see, with an EOR if
// there is one; none where too few were made.
func (a *App) specimen(ctx context.Context) (found bills.Bill, err error) {
	u, err := a.Users.ByName(ctx, "prus.demo")
	if err != nil {
		return found, err
	}
	owned, err := a.TINs.Of(ctx, u.Person())
	if err != nil {
		return found, err
	}
	for _, ftin := range owned {
		list, err := a.Bills.Sample(ctx, access.ScopeOf(owned), ftin, 25)
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
