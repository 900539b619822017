package app

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"wcpp/internal/accesslog"
	"wcpp/internal/accessreview"
	"wcpp/internal/account"
	"wcpp/internal/announcements"
	"wcpp/internal/auditlog"
	"wcpp/internal/bills"
	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/bulklookup"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/bills/unmatchedpayments"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/deadlines"
	"wcpp/internal/desk"
	"wcpp/internal/directory"
	"wcpp/internal/feeds"
	"wcpp/internal/feeschedules"
	"wcpp/internal/health"
	"wcpp/internal/mfa"
	"wcpp/internal/notifications"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/deadletter"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/module"
	"wcpp/internal/reasoncodes"
	"wcpp/internal/resources"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/support"
	"wcpp/internal/tins"
	"wcpp/internal/users"
	"wcpp/internal/users/administration"
	"wcpp/internal/users/signin"
)

// domains has the domain services, created in order of their dependencies.
type domains struct {
	*App
	cfg   Config
	extra *Extra
	now   func() time.Time
	zone  *time.Location // business time zone, which determines when days start and end
	scope *tins.Scopes
	ends  *sessionEnder // ends sessions and codes; its services are set after the second factor, which needs it

	watch    *ingest.Watch // nil without a watched folder
	provider sso.Provider
	signOn   *sso.Service
	session  *sessions.Service
	content  *resources.Service
	terms    module.Module
}

