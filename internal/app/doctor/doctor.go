// Package doctor looks whether a portal would run as it is set. It changes nothing but
// for a small file that it puts into the storage and removes again, and tells neither
// secrets nor anything of anybody.
package doctor

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/app"
	"wcpp/internal/factors"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/disk"
	"wcpp/internal/platform/instances"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/outside"
	"wcpp/internal/platform/text"
)

// State is how a check ended.
type State string

// The states. A portal does not run, or not whole, with what is wrong.
const (
	OK      State = "ok"
	Warning State = "warning"
	Wrong   State = "wrong"
)

// Finding is what one check found, and what to do about it.
type Finding struct {
	State           State
	What, Found, Do string
}

// String is the finding as a line.
func (f Finding) String() string {
	return strings.TrimSpace(fmt.Sprintf("%-8s %-15s %s %s", f.State, f.What+":", f.Found, f.Do))
}

// patience is how long one check may take.
const patience = 20 * time.Second

// patient is the portal that is looked at.
type patient struct {
	app.Config
	file    string
	unknown []string
	now     func() time.Time
	say     func(Finding)
	other   bool // its data are another account's: nothing is tried in its folders
}

func (p *patient) tell(state State, what, found, do string) { p.say(Finding{state, what, found, do}) }

// Examine looks at everything a portal of these settings stands on and says each finding
// as it is made; file is the file of settings, empty where there is none, and unknown are
// variables that look like settings and are none.
func Examine(ctx context.Context, cfg app.Config, file string, unknown []string, now func() time.Time, say func(Finding)) {
	p := &patient{Config: cfg, file: file, unknown: unknown, now: now, say: say}
	for _, check := range []func(context.Context){
		p.settings, p.data, p.database, p.storage, p.mail, p.issuer, p.feedFolder, p.rosterFolder, p.secondBills, p.contentHost,
		p.address, p.certificate, p.secondFactor, p.secrets,
	} {
		limited, cancel := context.WithTimeout(ctx, patience)
		check(limited)
		cancel()
	}
}

// why is the reason of a failure in one line.
func why(err error) string {
	words := outside.Words(err)
	if words != outside.Words(errors.New("")) {
		return words
	}
	return strings.Join(strings.Fields(err.Error()), " ") + "."
}

func (p *patient) settings(context.Context) {
	if err := p.Check(); err != nil {
		lines := strings.Split(err.Error(), "\n")
		for _, line := range lines[1:] {
			p.tell(Wrong, "settings", strings.TrimSpace(line)+".", "Correct it: serve does not start.")
		}
	} else {
		p.tell(OK, "settings", "All can be used.", "")
	}
	if len(p.unknown) > 0 {
		p.tell(Warning, "settings", "No settings are these variables: "+strings.Join(p.unknown, ", ")+".", "Correct their names: wcpp serve --help lists those that there are.")
	}
	if missing := p.Brand.Missing(); len(missing) > 0 {
		p.tell(Warning, "settings", "Users read of nobody in particular.", "Set "+strings.Join(missing, ", ")+".")
	}
	if info, err := os.Stat(p.file); p.file != "" && err == nil && info.Mode().Perm()&0o007 != 0 {
		p.tell(Warning, "settings", "Everybody on this machine can read their file, which may hold secrets.", "chmod o= "+p.file)
	}
}

// Free space below which it is told, in bytes.
const (
	littleSpace = 1 << 30
	noSpace     = 100 << 20
)

