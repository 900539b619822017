package app

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"wcpp/internal/accesslog"
	"wcpp/internal/accessreview"
	"wcpp/internal/account"
	"wcpp/internal/announcements"
	"wcpp/internal/auditlog"
	"wcpp/internal/bills"
	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/bulklookup"
	"wcpp/internal/bills/cases"
	"wcpp/internal/bills/deposits"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/payercalls"
	"wcpp/internal/bills/record"
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
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/administration"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/mfa"
	"wcpp/internal/notifications"
	"wcpp/internal/payercontacts"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/deadletter"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/module"
	"wcpp/internal/reasoncodes"
	"wcpp/internal/resources"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/support"
)

// domains has the domain services, created in order of their dependencies.
type domains struct {
	*App
	cfg   Config
	extra *Extra
	now   func() time.Time
	zone  *time.Location // business time zone, which determines when days start and end
	scope *tins.Scopes
	quota fileexport.Quota

	signedIn    *sessions.Registry
	ends        sessionEnder
	assignments *openbills.Assignments
	support     *desk.Sessions
	watch       *ingest.Watch // nil without a watched folder
	provider    sso.Provider
	signOn      *sso.Service
	session     *sessions.Service
	content     *resources.Service
	terms       module.Module
}

func (a *App) newDomains(ctx context.Context, now func() time.Time, extra *Extra) (*domains, error) {
	w := &domains{App: a, cfg: a.Config, extra: extra, now: now, zone: a.kit.Zone, scope: tins.NewScopes(a.DB),
		quota: fileexport.Quota{Most: a.Config.Files.GroupFiles}}
	w.cfg.Access.Outside = w.cfg.SSO.IsExternal()
	w.cfg.Account.PasswordElsewhere = w.cfg.SSO.IsExternal() && !w.cfg.Sessions.LegacySignIn
	w.cfg.Account.Issuer = w.cfg.SSO.OIDCIssuer
	for _, step := range []func() error{w.createAccounts, w.createDirectory, func() error {
		return w.createRosters(ctx)
	}, w.createBills, w.createWork, w.createFeeds, w.createSignIn, w.createAdministration, w.createDesk, w.createUpkeep, w.createSender} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// createAccounts creates the accounts, their second factors and the sign-in, and what records
// that staff act for an office.
func (w *domains) createAccounts() (err error) {
	links := account.NewLinks(w.kit)
	w.assignments = openbills.NewAssignments(w.kit, w.scope)
	w.signedIn = sessions.NewRegistry(w.kit, tins.SelectSQL, accesslog.End, w.cfg.Access, w.cfg.Sessions)
	w.ends = sessionEnder{w.signedIn}
	w.Users = users.NewService(users.Deps{Kit: w.kit, Links: links, Assignments: w.assignments, Cases: cases.NewOwners(w.kit),
		TINs: w.scope, Sessions: w.ends}, w.cfg.Access)
	w.support = desk.NewSessions(w.kit, w.scope, w.cfg.Desk)
	w.Visits = accesslog.NewService(accesslog.Deps{Kit: w.kit, Users: w.Users, Desk: w.support,
		Ends:     w.cfg.Sessions.ExpiresAt,
		Openings: accesslog.Openings{Bills: record.Readings, Remittances: remittances.Openings}}, w.cfg.Access.Offers("visits.read"))
	kit := w.kit
	kit.Sealer = w.keeper
	if w.Factors, err = mfa.NewService(mfa.Deps{Kit: kit, Users: w.Users, Sessions: w.ends},
		w.secondFactorSettings()); err != nil {
		return err
	}
	w.SignIn = signin.NewService(signin.Deps{Kit: w.kit, Accounts: w.Users, Factors: w.Factors, Offer: links.OfferBinding}, w.cfg.SignIn)
	linkKey, err := w.sealer.Key("reset token")
	if err != nil {
		return err
	}
	w.Account = account.NewService(account.Deps{Kit: w.kit, Links: links, Users: w.Users, SignIn: w.SignIn, Sessions: w.ends,
		Factors: w.Factors, Key: linkKey}, w.cfg.Account)
	return nil
}

// createDirectory creates the network's data (providers, clients, prices) and its notifications.
func (w *domains) createDirectory() (err error) {
	w.Directory = directory.NewService(w.DB, w.scope, clients.MoveProvider, feeschedules.MoveProvider)
	w.Claims = claims.NewService(w.kit, w.cfg.Claims)
	w.Clients = clients.NewService(clients.Deps{Kit: w.kit, Scopes: w.scope, Providers: w.Directory})
	w.FeeSchedules = feeschedules.NewService(feeschedules.Deps{Kit: w.kit, Scopes: w.scope, Users: w.Users, Providers: w.Directory},
		w.cfg.FeeSchedules)
	w.Notifications = notifications.NewService(notifications.Deps{Kit: w.kit, News: feeschedules.Topic}, w.cfg.Notifications)
	if w.terms, err = support.NewTermsModule(w.cfg.Brand); err != nil {
		return err
	}
	w.content, err = resources.NewService(w.cfg.Content, w.audit, func(base http.RoundTripper) http.RoundTripper {
		return w.watcher.Transport(contentSystem, base)
	})
	return err
}

// createRosters creates the rosters, which the network receives if the Workspace is on.
func (w *domains) createRosters(ctx context.Context) error {
	d := rosters.Deps{Kit: w.kit, Users: w.Users, Directory: listings{w.Directory}}
	receives := w.cfg.Access.Offers("rosters.receive")
	if receives && w.cfg.Rosters.RosterOut != "" {
		out, err := blob.Open(ctx, w.cfg.Rosters.RosterOut, "")
		if err != nil {
			return fmt.Errorf("WCPP_ROSTER_OUT: %w", err)
		}
		d.Out = watchedFiles{out, rostersSystem, w.watcher}
	}
	w.Rosters = rosters.NewService(d, w.cfg.Rosters, receives)
	return nil
}

// createBills creates what derives from bill files: bills, matches, explanations and deadlines.
func (w *domains) createBills() error {
	catalog, err := reasoncodes.NewCatalog()
	if err != nil {
		return err
	}
	rules := deadlines.NewRules(w.DB)
	w.Ledger = ledger.New(ledger.Deps{Kit: w.kit, Directory: w.Directory, DueDates: dues{rules, w.zone}, Glossary: glossary{catalog},
		Keyed: []batch.Keyed{openbills.Follows, payercalls.Follows, cases.Follows, alerts.Follows}}, w.cfg.Ledger)
	w.Codes = reasoncodes.NewService(reasoncodes.Deps{Kit: w.kit, Catalog: catalog, Payments: paymentCodes{w.Ledger}})
	w.Contacts = payercontacts.NewService(payercontacts.Deps{Kit: w.kit, Remittances: remittanceContacts{w.DB},
		Clients: clientContacts{w.Clients}})
	w.Bills = bills.New(bills.Deps{Kit: w.kit, Ledger: w.Ledger, Scopes: w.scope, Users: w.Users,
		Desk: w.support, Reasons: codeReasons{w.Codes}, Contacts: payerContacts{w.Contacts}, Questions: billQuestions{w.DB, w.Users},
		Second: w.cfg.Bills.Second(w.transport(secondSystem))}, w.cfg.Bills, w.cfg.Access.Offers("work.bills"))
	w.Deadlines, err = deadlines.NewService(deadlines.Deps{Kit: w.kit, Rules: rules, Bills: billFacts{w.Bills.Detail, w.zone},
		Ledger: openBills{w.Ledger}})
	return err
}

// createWork creates the office work on bills. The tins service asks it what remains when a TIN is
// removed.
func (w *domains) createWork() error {
	w.OpenBills = openbills.NewService(openbills.Deps{Kit: w.kit, Scopes: w.scope,
		Users: w.Users, Pages: w.Bills.Records}, w.quota)
	w.PayerCalls = payercalls.NewService(payercalls.Deps{Kit: w.kit, OpenBills: w.OpenBills, Users: w.Users})
	var err error
	if w.Cases, err = cases.NewService(cases.Deps{Kit: w.kit, OpenBills: w.OpenBills, Scopes: w.scope, Users: w.Users,
		Pages: w.Bills.Records, Desk: w.support, Law: complaintLaw{w.Deadlines}}, w.cfg.Cases); err != nil {
		return err
	}
	w.TINs = tins.NewService(tins.Deps{Kit: w.kit, Scopes: w.scope, Users: w.Users, Bills: w.Bills.Search, Providers: w.Directory,
		Assignments: w.assignments}, w.cfg.TINs)
	return nil
}

// createFeeds creates the file imports. Remittances, lookups and digests use their data age.
func (w *domains) createFeeds() error {
	w.Feeds = ingest.New(ingest.Deps{DB: w.DB, Clock: w.kit.LocalTime, Order: dataOrder, Files: w.files,
		FindSource: feeds.NewSourceFinder(w.DB)}, w.cfg.Ingest, w.listFeeds()...)
	if w.folder != nil {
		w.watch = ingest.NewWatch(w.DB, w.jobs, w.Feeds, w.folder, w.cfg.Ingest, w.log)
	}
	w.FeedDesk = feeds.NewService(feeds.Deps{Kit: w.kit, Importer: w.Feeds, Folder: w.watch}, w.cfg.Feeds)
	w.Remittances = remittances.NewService(remittances.Deps{Kit: w.kit, Records: w.Bills.Records, Scopes: w.scope,
		Users: w.Users, Reasons: reasonTexts{w.Codes}, Stored: w.Feeds, Desk: w.support},
		remittances.Settings{BillSearches: w.cfg.Bills.BillSearches, BillOpenings: w.cfg.Bills.BillOpenings}, w.quota)
	w.Deposits = deposits.NewService(deposits.Deps{Kit: w.kit, Remittances: w.Remittances, Ages: billAges{w.Feeds}},
		w.cfg.Bills.BillSearches)
	w.Lookups = bulklookup.NewService(bulklookup.Deps{Kit: w.kit, Records: w.Bills.Records, Scopes: w.scope,
		Users: w.Users, Ages: billAges{w.Feeds}}, w.quota)
	w.Alerts = alerts.NewService(alerts.Deps{Kit: w.kit, Scopes: w.scope, Users: w.Users, Pages: w.Bills.Records,
		Ages: billAges{w.Feeds}, AccessLog: w.Visits, Questions: w.Cases},
		alerts.Settings{Brand: w.cfg.Brand.BrandName, PublicURL: w.cfg.PublicURL, Internal: w.cfg.Account.IsInternal})
	return nil
}

// createSignIn creates the identity provider and the sessions.
func (w *domains) createSignIn() error {
	w.provider = w.newProvider()
	w.signOn = sso.NewService(w.kit, w.provider, w.signedIn.IsSignedIn)
	w.session = sessions.NewService(sessions.Deps{Kit: w.kit, Registry: w.signedIn, Users: w.Users,
		SSO: singleSignOn{w.signOn}, SignIn: w.SignIn, Desk: w.support, AccessLog: w.Visits,
		FeeSchedules: feeScheduleFiles{w.FeeSchedules}, Version: Version})
	return nil
}

// newProvider returns an external sign-in provider or the portal's own form.
func (w *domains) newProvider() sso.Provider {
	if w.cfg.SSO.IsExternal() {
		return sso.NewOIDC(sso.OIDCDeps{Kit: w.kit, Transport: w.transport(signOnSystem),
			Find: newIdentityFinder(w.SignIn, w.cfg.SSO.IsTrusted()), SignedOut: newSignOutHandler(w.signedIn)}, w.cfg.SSO)
	}
	return sso.NewEmbedded(sso.EmbeddedDeps{Kit: w.kit, Check: newFormChecker(w.SignIn), Second: secondStep{w.SignIn, w.Factors},
		Lock: w.SignIn.Lock, IsSignedIn: w.signedIn.IsSignedIn}, sso.Demo{Accounts: w.extra.Accounts, Password: w.extra.Password})
}

// secondFactorSettings returns the second-factor settings, which are off if an external identity
// provider handles it alone. The legacy form refuses users who need a second factor.
func (w *domains) secondFactorSettings() mfa.Settings {
	if w.cfg.Account.PasswordElsewhere {
		return mfa.None()
	}
	return w.cfg.Factors
}

// createAdministration creates account requests, user administration and access reviews.
func (w *domains) createAdministration() error {
	w.Administration = administration.NewService(administration.Deps{Kit: w.kit, Accounts: w.Users, TINs: w.TINs,
		Registrations: w.Account, Sources: rosterSources{w.Rosters}, Sessions: w.ends, Factors: w.Factors, Mailings: w.Alerts,
		Reviews: accessreview.NewConversions(w.kit)})
	w.Reviews = accessreview.NewService(accessreview.Deps{Kit: w.kit, Users: w.Users, Administration: w.Administration,
		Openings: record.Openings}, w.cfg.Reviews)
	return nil
}

// createDesk creates the service desk, where network staff look up an office's data.
func (w *domains) createDesk() error {
	w.Unmatched = unmatchedpayments.NewService(unmatchedpayments.Deps{Kit: w.kit, Ledger: w.Ledger, Records: w.Bills.Records,
		Scopes: w.scope})
	w.Desk = desk.NewService(desk.Deps{Sessions: w.support, Users: w.Users, TINs: w.TINs, Administration: w.Administration,
		SignIn: w.SignIn, Factors: w.Factors, OwnForm: !w.cfg.SSO.IsExternal(),
		Sources: deskSources{w.Bills, w.Claims, w.Directory, w.Account, w.DB},
		Offices: deskOffices{w.OpenBills, w.Alerts, w.FeeSchedules, w.Rosters, w.Notifications},
		Mails:   w.mails, Jobs: w.jobs, Queues: w.listQueues()})
	return nil
}

// createUpkeep sets up retention and the notices about failed jobs and emails.
func (w *domains) createUpkeep() error {
	atDesk := ""
	if w.cfg.Access.Offers("queues.manage") {
		atDesk = w.cfg.PublicURL + "/wcpp/desk"
	}
	w.DeadLetters = deadletter.NewService(w.DB, w.mails, w.cfg.DeadLetters, atDesk, w.log, w.now)
	return nil
}

// createSender creates what composes and sends the emails of all domains.
func (w *domains) createSender() error {
	brand := w.cfg.Brand
	from := mail.Address{Name: brand.BrandName, Address: w.cfg.MailFromAddress()}
	transport, err := w.cfg.Mail.Transport(from, w.cfg.mailFolder())
	if err != nil {
		return err
	}
	w.sender = mail.NewSender(mail.SenderDeps{DB: w.DB, Clock: w.now, Log: w.log, Transport: watchedMail{transport, w.watcher},
		Layout: mail.Layout{
			BrandName: brand.BrandName, OrganizationName: brand.OrganizationName,
			SupportEmail: brand.SupportEmail, SupportPhone: brand.SupportPhone, PublicURL: w.cfg.PublicURL,
		}}, slices.Concat(w.Users.Emails(), w.SignIn.Emails(), w.Factors.Emails(), w.Account.Emails(), w.TINs.Emails(), w.Visits.Emails(),
		w.Reviews.Emails(), w.Rosters.Emails(), w.Cases.Emails(), w.Alerts.Emails(), w.FeedDesk.Emails(), w.DeadLetters.Emails())...)
	return nil
}

// listModules returns the domains' modules in the order of their operations.
func (w *domains) listModules() []module.Module {
	list := []module.Module{
		w.session.Module(), w.signOn.Module(), w.provider.Module(), w.SignIn.Module(), w.Administration.Module(), w.Users.Module(),
		w.Account.Module(), w.Factors.Module(), w.mails.Module(), w.sender.Module(), w.DeadLetters.Module(), w.retentionModule(),
		w.kit.Uploads.Module(),
		w.here.Module(),
		w.TINs.Module(),
		w.Directory.Module(), w.Claims.Module(),
		w.Clients.Module(), w.FeeSchedules.Module(), w.Notifications.Module(), w.Bills.Module(), w.Ledger.Module(), w.Feeds.Module(),
		w.Rosters.Module(), w.content.Module(), support.NewService(w.cfg.Chat, w.Users).Module(), w.terms,
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
	offered(w.cfg.Access.Offers("remittances.read"), w.Deposits.Module())
	tidied("work.bills", w.OpenBills.Module())
	tidied("work.notes", w.PayerCalls.Module())
	tidied("cases.own", w.Cases.Module())
	offered(w.hasDeadlines(), w.Deadlines.Module())
	offered(w.cfg.Access.Offers("contacts.read"), w.Contacts.Module())
	tidied("work.find", w.Lookups.Module())
	offered(w.cfg.Access.Offers("status.manage"), announcements.NewService(w.DB, w.audit, w.kit.LocalTime).Module())
	tidied("access.review", w.Reviews.Module())
	tidied("visits.read", w.Visits.Module())
	tidied("desk.open", w.Desk.Module())
	offered(w.cfg.Access.Offers("desk.open"), health.NewService(w.DB, w.watcher, w.log, w.now, w.here, w.newAbout()).Module())
	tidied("feeds.watch", w.FeedDesk.Module())
	offered(w.cfg.Access.Offers("feeds.watch"), w.Unmatched.Module())
	if w.watch != nil {
		list = append(list, w.watch.Module())
	}
	tidied("digest.own", w.Alerts.Module())
	return list
}