func (a *App) newDomains(now func() time.Time, extra *Extra) (*domains, error) {
	w := &domains{App: a, cfg: a.Config, extra: extra, now: now, scope: tins.NewScopes(a.DB), ends: &sessionEnder{}}
	w.cfg.Access.Outside = w.cfg.SSO.IsExternal()
	w.cfg.Account.PasswordElsewhere = w.cfg.SSO.IsExternal() && !w.cfg.Sessions.LegacySignIn
	var err error
	if w.zone, err = w.cfg.Notifications.Zone(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{w.createAccounts, w.createDirectory, w.createBills, w.createWork, w.createFeeds, w.createDesk,
		w.createSignIn, w.createAdministration, w.createUpkeep} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *domains) businessTime() time.Time { return w.now().In(w.zone) }

// createAccounts creates the accounts and the sign-in.
func (w *domains) createAccounts() error {
	w.Users = users.NewService(w.DB, w.audit, w.mails, w.now, w.cfg.PublicURL)
	w.SignIn = signin.NewService(w.DB, w.Users, w.mails, func(ctx context.Context, userID int64, issuer, subject string) error {
		return w.Account.OfferBinding(ctx, userID, issuer, subject)
	}, signInFactors{w}, w.audit, w.businessTime, w.cfg.SignIn, w.cfg.PublicURL)
	return nil
}

// createDirectory creates the network's data (providers, clients, prices) and its notifications.
func (w *domains) createDirectory() (err error) {
	w.Directory = directory.NewService(w.DB, w.scope)
	w.Claims = claims.NewService(w.DB, w.audit, w.now, w.cfg.Claims)
	w.Clients = clients.NewService(w.DB, w.scope, w.Directory, w.audit, w.businessTime)
	w.Rosters = rosters.NewService(w.DB, groups{w.Users}, w.files, w.audit, w.log, w.businessTime, w.cfg.Rosters)
	w.FeeSchedules = feeschedules.NewService(w.DB, w.jobs, w.scope, w.Directory, w.files, w.events, w.audit, w.log, w.businessTime)
	w.Notifications = notifications.NewService(w.DB, w.jobs, w.events, w.audit, w.log, w.now, w.zone, feeschedules.Topic)
	if w.terms, err = support.NewTermsModule(w.cfg.Brand); err != nil {
		return err
	}
	w.content, err = resources.NewService(w.cfg.Content, w.audit, func(base http.RoundTripper) http.RoundTripper {
		return w.watcher.Transport(contentSystem, base)
	})
	return err
}

// createBills creates what derives from bill files: bills, matches, explanations and deadlines.
func (w *domains) createBills() (err error) {
	w.Ledger = ledger.New(w.DB, w.now)
	w.Ledger.UseDirectory(w.Directory)
	w.Ledger.SetChangeRetention(w.cfg.Retention.ChangeKeepDays)
	w.Ledger.Follow(openbills.Follows, alerts.Follows)
	if w.Codes, err = reasoncodes.NewService(w.DB, paymentCodes{w.Ledger}, w.audit, w.businessTime); err != nil {
		return err
	}
	w.Ledger.UseGlossary(glossary{w.Codes})
	w.Bills = bills.NewService(w.DB, w.Ledger, w.files, w.scope, colleagues{w.Users}, w.cfg.Bills.Second(w.transport(secondSystem)),
		w.sealer, w.audit, w.log, w.businessTime,
		w.cfg.Bills, w.cfg.Brand.BrandName, w.cfg.Access.Offers("work.bills"))
	w.Deadlines, err = deadlines.NewService(w.DB, w.jobs, billFacts{w.Bills, w.zone}, openBills{w.Ledger}, w.audit, w.businessTime)
	w.Ledger.UseDueDates(dues{w.Deadlines, w.zone})
	return err
}

// createWork creates the office work on bills. The tins service asks it what remains when a TIN is
// removed.
func (w *domains) createWork() error {
	w.OpenBills = openbills.NewService(w.DB, w.jobs, w.scope, workers{w.Users, w.scope, w.cfg.Access}, w.Bills, w.files, w.attempts,
		w.sealer, w.audit, w.businessTime)
	w.OpenBills.UseQuota(fileexport.Quota{Most: w.cfg.Files.GroupFiles})
	w.Users.OnLeave(w.OpenBills.RemoveLostAssignments)
	w.TINs = tins.NewService(w.scope, groups{w.Users}, w.Bills, w.Directory, w.OpenBills, w.mails, w.audit, w.log, w.attempts, w.now,
		w.cfg.TINs)
	return nil
}

// createFeeds creates the file imports. Remittances, lookups and digests use their data age.
func (w *domains) createFeeds() error {
	w.Feeds = ingest.New(w.DB, w.businessTime, dataOrder, w.listFeeds()...)
	w.Feeds.StoreFiles(w.files, w.cfg.Ingest.FeedKeepDays)
	w.Feeds.SetRetention(w.cfg.Retention.FeedRunKeepDays, w.cfg.Retention.FeedReportKeepDays)
	if w.folder != nil {
		w.watch = ingest.NewWatch(w.DB, w.jobs, w.Feeds, w.folder, w.cfg.Ingest, w.log)
		w.watch.SetRetention(w.cfg.Retention.FeedFolderKeepDays)
	}
	w.FeedDesk = feeds.NewService(w.DB, w.Feeds, w.watch, w.mails, w.audit, w.zone, w.businessTime, w.cfg.PublicURL, w.cfg.Feeds)
	w.Remittances = remittances.NewService(w.DB, w.Bills, w.jobs, w.scope, colleagues{w.Users}, reasonTexts{w.Codes}, w.Feeds, w.files,
		w.audit, w.businessTime, w.cfg.Bills, w.cfg.Brand.BrandName)
	w.Lookups = bulklookup.NewService(w.DB, w.jobs, w.Bills, w.scope, finders{w.Users, w.cfg.Access, "work.find"}, billAges{w.Feeds},
		w.files, w.attempts, w.audit, w.businessTime)
	stored := fileexport.Quota{Most: w.cfg.Files.GroupFiles}
	w.Remittances.UseQuota(stored)
	w.Lookups.UseQuota(stored)
	w.Alerts = alerts.NewService(w.DB, w.scope, recipients{w.Users}, w.Bills, billAges{w.Feeds}, w.mails, w.attempts, w.sealer, w.audit,
		w.businessTime,
		alerts.Settings{Brand: w.cfg.Brand.BrandName, PublicURL: w.cfg.PublicURL, Internal: w.cfg.Account.IsInternal})
	return nil
}

// createDesk creates the service desk, where network staff look up an office's data.
func (w *domains) createDesk() error {
	w.Desk = desk.NewService(w.DB, w.TINs, deskSources{
		w.Users, w.Bills, w.Claims, w.Directory, w.SignIn, func() *account.Service {
			return w.Account
		}, func() *mfa.Service { return w.Factors }, w.mails, w.DB,
	}, deskOffices{
		w.DB, w.TINs, func() *administration.Service { return w.Administration }, w.OpenBills, w.Alerts, w.mails, w.FeeSchedules, w.Rosters,
		w.Notifications,
	}, w.attempts, w.audit, w.log, w.businessTime)
	w.Unmatched = unmatchedpayments.NewService(w.DB, w.Ledger, w.Bills, w.TINs, w.sealer, w.audit, w.zone)
	w.Bills.UseDesk(w.Desk)
	w.Remittances.UseDesk(w.Desk)
	return nil
}

// createSignIn creates second factors, the identity provider and sessions.
func (w *domains) createSignIn() (err error) {
	if w.Factors, err = mfa.NewService(w.DB, factorOwners{w.Users}, w.ends, w.mails, w.audit, w.attempts, w.keeper, w.log, w.now,
		w.secondFactorSettings(), w.cfg.Brand.BrandName, w.cfg.PublicURL); err != nil {
		return err
	}
	w.provider = w.newProvider(newSignOutHandler(func() *sessions.Service { return w.session }))
	w.signOn = sso.NewService(w.provider, w.sealer, w.now, w.log, w.isSignedIn)
	w.session = sessions.NewService(w.DB, sessionAccounts{w.Users, w.FeeSchedules}, singleSignOn{w.signOn}, newPasswordChecker(w.SignIn),
		w.SignIn,
		w.sealer, w.audit, w.now, w.cfg.Access, w.cfg.Sessions)
	w.session.UseDesk(w.Desk)
	w.session.UseScopes(tins.SelectSQL)
	w.Visits = accesslog.NewService(w.DB, w.cfg.Access.Offers("visits.read"), sessionAccounts{users: w.Users}, w.Desk, w.mails, w.audit,
		w.businessTime, w.cfg.Sessions.ExpiresAt, accesslog.Openings{Bills: bills.Readings, Remittances: remittances.Openings},
		w.cfg.Brand.BrandName, w.cfg.PublicURL)
	w.session.UseAccessLog(w.Visits)
	w.Alerts.UseAccessLog(w.Visits)
	*w.ends = sessionEnder{w.session, w.provider}
	return nil
}

// isSignedIn reports whether the token belongs to a session.
func (w *domains) isSignedIn(ctx context.Context, token string) bool {
	return w.session.IsSignedIn(ctx, token)
}

// newProvider returns an external sign-in provider or the portal's own form.
func (w *domains) newProvider(ended sso.SignOutHandler) sso.Provider {
	if w.cfg.SSO.IsExternal() {
		return sso.NewOIDC(w.DB, w.cfg.SSO, w.cfg.PublicURL, w.transport(signOnSystem), newIdentityFinder(w.SignIn, w.cfg.SSO.IsTrusted()),
			ended,
			w.now, w.log)
	}
	return sso.NewEmbedded(w.DB, newFormChecker(w.SignIn), secondStep{w.SignIn, w.Factors}, w.SignIn.Lock, w.sealer, w.now, w.log,
		w.isSignedIn,
		w.cfg.Brand.BrandName, w.extra.Accounts, w.extra.Password)
}

// secondFactorSettings returns the second-factor settings, which are off if an external identity
// provider handles it.
func (w *domains) secondFactorSettings() mfa.Settings {
	if w.cfg.SSO.IsExternal() {
		return mfa.None()
	}
	return w.cfg.Factors
}

// createAdministration creates account requests, user administration and access reviews.
func (w *domains) createAdministration() error {
	linkKey, err := w.sealer.Key("reset token")
	if err != nil {
		return err
	}
	w.Account = account.NewService(w.DB, accountHolders{w.Users, w.SignIn}, w.ends, w.Factors, w.mails, w.audit, w.attempts, w.now, linkKey,
		w.cfg.Account, w.cfg.Brand, w.cfg.PublicURL)
	w.Users.OnEmail(w.Account.InvalidateLinks)
	w.Administration = administration.NewService(w.DB, w.Users, w.TINs, w.Account, rosterSources{w.Rosters}, w.ends, w.Factors, w.Alerts,
		w.audit, w.log)
	w.Reviews = accessreview.NewService(w.DB, reviewers{groups{w.Users}, workers{users: w.Users}}, w.Administration, w.mails, w.audit,
		w.businessTime, w.cfg.Reviews, bills.Openings, w.cfg.Brand.BrandName, w.cfg.PublicURL)
	return nil
}

// createUpkeep sets up retention and the notices about failed jobs and emails.
func (w *domains) createUpkeep() error {
	w.mails.SetRetention(w.cfg.Retention.MailKeepDays, filepath.Join(w.cfg.Data, "mail"))
	w.Account.SetRetention(w.cfg.Retention.AccountRequestKeepDays)
	w.Rosters.SetRetention(w.cfg.Retention.RosterKeepDays)
	w.Notifications.SetRetention(w.cfg.Retention.NotificationKeepDays)
	w.FeeSchedules.SetRetention(w.cfg.Retention.FeeScheduleKeepDays)
	w.Desk.SetRetention(w.cfg.Retention.DeskKeepDays)
	w.Reviews.SetRetention(w.cfg.Retention.ReviewKeepDays)
	w.Desk.UseQueues(w.mails, w.jobs, w.listQueues()...)
	atDesk := ""
	if w.cfg.Access.Offers("queues.manage") {
		atDesk = w.cfg.PublicURL + "/wcpp/desk"
	}
	w.DeadLetters = deadletter.NewService(w.DB, w.mails, w.cfg.DeadLetters, atDesk, w.log, w.now)
	return nil
}

// listModules returns the domains' modules in the order of their operations.
func (w *domains) listModules() []module.Module {
	list := []module.Module{
		w.session.Module(), w.signOn.Module(), w.provider.Module(), w.SignIn.Module(), w.Administration.Module(), w.Users.Module(),
		w.Account.Module(), w.Factors.Module(), w.mails.Module(), w.DeadLetters.Module(), w.retentionModule(), w.here.Module(),
		w.TINs.Module(),
		w.Directory.Module(), w.Claims.Module(),
		w.Clients.Module(), w.FeeSchedules.Module(), w.Notifications.Module(), w.Bills.Module(), w.Ledger.Module(), w.Feeds.Module(),
		w.Rosters.Module(), w.content.Module(), support.NewService(w.cfg.Chat, chatPeople{w.Users}).Module(), w.terms,
		auditlog.NewService(w.audit, w.zone).Module(),
	}
	// The modules below belong to the Workspace. While it's off, its existing data still expires
	// on schedule.
	offered := func(is bool, modules ...module.Module) {
		if is {
			list = append(list, modules...)
		}
	}
	tidied := func(permission string, m module.Module) {
		if !w.cfg.Access.Offers(permission) {
			m = cleanupOnly(m)
		}
		list = append(list, m)
	}
	offered(w.hasReasons(), w.Codes.Module())
	tidied("remittances.read", w.Remittances.Module())
	tidied("work.bills", w.OpenBills.Module())
	offered(w.hasDeadlines(), w.Deadlines.Module())
	offered(w.cfg.Access.Offers("work.find"), w.Lookups.Module())
	offered(w.cfg.Access.Offers("status.manage"), announcements.NewService(w.DB, w.audit, w.businessTime).Module())
	offered(w.cfg.Access.Offers("access.review"), w.Reviews.Module())
	tidied("visits.read", w.Visits.Module())
	offered(w.cfg.Access.Offers("desk.open"), w.Desk.Module(), health.NewService(w.DB, w.watcher, w.log, w.now, w.here, w.newAbout()).
		Module())
	offered(w.cfg.Access.Offers("feeds.watch"), w.FeedDesk.Module(), w.Unmatched.Module())
	if w.watch != nil {
		list = append(list, w.watch.Module())
	}
	tidied("digest.own", w.Alerts.Module())
	return list
}

// receiveRosters lets the network receive the rosters that groups send.
func (a *App) receiveRosters(ctx context.Context) error {
	cfg := a.Config
	if !cfg.Access.Offers("rosters.receive") {
		return nil
	}
	var out blob.Store
	if cfg.Rosters.RosterOut != "" {
		var err error
		if out, err = blob.Open(ctx, cfg.Rosters.RosterOut, ""); err != nil {
			return fmt.Errorf("WCPP_ROSTER_OUT: %w", err)
		}
		out = watchedFiles{out, rostersSystem, a.watcher}
	}
	a.Rosters.EnableReceiving(out, listings{a.Directory}, a.mails, a.jobs, cfg.PublicURL)
	return nil
}