func (p *patient) data(context.Context) {
	info, err := os.Stat(p.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.tell(Warning, "data directory", "It is not there.", "serve makes it; where there should be data, name its place by WCPP_DATA.")
		return
	case err != nil:
		p.tell(Wrong, "data directory", why(err), "The portal's account must be able to read and write it.")
		return
	case !info.IsDir():
		p.tell(Wrong, "data directory", "It is a file.", "Name a directory by WCPP_DATA.")
		return
	case !disk.Mine(info):
		p.other = true
		p.tell(Wrong, "data directory", "It belongs to another account than the one that looks.", "Run this, and the portal, as its owner (runuser -u OWNER -- wcpp doctor).")
		return
	}
	if err := writable(p.Data); err != nil {
		p.tell(Wrong, "data directory", "Nothing can be written there: "+why(err), "Its account must be able to write it: chmod u+rwx "+p.Data+", or have its file system writable.")
		return
	}
	var open []string
	for _, name := range []string{"", "files", "mail", "wcpp.db", "wcpp.db-wal", "wcpp.db-shm"} {
		if info, err := os.Stat(filepath.Join(p.Data, name)); err == nil && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
			open = append(open, filepath.Join(p.Data, name))
		}
	}
	if len(open) > 0 {
		p.tell(Warning, "data directory", "Others on this machine can read what is the portal's.", "chmod go= "+strings.Join(open, " "))
	} else {
		p.tell(OK, "data directory", "It is the portal's alone.", "")
	}
	free, err := disk.Free(p.Data)
	found := fmt.Sprintf("%.1f GB are free.", float64(free)/(1<<30))
	switch {
	case err != nil:
		p.tell(Wrong, "disk", why(err), "The data directory must be on a disk that can be asked for its space.")
	case free < noSpace:
		p.tell(Wrong, "disk", found, "Make room: the portal refuses what it cannot write.")
	case free < littleSpace:
		p.tell(Warning, "disk", found, "Make room soon.")
	default:
		p.tell(OK, "disk", found, "")
	}
}

