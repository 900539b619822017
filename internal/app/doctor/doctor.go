// Package doctor checks whether a portal would run with its configuration. It changes nothing
// except for a small test file in the storage, which it removes. It prints no secrets or
// personal data.
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

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/mfa"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/clamd"
	"wcpp/internal/platform/cluster"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/disk"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/upstream"
)

// State is a check's result.
type State string

// The results of a check. If something is wrong, the portal doesn't run, or not completely.
const (
	OK      State = "ok"
	Warning State = "warning"
	Wrong   State = "wrong"
)

// Finding is a check's result with advice.
type Finding struct {
	State           State
	What, Found, Do string
}

// String returns the finding as a line.
func (f Finding) String() string {
	return strings.TrimSpace(fmt.Sprintf("%-8s %-15s %s %s", f.State, f.What+":", f.Found, f.Do))
}

// patience is the time limit for one check.
const patience = 20 * time.Second

// checkup is the portal to check.
type checkup struct {
	app.Config
	file      string
	unknown   []string
	now       func() time.Time
	onFinding func(Finding)
	other     bool // another account owns its data, so its folders aren't tested
}

func (p *checkup) report(state State, what, found, do string) {
	p.onFinding(Finding{state, what, found, do})
}

// Examine checks everything that a portal with these settings depends on, and passes each
// finding to say immediately. file is the settings file, or empty. unknown lists variables that
// look like settings but aren't.
func Examine(ctx context.Context, cfg app.Config, file string, unknown []string, now func() time.Time, report func(Finding)) {
	p := &checkup{Config: cfg, file: file, unknown: unknown, now: now, onFinding: report}
	for _, check := range []func(context.Context){
		p.checkSettings, p.checkData, p.checkDatabase, p.checkStorage, p.checkMail, p.checkIssuer, p.checkFeedFolder, p.checkRosterFolder,
		p.checkScanner, p.checkSecondBills, p.checkContentHost,
		p.checkAddress, p.checkCertificate, p.checkSecondFactor, p.checkSecrets,
	} {
		limited, cancel := context.WithTimeout(ctx, patience)
		check(limited)
		cancel()
	}
}

// explainError returns the reason for a failure in one line.
func explainError(err error) string {
	words := upstream.DescribeError(err)
	if words != upstream.DescribeError(errors.New("")) {
		return words
	}
	return strings.Join(strings.Fields(err.Error()), " ") + "."
}

func (p *checkup) checkSettings(context.Context) {
	if err := p.Check(); err != nil {
		lines := strings.Split(err.Error(), "\n")
		for _, line := range lines[1:] {
			p.report(Wrong, "settings", strings.TrimSpace(line)+".", "Fix this setting. The portal can't start without it.")
		}
	} else {
		p.report(OK, "settings", "All settings are valid.", "")
	}
	if len(p.unknown) > 0 {
		p.report(Warning, "settings", "Unknown variables: "+strings.Join(p.unknown, ", ")+".",
			"Fix their names. For valid names, run wcpp serve --help.")
	}
	if missing := p.Brand.Missing(); len(missing) > 0 {
		p.report(Warning, "settings", "Settings shown to users are missing.", "Set "+strings.Join(missing, ", ")+".")
	}
	if info, err := os.Stat(p.file); p.file != "" && err == nil && info.Mode().Perm()&0o007 != 0 {
		p.report(Warning, "settings", "Every user of this machine can read the settings file, which can contain secrets.",
			"chmod o= "+p.file)
	}
}