// writable puts a small file into a directory and removes it.
func writable(dir string) error {
	file, err := os.CreateTemp(dir, "doctor-")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

func (p *patient) database(ctx context.Context) {
	held, err := db.Held(p.URL())
	if err != nil {
		p.tell(Wrong, "database", why(err), "The portal's account must be able to read and write the data directory.")
		return
	}
	d, err := db.Look(ctx, p.URL())
	if errors.Is(err, fs.ErrNotExist) {
		p.tell(OK, "database", "There is none yet: serve makes it.", "")
		return
	}
	if errors.Is(err, db.ErrRestoring) {
		p.tell(Wrong, "database", why(err), "serve does not start before.")
		return
	}
	if err != nil {
		p.tell(Wrong, "database", why(err), "Mend the server or WCPP_DATABASE_URL: serve waits for it.")
		return
	}
	defer d.Close()
	at, newest, err := migrations.Look(ctx, d)
	tables := fmt.Sprintf("Its tables have version %d", at)
	switch {
	case err != nil:
		p.tell(Wrong, "database", why(err), "It must be a database of the portal that its account can read.")
		return
	case at > newest:
		p.tell(Wrong, "database", fmt.Sprintf("%s, this program knows %d.", tables, newest), "Run the newer program, with which it goes back by wcpp migrate --to.")
	case at == 0:
		p.tell(OK, "database", "It is empty: serve makes its tables.", "")
	case at < newest:
		p.tell(Warning, "database", fmt.Sprintf("%s, this program makes %d.", tables, newest), "Back up first: serve brings it up to date.")
	default:
		p.tell(OK, "database", tables+", as this program's.", "")
	}
	switch {
	case d.Dialect.Name == "postgres":
		p.server(ctx, d, at < newest)
	case held:
		p.tell(OK, "database", "A portal serves it now; another cannot meanwhile.", "")
	default:
		p.tell(OK, "database", "No portal serves it now.", "")
	}
}

// Differences of clocks from which they are told: a code of an authenticator holds half a
// minute.
const (
	clocksApart    = 3 * time.Second
	clocksFarApart = 30 * time.Second
)

// server looks at a server of PostgreSQL. Who brings the tables up to date must be able to
// make some; an account that serves alone need not own them.
func (p *patient) server(ctx context.Context, d *db.DB, outdated bool) {
	asked := p.now()
	s, err := d.Server(ctx)
	if err != nil {
		p.tell(Wrong, "database", why(err), "It must be PostgreSQL 15 or newer.")
		return
	}
	version := "PostgreSQL " + s.Version
	switch {
	case s.Number < 150000:
		p.tell(Wrong, "database", version+" is too old.", "Use PostgreSQL 15 or newer.")
	case s.Encoding != "UTF8":
		p.tell(Wrong, "database", "Its encoding is "+s.Encoding+".", "Make a new one: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0.")
	case s.ReadOnly:
		p.tell(Wrong, "database", "The server follows another one and takes no changes.", "Name the leading server by WCPP_DATABASE_URL.")
	case s.TimeZone != "UTC":
		p.tell(Wrong, "database", "Connections have the time zone "+s.TimeZone+", not UTC.", "Something between sets it: connect to the server itself.")
	case !s.MayCreate && outdated:
		p.tell(Wrong, "database", "Its account may make no tables.", "Run wcpp migrate with the owner's account first, or GRANT CREATE ON SCHEMA public TO this one.")
	default:
		p.tell(OK, "database", version+", UTF8, UTC.", "")
	}
	const beside = 2 // that hear events and ask whether it answers
	found := fmt.Sprintf("It takes %d clients, one instance uses up to %d.", s.Connections, p.DatabaseConnections+beside)
	if p.DatabaseConnections+beside > s.Connections {
		p.tell(Wrong, "connections", found, "Raise max_connections of the server or lower WCPP_DATABASE_CONNECTIONS.")
	} else {
		p.tell(OK, "connections", found, "")
	}
	p.clock("database", s.Now, asked, p.now())
	p.direct(ctx, d)
	if p.DatabaseReplicaURL != "" {
		p.replica(ctx, d)
	}
	p.instances(ctx, d)
}

// direct looks whether a pooler stands between, and at the address past it.
func (p *patient) direct(ctx context.Context, d *db.DB) {
	switch {
	case p.DatabaseDirectURL == "" && d.Pooled():
		p.tell(Warning, "pooler", "It stands between the portal and PostgreSQL.", "Name the server itself by WCPP_DATABASE_DIRECT_URL, or news of other instances may not be heard.")
	case p.DatabaseDirectURL == "":
	default:
		if err := d.UseDirect(ctx, p.DatabaseDirectURL); err != nil {
			p.tell(Wrong, "direct address", why(err), "Mend the server or WCPP_DATABASE_DIRECT_URL: serve does not start without.")
			return
		}
		p.tell(OK, "direct address", "It leads to the same database.", "")
	}
}

// replica looks at a server that follows.
func (p *patient) replica(ctx context.Context, d *db.DB) {
	err := d.UseReplica(p.DatabaseReplicaURL, p.DatabaseReplicaLag, slog.New(slog.DiscardHandler))
	var behind int64
	if err == nil {
		behind, err = d.LookAtReplica(ctx)
	}
	if err != nil {
		p.tell(Wrong, "replica", why(err), "Mend the server or WCPP_DATABASE_REPLICA_URL: searches ask the database itself until then.")
		return
	}
	p.tell(OK, "replica", fmt.Sprintf("It follows the database, %d bytes behind.", behind), "")
}

// instances looks whether others serve the database, who do not see the files of a data
// directory. One may be the portal itself, where it has a directory of files already.
func (p *patient) instances(ctx context.Context, d *db.DB) {
	serving, err := instances.Serving(ctx, d, p.now())
	if err != nil {
		p.tell(Wrong, "instances", why(err), "Its account must be able to read all tables.")
		return
	}
	others := len(serving)
	if _, err := os.Stat(filepath.Join(p.Data, "files")); err == nil {
		others--
	}
	if p.Files.BlobURL == "" && others > 0 {
		p.tell(Warning, "instances", fmt.Sprintf("%d serve this database now, and files are kept in a data directory.", len(serving)),
			"Where each has its own, name a storage for all by WCPP_BLOB_URL: what one keeps the others do not find.")
	}
}

// clock compares another machine's clock with this one's, between two moments of which
// it was told.
func (p *patient) clock(whose string, theirs, asked, answered time.Time) {
	apart := max(asked.Sub(theirs), theirs.Sub(answered), 0).Round(time.Second)
	found := fmt.Sprintf("That of the %s is %d s from this machine's.", whose, int(apart.Seconds()))
	switch {
	case apart > clocksFarApart:
		p.tell(Wrong, "clock", found, "Set both by NTP.")
	case apart > clocksApart:
		p.tell(Warning, "clock", found, "Set both by NTP.")
	default:
		p.tell(OK, "clock", found, "")
	}
}

func (p *patient) storage(ctx context.Context) {
	address := p.Files.BlobURL
	if address == "" {
		address = "file://" + filepath.ToSlash(filepath.Join(p.Data, "files"))
	}
	p.folder(ctx, "storage", "WCPP_BLOB_URL", address, p.Files.BlobURL == "")
}

func (p *patient) feedFolder(ctx context.Context) {
	if p.Intake.FeedURL != "" {
		p.folder(ctx, "watched folder", "WCPP_FEED_URL", p.Intake.FeedURL, false)
	}
}

func (p *patient) rosterFolder(ctx context.Context) {
	if p.Rosters.RosterOut != "" {
		p.folder(ctx, "roster folder", "WCPP_ROSTER_OUT", p.Rosters.RosterOut, false)
	}
}

// folder puts a small file where files are kept, reads and removes it. A directory that
// is not there is not made; own tells that serve makes it.
func (p *patient) folder(ctx context.Context, what, variable, address string, own bool) {
	where, dir := "the bucket", ""
	if u, err := url.Parse(address); err == nil && u.Scheme == "file" {
		where, dir = "the directory", u.Path
		if own {
			dir = filepath.Join(p.Data, "files")
		}
		_, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && own:
			p.tell(OK, what, "It is not there yet: serve makes it.", "")
			return
		case errors.Is(err, fs.ErrNotExist):
			p.tell(Wrong, what, "There is no such directory.", "Make it, or mount what it is on, or correct "+variable+".")
			return
		case p.other:
			p.tell(Warning, what, "It was not tried, the data are another account's.", "Look as their owner.")
			return
		}
	}
	do := fmt.Sprintf("The portal must be able to write, read and remove files in %s: mend it or %s.", where, variable)
	var err error
	if dir != "" {
		err = tryDirectory(dir)
	} else {
		err = tryBucket(ctx, address)
	}
	if err != nil {
		p.tell(Wrong, what, why(err), do)
		return
	}
	p.tell(OK, what, "A file was written, read and removed.", "")
}