func (p *checkup) checkData(context.Context) {
	info, err := os.Stat(p.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.report(Warning, "data directory", "The directory doesn't exist.",
			"The portal creates it on start. If you already have data, set its location with WCPP_DATA.")
		return
	case err != nil:
		p.report(Wrong, "data directory", explainError(err), "Give the portal's account read and write access.")
		return
	case !info.IsDir():
		p.report(Wrong, "data directory", "The path is a file.", "Set WCPP_DATA to a directory.")
		return
	case !disk.Mine(info):
		p.other = true
		owner, _ := disk.Owner(info)
		name := fileperm.FindName(owner)
		p.report(Wrong, "data directory", "The directory belongs to the account "+name+".",
			"Run this command and the portal as that account (runuser -u "+name+" -- wcpp doctor).")
		return
	}
	if err := checkWritable(p.Data); err != nil {
		p.report(Wrong, "data directory", "The directory isn't writable. "+explainError(err),
			"Give the account write access with chmod u+rwx "+p.Data+
				", or make the file system writable.")
		return
	}
	var open []string
	for _, name := range []string{"", "files", "mail", "wcpp.db", "wcpp.db-wal", "wcpp.db-shm"} {
		if info, err := os.Stat(filepath.Join(p.Data, name)); err == nil && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
			open = append(open, filepath.Join(p.Data, name))
		}
	}
	if len(open) > 0 {
		p.report(Warning, "data directory", "Other users of this machine can read the portal's files.",
			"chmod go= "+strings.Join(open, " "))
	} else {
		p.report(OK, "data directory", "Only the portal's account can read it.", "")
	}
	free, err := disk.Free(p.Data)
	found := fmt.Sprintf("%.1f GB free.", float64(free)/(1<<30))
	switch {
	case err != nil:
		p.report(Wrong, "disk", explainError(err), "Move the data directory to a disk that reports its free space.")
	case free < disk.None:
		p.report(Wrong, "disk", found, "Free up space now. The portal can't save data on a full disk.")
	case free < disk.Little:
		p.report(Warning, "disk", found, "Free up space soon.")
	default:
		p.report(OK, "disk", found, "")
	}
}

// checkWritable creates a small file in a directory and removes it.
func checkWritable(dir string) error {
	file, err := os.CreateTemp(dir, "doctor-")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

func (p *checkup) checkDatabase(ctx context.Context) {
	held, err := db.IsLocked(p.URL())
	if err != nil {
		p.report(Wrong, "database", explainError(err), "Give the portal's account read and write access to the data directory.")
		return
	}
	d, err := db.OpenReadOnly(ctx, p.URL())
	if errors.Is(err, fs.ErrNotExist) {
		p.report(OK, "database", "No database yet. The portal creates it on start.", "")
		return
	}
	if errors.Is(err, db.ErrRestoring) {
		p.report(Wrong, "database", explainError(err), "Finish the restore first. The portal can't start until then.")
		return
	}
	if err != nil {
		p.report(Wrong, "database", explainError(err), "Fix the server or WCPP_DATABASE_URL. The portal waits for the database.")
		return
	}
	defer d.Close()
	at, newest, err := migrations.ReadVersions(ctx, d)
	var old bool
	if err == nil && at <= newest {
		old, err = migrations.IsTooOld(ctx, d, at)
	}
	tables := fmt.Sprintf("Database version %d", at)
	switch {
	case err != nil:
		p.report(Wrong, "database", explainError(err), "Use a portal database that this account can read.")
		return
	case at > newest:
		p.report(Wrong, "database", fmt.Sprintf("%s is newer than this program's version %d.", tables, newest),
			migrations.RunNewer+".")
	case at == 0:
		p.report(OK, "database", "The database is empty. The portal creates its tables on start.", "")
	case old:
		p.report(Wrong, "database", tables+" is too old for this program.", migrations.UpgradeFirst+".")
	case at < newest:
		p.report(Warning, "database", fmt.Sprintf("%s is older than this program's version %d.", tables, newest),
			"Back up first. The portal runs migrations on start.")
	default:
		p.report(OK, "database", tables+", same as this program.", "")
	}
	switch {
	case d.Dialect.Name == "postgres":
		p.checkServer(ctx, d, at < newest)
	case held:
		p.report(OK, "database", "A portal is using the database. A second one can't start.", "")
	default:
		p.report(OK, "database", "No portal is using the database.", "")
	}
}

// Clock difference thresholds for warnings. An authenticator code is valid for 30 seconds.
const (
	clocksApart    = 3 * time.Second
	clocksFarApart = 30 * time.Second
)

// checkServer checks a PostgreSQL server. The account that runs migrations must be able to create
// tables. An account that only serves doesn't have to be their owner.
func (p *checkup) checkServer(ctx context.Context, d *db.DB, outdated bool) {
	asked := p.now()
	s, err := d.Server(ctx)
	if err != nil {
		p.report(Wrong, "database", explainError(err), "Use PostgreSQL 15 or newer.")
		return
	}
	version := "PostgreSQL " + s.Version
	switch {
	case s.Number < 150000:
		p.report(Wrong, "database", version+" is too old.", "Use PostgreSQL 15 or newer.")
	case s.Encoding != "UTF8":
		p.report(Wrong, "database", "The encoding is "+s.Encoding+".",
			"Make a new one: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0.")
	case s.ReadOnly:
		p.report(Wrong, "database", "The server is a read-only replica.", "Set WCPP_DATABASE_URL to the primary server.")
	case s.TimeZone != "UTC":
		p.report(Wrong, "database", "Connections use the time zone "+s.TimeZone+" instead of UTC.",
			"Connect to the server directly. A pooler or proxy sets the time zone.")
	case !s.MayCreate && outdated:
		p.report(Wrong, "database", "The account can't create tables.",
			"Run wcpp migrate with the owner's account first, or GRANT CREATE ON SCHEMA public TO this one.")
	default:
		p.report(OK, "database", version+", UTF8, UTC.", "")
	}
	const reserved = 2 // for events and health checks
	found := fmt.Sprintf("The server allows %d connections. One instance uses up to %d.", s.Connections, p.DatabaseConnections+reserved)
	if p.DatabaseConnections+reserved > s.Connections {
		p.report(Wrong, "connections", found, "Raise max_connections on the server or lower WCPP_DATABASE_CONNECTIONS.")
	} else {
		p.report(OK, "connections", found, "")
	}
	p.checkClock("database", s.Now, asked, p.now())
	p.checkDirect(ctx, d)
	if p.DatabaseReplicaURL != "" {
		p.checkReplica(ctx, d)
	}
	p.checkInstances(ctx, d)
}

// checkDirect checks for a connection pooler, and checks the address that bypasses it.
func (p *checkup) checkDirect(ctx context.Context, d *db.DB) {
	switch {
	case p.DatabaseDirectURL == "" && d.Pooled():
		p.report(Warning, "pooler", "A connection pooler is in use.",
			"Set WCPP_DATABASE_DIRECT_URL to the server itself, or updates from other instances can be missed.")
	case p.DatabaseDirectURL == "":
	default:
		if err := d.UseDirect(ctx, p.DatabaseDirectURL); err != nil {
			p.report(Wrong, "direct URL", explainError(err),
				"Fix the server or WCPP_DATABASE_DIRECT_URL. The portal can't start without it.")
			return
		}
		p.report(OK, "direct URL", "The address reaches the same database.", "")
	}
}

// checkReplica checks a replica server.
func (p *checkup) checkReplica(ctx context.Context, d *db.DB) {
	err := d.UseReplica(p.DatabaseReplicaURL, p.DatabaseReplicaLag, slog.New(slog.DiscardHandler))
	var behind int64
	if err == nil {
		behind, err = d.CheckReplica(ctx)
	}
	if err != nil {
		p.report(Wrong, "replica", explainError(err),
			"Fix the server or WCPP_DATABASE_REPLICA_URL. Until then, searches use the primary database.")
		return
	}
	p.report(OK, "replica", fmt.Sprintf("The replica is %d bytes behind.", behind), "")
}

// checkInstances checks for other instances on this database, which can't see files in a data
// directory. One of them can be the portal itself if it already has a files directory.
func (p *checkup) checkInstances(ctx context.Context, d *db.DB) {
	serving, err := cluster.ListServing(ctx, d, p.now())
	if err != nil {
		p.report(Wrong, "instances", explainError(err), "Give the account read access to all tables.")
		return
	}
	others := len(serving)
	if _, err := os.Stat(filepath.Join(p.Data, "files")); err == nil {
		others--
	}
	if p.Files.BlobURL == "" && others > 0 {
		p.report(Warning, "instances", fmt.Sprintf("%d instances use this database and store files in a data directory.", len(serving)),
			"If they don't share the directory, set shared storage with WCPP_BLOB_URL. Otherwise they can't find each other's files.")
	}
}

// checkClock compares another machine's clock with the local clock, given the local times before and
// after the response.
func (p *checkup) checkClock(whose string, theirs, asked, answered time.Time) {
	apart := max(asked.Sub(theirs), theirs.Sub(answered), 0).Round(time.Second)
	found := fmt.Sprintf("The clock of the %s differs from this machine's by %d s.", whose, int(apart.Seconds()))
	switch {
	case apart > clocksFarApart:
		p.report(Wrong, "clock", found, "Sync both clocks with NTP.")
	case apart > clocksApart:
		p.report(Warning, "clock", found, "Sync both clocks with NTP.")
	default:
		p.report(OK, "clock", found, "")
	}
}

func (p *checkup) checkStorage(ctx context.Context) {
	address := p.Files.BlobURL
	if address == "" {
		address = "file://" + filepath.ToSlash(filepath.Join(p.Data, "files"))
	}
	p.checkFolder(ctx, "storage", "WCPP_BLOB_URL", address, p.Files.BlobURL == "")
}

func (p *checkup) checkFeedFolder(ctx context.Context) {
	if p.Ingest.FeedURL != "" {
		p.checkFolder(ctx, "watch folder", "WCPP_FEED_URL", p.Ingest.FeedURL, false)
	}
}

func (p *checkup) checkRosterFolder(ctx context.Context) {
	if p.Rosters.RosterOut != "" {
		p.checkFolder(ctx, "roster folder", "WCPP_ROSTER_OUT", p.Rosters.RosterOut, false)
	}
}

// checkFolder writes, reads and removes a small file in the file storage. It doesn't create a missing
// directory. own means that serve creates it.
func (p *checkup) checkFolder(ctx context.Context, what, variable, address string, own bool) {
	where, dir := "the bucket", ""
	if u, err := url.Parse(address); err == nil && u.Scheme == "file" {
		where, dir = "the directory", u.Path
		if own {
			dir = filepath.Join(p.Data, "files")
		}
		_, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && own:
			p.report(OK, what, "No directory yet. The portal creates it on start.", "")
			return
		case errors.Is(err, fs.ErrNotExist):
			p.report(Wrong, what, "The directory doesn't exist.", "Create the directory, mount its disk, or fix "+variable+".")
			return
		case p.other:
			p.report(Warning, what, "Not checked, because the data belongs to another account.", "Run this command as the owner.")
			return
		}
	}
	do := fmt.Sprintf("The portal needs to write, read and delete files in %s. Fix access or %s.", where, variable)
	var err error
	if dir != "" {
		err = tryDirectory(dir)
	} else {
		err = tryBucket(ctx, address)
	}
	if err != nil {
		p.report(Wrong, what, explainError(err), do)
		return
	}
	p.report(OK, what, "A test file was written, read and deleted.", "")
}