const probe = "wcpp doctor\n"

// tryDirectory writes beside the files, under a name that is no file's of the portal.
func tryDirectory(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(probe)
	err = errors.Join(err, f.Sync(), f.Close())
	read, failed := os.ReadFile(f.Name())
	if err = errors.Join(err, failed); err == nil && string(read) != probe {
		err = errors.New("what was written is not what is read")
	}
	return errors.Join(err, os.Remove(f.Name()))
}

func tryBucket(ctx context.Context, address string) error {
	s, err := blob.Open(ctx, address, "")
	if err != nil {
		return err
	}
	key := ".doctor-" + rand.Text()
	if err := blob.Copy(ctx, s, key, strings.NewReader(probe)); err != nil {
		return err
	}
	read, err := readAll(ctx, s, key)
	if err == nil && read != probe {
		err = errors.New("what was written is not what is read")
	}
	return errors.Join(err, s.Delete(ctx, key))
}

func readAll(ctx context.Context, s blob.Store, key string) (string, error) {
	f, err := s.Open(ctx, key)
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	return string(content), err
}

func (p *patient) mail(ctx context.Context) {
	if p.Mail.SMTPURL == "" {
		dir := filepath.Join(p.Data, "mail")
		if _, err := os.Stat(dir); err == nil && !p.other {
			if err := tryDirectory(dir); err != nil {
				p.tell(Wrong, "mail", why(err), "The portal must be able to write into "+dir+".")
				return
			}
		}
		p.tell(Warning, "mail", "None leaves this machine: mails are kept as files.", "Name the relay by WCPP_SMTP_URL.")
		return
	}
	from := p.Mail.MailFrom
	if from == "" {
		from = p.Brand.SupportEmail
	}
	if err := p.Mail.Greet(ctx, mail.Address{Name: p.Brand.BrandName, Address: from}); err != nil {
		p.tell(Wrong, "mail", why(err), "Correct WCPP_SMTP_URL or WCPP_SMTP_CA_FILE, or mend the relay; mails wait meanwhile.")
		return
	}
	p.tell(OK, "mail", "The relay takes the portal's connection; no mail was sent.", "")
}

func (p *patient) address(context.Context) {
	u, err := url.Parse(p.PublicURL)
	switch {
	case err != nil || u.Host == "":
		return // settings told it
	case text.IsLoopback(u.Hostname()):
		p.tell(Warning, "public address", "Links in mails lead to this machine only.", "Set WCPP_PUBLIC_URL to the address that browsers use.")
	case u.Scheme != "https":
		p.tell(Wrong, "public address", "It is not https: browsers refuse the session's cookie.", "Set WCPP_PUBLIC_URL to an https:// address.")
	default:
		p.tell(OK, "public address", "It is https.", "")
	}
	if warning := p.WarnOfProxies(); warning != "" {
		p.tell(Warning, "proxies", warning+".", "Name their networks.")
	}
}

// expiresSoon is how long before its end a certificate is told.
const expiresSoon = 21 * 24 * time.Hour

func (p *patient) certificate(context.Context) {
	if p.TLSCertFile == "" || p.TLSKeyFile == "" {
		return
	}
	pair, err := tls.LoadX509KeyPair(p.TLSCertFile, p.TLSKeyFile)
	if err != nil {
		p.tell(Wrong, "certificate", why(err), "WCPP_TLS_CERT_FILE and WCPP_TLS_KEY_FILE must be a certificate and its key (PEM).")
		return
	}
	host := ""
	if u, err := url.Parse(p.PublicURL); err == nil {
		host = u.Hostname()
	}
	ends := pair.Leaf.NotAfter
	found := "It holds until " + ends.UTC().Format(time.DateOnly) + "."
	switch {
	case pair.Leaf.VerifyHostname(host) != nil:
		p.tell(Wrong, "certificate", "It is not for "+host+".", "Have one made for the host of WCPP_PUBLIC_URL.")
	case p.now().After(ends):
		p.tell(Wrong, "certificate", found, "Renew it and start the portal again.")
	case p.now().Add(expiresSoon).After(ends):
		p.tell(Warning, "certificate", found, "Renew it soon and start the portal again.")
	default:
		p.tell(OK, "certificate", found, "")
	}
	if info, err := os.Stat(p.TLSKeyFile); err == nil && info.Mode().Perm()&0o007 != 0 && filepath.Separator == '/' {
		p.tell(Warning, "certificate", "Everybody on this machine can read its key.", "chmod o= "+p.TLSKeyFile)
	}
}

func (p *patient) secondFactor(context.Context) {
	if p.SSO.Outside() {
		p.tell(OK, "second factor", "The OpenID provider asks for it.", "")
		return
	}
	var lax []string
	for _, t := range access.Types {
		if policy := p.Factors.SecondFactor[string(t)]; t.Internal() && policy != "" && policy != string(factors.Required) {
			lax = append(lax, string(t))
		}
	}
	if slices.Sort(lax); len(lax) > 0 {
		p.tell(Warning, "second factor", "Staff may sign in without: "+strings.Join(lax, ", ")+".", "Require it in WCPP_SECOND_FACTOR.")
		return
	}
	p.tell(OK, "second factor", "Staff must have one.", "")
}

// secrets tells which are not there of the systems that are set.
func (p *patient) secrets(context.Context) {
	var missing []string
	for _, s := range []struct{ of, secret, variable string }{
		{p.SSO.OIDCIssuer, p.SSO.OIDCClientSecret, "WCPP_OIDC_CLIENT_SECRET"},
		{p.Bills.SecondBillURL, p.Bills.SecondBillKey, "WCPP_SECOND_BILL_KEY"},
		{p.Content.ResourceURL, p.Content.ResourceKey, "WCPP_RESOURCE_KEY"},
		{p.Chat.ChatURL, p.Chat.ChatHMACKey, "WCPP_CHAT_HMAC_KEY"},
	} {
		if s.of != "" && s.secret == "" {
			missing = append(missing, s.variable)
		}
	}
	if info, err := os.Stat(p.Audit.AuditKeyFile); p.Audit.AuditKeyFile != "" && err == nil && info.Mode().Perm()&0o007 != 0 && filepath.Separator == '/' {
		p.tell(Warning, "secrets", "Everybody on this machine can read the key that signs the audit log.", "chmod o= "+p.Audit.AuditKeyFile)
	}
	if len(missing) > 0 {
		p.tell(Warning, "secrets", "Not set: "+strings.Join(missing, ", ")+".", "Set what those systems ask for.")
		return
	}
	p.tell(OK, "secrets", "Each system that is set has its own.", "")
}