func (p *checkup) checkScanner(ctx context.Context) {
	const what = "virus scanner"
	if p.Scanner.Clamd == "" {
		return
	}
	if err := clamd.New(p.Scanner).Ping(ctx); err != nil {
		p.report(Wrong, what, explainError(err), "Start clamd or fix WCPP_CLAMD. Uploads are refused until it responds.")
		return
	}
	p.report(OK, what, "The scanner responds.", "")
}

const probe = "wcpp doctor\n"

// tryDirectory writes next to the files, with a name that no portal file has.
func tryDirectory(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(probe)
	err = errors.Join(err, f.Sync(), f.Close())
	read, failed := os.ReadFile(f.Name())
	if err = errors.Join(err, failed); err == nil && string(read) != probe {
		err = errors.New("the test file's content changed")
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
		err = errors.New("the test file's content changed")
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

func (p *checkup) checkMail(ctx context.Context) {
	if p.Mail.SMTPURL == "" {
		dir := filepath.Join(p.Data, "mail")
		if _, err := os.Stat(dir); err == nil && !p.other {
			if err := tryDirectory(dir); err != nil {
				p.report(Wrong, "email", explainError(err), "Give the portal write access to "+dir+".")
				return
			}
		}
		p.report(Warning, "email", "Emails aren't sent. They're saved as files.", "Set WCPP_SMTP_URL to your mail server.")
		return
	}
	from := p.MailFromAddress()
	if err := p.Mail.CheckConnection(ctx, mail.Address{Name: p.Brand.BrandName, Address: from}); err != nil {
		why, advice := explainError(err), "Check WCPP_SMTP_URL, WCPP_SMTP_CA_FILE and the mail server. Emails wait until it works."
		if strings.Contains(why, "TLS") {
			advice += " Only for a relay without TLS in your own network, add ?tls=none to WCPP_SMTP_URL."
		}
		p.report(Wrong, "email", why, advice)
		return
	}
	if strings.HasSuffix(p.Mail.SMTPURL, "?tls=none") {
		p.report(OK, "email", "The mail server accepts connections, without encryption (?tls=none). No email was sent.", "")
		return
	}
	p.report(OK, "email", "The mail server accepts connections. No email was sent.", "")
}

func (p *checkup) checkAddress(context.Context) {
	u, err := url.Parse(p.PublicURL)
	switch {
	case err != nil || u.Host == "":
		return // already reported by settings
	case text.IsLoopback(u.Hostname()):
		p.report(Warning, "public address", "Links in emails work only on this machine.",
			"Set WCPP_PUBLIC_URL to the address that browsers use.")
	case u.Scheme != "https":
		p.report(Wrong, "public address", "The address isn't https, so browsers reject the session cookie.",
			"Set WCPP_PUBLIC_URL to an https:// address.")
	default:
		p.report(OK, "public address", "The address uses https.", "")
	}
	if warning := p.WarnOfProxies(); warning != "" {
		p.report(Warning, "proxies", warning+".", "Add your proxy networks to WCPP_TRUSTED_PROXIES.")
	}
}

// expiresSoon is the warning period before a certificate expires.
const expiresSoon = 21 * 24 * time.Hour

func (p *checkup) checkCertificate(context.Context) {
	if p.TLSCertFile == "" || p.TLSKeyFile == "" {
		return
	}
	pair, err := tls.LoadX509KeyPair(p.TLSCertFile, p.TLSKeyFile)
	if err != nil {
		p.report(Wrong, "certificate", explainError(err),
			"Set WCPP_TLS_CERT_FILE and WCPP_TLS_KEY_FILE to a matching certificate and key (PEM).")
		return
	}
	host := ""
	if u, err := url.Parse(p.PublicURL); err == nil {
		host = u.Hostname()
	}
	ends := pair.Leaf.NotAfter
	found := "Valid until " + ends.UTC().Format(time.DateOnly) + "."
	switch {
	case pair.Leaf.VerifyHostname(host) != nil:
		p.report(Wrong, "certificate", "The certificate isn't valid for "+host+".", "Get a certificate for the host in WCPP_PUBLIC_URL.")
	case p.now().After(ends):
		p.report(Wrong, "certificate", found, "Renew it and restart the portal.")
	case p.now().Add(expiresSoon).After(ends):
		p.report(Warning, "certificate", found, "Renew it soon and restart the portal.")
	default:
		p.report(OK, "certificate", found, "")
	}
	if info, err := os.Stat(p.TLSKeyFile); err == nil && info.Mode().Perm()&0o007 != 0 && filepath.Separator == '/' {
		p.report(Warning, "certificate", "Every user of this machine can read the certificate's key.", "chmod o= "+p.TLSKeyFile)
	}
}

func (p *checkup) checkSecondFactor(context.Context) {
	if p.SSO.IsExternal() && !p.Sessions.LegacySignIn {
		p.report(OK, "two-step", "Handled by the OpenID provider.", "")
		return
	}
	var lax []string
	for _, t := range access.Types {
		if policy := p.Factors.SecondFactor[string(t)]; t.IsInternal() && policy != "" && policy != string(mfa.Required) {
			lax = append(lax, string(t))
		}
	}
	if slices.Sort(lax); len(lax) > 0 {
		p.report(Warning, "two-step", "Optional for these staff account types: "+strings.Join(lax, ", ")+".",
			"Require it in WCPP_SECOND_FACTOR.")
		return
	}
	p.report(OK, "two-step", "Required for staff.", "")
}

// checkSecrets reports missing secrets for configured systems.
func (p *checkup) checkSecrets(context.Context) {
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
	if info, err := os.Stat(p.Audit.AuditKeyFile); p.Audit.AuditKeyFile != "" && err == nil && info.Mode().Perm()&0o007 != 0 &&
		filepath.Separator == '/' {
		p.report(Warning, "secrets", "Every user of this machine can read the audit log's signing key.", "chmod o= "+p.Audit.AuditKeyFile)
	}
	if len(missing) > 0 {
		p.report(Warning, "secrets", "Not set: "+strings.Join(missing, ", ")+".", "Set the secrets that these systems require.")
		return
	}
	p.report(OK, "secrets", "All connected systems have their secrets.", "")
}
