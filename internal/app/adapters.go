package app

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"wcpp/internal/access"
	"wcpp/internal/account"
	"wcpp/internal/bills"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/directory"
	"wcpp/internal/feeds"
	"wcpp/internal/feeschedules"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/support"
	"wcpp/internal/tins"
	"wcpp/internal/users"
	"wcpp/internal/users/administration"
	"wcpp/internal/users/signin"
)

// byPassword signs people in by user name and password, for the areas that need
// to know no more of them than who they are.
func byPassword(s *signin.Service) func(ctx context.Context, userName, password string) (int64, error) {
	return func(ctx context.Context, userName, password string) (int64, error) {
		u, err := s.SignIn(ctx, userName, password)
		return u.ID, err
	}
}

// identified signs in the people whom an outside provider has proven.
func identified(s *signin.Service) func(ctx context.Context, issuer, subject, userName string) (int64, error) {
	return func(ctx context.Context, issuer, subject, userName string) (int64, error) {
		u, err := s.SignInIdentity(ctx, signin.Identity{Issuer: issuer, Subject: subject, UserName: userName})
		return u.ID, err
	}
}

// chatPeople gives the live chat the people whom it is introduced to.
type chatPeople struct{ users *users.Service }

func (c chatPeople) Contact(ctx context.Context, id int64) (support.Person, error) {
	u, err := c.users.ByID(ctx, id)
	return chatPerson(u), err
}

func chatPerson(u users.User) support.Person {
	return support.Person{Name: u.FirstName + " " + u.LastName, Email: u.Email, Phone: u.Phone, AccountType: users.ShortTypeName(u.TypeCd)}
}

// sessionAccounts gives the sessions what they show of an account.
type sessionAccounts struct {
	users        *users.Service
	feeSchedules *feeschedules.Service
}

func (s sessionAccounts) Account(ctx context.Context, id int64) (sessions.Account, error) {
	u, err := s.users.ByID(ctx, id)
	if err != nil {
		return sessions.Account{}, err
	}
	made, err := s.feeSchedules.Of(ctx, u.ID)
	return sessionAccount(u, made), err
}

func sessionAccount(u users.User, made []feeschedules.Request) sessions.Account {
	files := feeschedules.FilesOf(made)
	account := sessions.Account{
		ID: u.ID, UserNm: u.UserName, UserFirstName: u.FirstName, UserLastName: u.LastName, UserMidName: u.MiddleName,
		EmailAddr: u.Email, PhoneNum: u.Phone, TypeCd: u.TypeCd, TypeDesc: users.TypeName(u.TypeCd),
		StatusCd: string(u.StatusCd), StatusDesc: u.StatusCd.Name(), AppVersion: Version,
		JobTitle: u.JobTitle, CompanyNm: u.CompanyName, CompanyURL: u.CompanyURL,
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc,
		FeeSchedRqstsCnt: files.SuccessCount, FeeSchedRqsts: make([]sessions.FeeScheduleRequest, len(made)),
	}
	for i, f := range files.FeeSchedList {
		account.FeeSchedRqsts[i] = sessions.FeeScheduleRequest(f)
	}
	if u.GroupID != 0 {
		account.GrpInfoID = &u.GroupID
	}
	return account
}

func (s sessionAccounts) ActiveByName(ctx context.Context, userName string) (access.Person, error) {
	u, err := s.users.ByName(ctx, userName)
	if errors.Is(err, db.ErrNotFound) || err == nil && u.StatusCd != users.Active {
		return access.Person{}, problem.New(problem.NotFound)
	}
	return u.Person(), err
}

// groups gives other areas people and groups as they need to know them.
type groups struct{ users *users.Service }

func (g groups) PersonByName(ctx context.Context, userName string) (access.Person, error) {
	u, err := g.users.ByName(ctx, userName)
	if errors.Is(err, db.ErrNotFound) {
		return access.Person{}, problem.New(problem.NotFound)
	}
	return u.Person(), err
}

// LockGroup locks a group and answers its kind.
func (g groups) LockGroup(ctx context.Context, tx *sql.Tx, groupID int64) (string, error) {
	group, err := g.users.LockGroup(ctx, tx, groupID)
	return group.Kind, err
}

func (g groups) AdminEmails(ctx context.Context, tx *sql.Tx, groupID int64) ([]string, error) {
	list, err := g.users.AdminsOf(ctx, tx, groupID)
	emails := make([]string, len(list))
	for i, u := range list {
		emails[i] = u.Email
	}
	return emails, err
}

// rosterSources gives the administration of users the sources of roster groups.
type rosterSources struct{ rosters *rosters.Service }

func (r rosterSources) OfGroups(ctx context.Context, groupIDs []int64) (map[int64][]administration.RosterSource, error) {
	found, err := r.rosters.SourcesOfGroups(ctx, groupIDs)
	out := make(map[int64][]administration.RosterSource, len(found))
	for id, list := range found {
		for _, source := range list {
			out[id] = append(out[id], administration.RosterSource{SourceID: source.SourceID, SourceName: source.Name})
		}
	}
	return out, err
}

func (r rosterSources) GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error) {
	return r.rosters.GroupsWithSource(ctx, sourceID)
}

func (r rosterSources) GroupsWithSourceGroup(ctx context.Context, sourceGroupID int64) ([]int64, error) {
	return r.rosters.GroupsWithSourceGroup(ctx, sourceGroupID)
}

func (r rosterSources) Known(ctx context.Context, sourceIDs []int64) (bool, error) {
	return r.rosters.Known(ctx, sourceIDs)
}

func (r rosterSources) Give(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error {
	return r.rosters.GiveIn(ctx, tx, group, sourceIDs)
}

// accountHolders gives the account flows what they need of the users.
type accountHolders struct {
	users  *users.Service
	signIn *signin.Service
}

func holder(u users.User, err error) (account.Account, error) {
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return account.Account{
		ID: u.ID, UserName: u.UserName, FirstName: u.FirstName, LastName: u.LastName, Email: u.Email,
		Status: string(u.StatusCd), PasswordHash: u.PasswordHash,
	}, err
}

func (h accountHolders) ByID(ctx context.Context, id int64) (account.Account, error) {
	return holder(h.users.ByID(ctx, id))
}

func (h accountHolders) ByName(ctx context.Context, userName string) (account.Account, error) {
	return holder(h.users.ByName(ctx, userName))
}

func (h accountHolders) ByEmail(ctx context.Context, email string) (account.Account, error) {
	return holder(h.users.ByEmail(ctx, email))
}

func (h accountHolders) Managed(ctx context.Context, a access.Actor, userName string, id int64) (account.Account, access.UserGrant, error) {
	u, grant, err := h.users.Managed(ctx, a, userName, id)
	held, err := holder(u, err)
	return held, grant, err
}

func (h accountHolders) LockUser(ctx context.Context, tx *sql.Tx, id int64) (account.Account, error) {
	return holder(h.users.LockUser(ctx, tx, id))
}

func (h accountHolders) Activate(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) error {
	return h.signIn.Activate(ctx, tx, g, hash)
}

func (h accountHolders) Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return h.signIn.Suspend(ctx, tx, g)
}

// signedIn ends what is signed in: sessions, and codes that could still become
// one.
type signedIn struct {
	sessions *sessions.Service
	embedded *sso.Embedded // nil where an outside provider signs people in
}

func (s signedIn) EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	return errors.Join(s.sessions.EndAll(ctx, tx, user), s.forgetCodes(ctx, tx, user))
}

func (s signedIn) EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error {
	return errors.Join(s.sessions.EndOthers(ctx, tx, user, keep), s.forgetCodes(ctx, tx, user))
}

func (s signedIn) forgetCodes(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	if s.embedded == nil {
		return nil
	}
	return s.embedded.Forget(ctx, tx, user.ID())
}

// takers hands each kind of row to the area that owns it.
func takers(a *App) feeds.Takers {
	return feeds.Takers{
		Bills: func(ctx context.Context, tx *sql.Tx, rows []feeds.Bill) ([]feeds.Outcome, error) {
			list := make([]bills.Bill, len(rows))
			for i, r := range rows {
				list[i] = billOf(r, bills.SourceBill)
			}
			return billOutcomes(a.Bills.TakeBills(ctx, tx, list))
		},
		Payments: func(ctx context.Context, tx *sql.Tx, rows []feeds.Payment) ([]feeds.Outcome, error) {
			list := make([]bills.Remittance, len(rows))
			for i, r := range rows {
				list[i] = remittanceOf(r)
			}
			return billOutcomes(a.Bills.TakePayments(ctx, tx, list))
		},
		Claims: each(func(ctx context.Context, tx *sql.Tx, r feeds.Claim) (feeds.Outcome, error) {
			kind, err := claims.Take(ctx, tx, claims.Claim{
				ClaimNumber: r.ClaimNumber, PayerID: r.PayerID, PayerName: r.PayerName,
				ClaimantFirstName: r.ClaimantFirstName, ClaimantLastName: r.ClaimantLastName,
				ClaimantBirthDate: r.ClaimantBirthDate, DateOfInjury: r.DateOfInjury,
				StateOfJurisdiction: r.StateOfJurisdiction, ClaimantGender: r.ClaimantGender,
			})
			return feeds.Outcome{Kind: feeds.Result(kind)}, err
		}),
		Groups: each(func(ctx context.Context, tx *sql.Tx, r feeds.Group) (feeds.Outcome, error) {
			o, err := a.Users.TakeGroup(ctx, tx, users.Group{ID: r.ID, Name: r.Name, Kind: r.Kind})
			return feeds.Outcome{Kind: feeds.Result(o.Kind), Reason: o.Reason}, err
		}),
		Users: each(func(ctx context.Context, tx *sql.Tx, r feeds.User) (feeds.Outcome, error) {
			o, err := a.Users.TakeUser(ctx, tx, users.User{
				UserName: r.UserName, FirstName: r.FirstName, MiddleName: r.MiddleName, LastName: r.LastName,
				Email: r.Email, Phone: r.Phone, TypeCd: access.Type(r.Type), StatusCd: users.Status(r.Status),
				EmployeeID: r.EmployeeID, GroupID: r.GroupID, AffiliationCd: r.AffiliationCode, AffiliationDesc: r.AffiliationDesc,
				JobTitle: r.JobTitle, CompanyName: r.CompanyName, CompanyURL: r.CompanyURL,
			})
			return feeds.Outcome{Kind: feeds.Result(o.Kind), Reason: o.Reason}, err
		}),
		TINs: each(func(ctx context.Context, tx *sql.Tx, r feeds.TIN) (feeds.Outcome, error) {
			return a.takeTIN(ctx, tx, r)
		}),
		Providers: each(func(ctx context.Context, tx *sql.Tx, r feeds.Provider) (feeds.Outcome, error) {
			kind, err := directory.Take(ctx, tx, directory.Provider{
				ProviderID: r.ProviderID, ProviderType: r.Type, NPI: r.NPI, FirstName: r.FirstName, MiddleName: r.MiddleName,
				LastName: r.LastName, FacilityName: r.FacilityName, Specialty: r.Specialty, Address: r.Address, City: r.City,
				State: r.State, ZIP: r.ZIP, Phone: r.Phone,
			}, r.FTIN)
			return feeds.Outcome{Kind: feeds.Result(kind)}, err
		}),
		Products: each(func(ctx context.Context, tx *sql.Tx, r feeds.Product) (feeds.Outcome, error) {
			return outcomeOf(clients.TakeProduct(ctx, tx, clients.Product(r)))
		}),
		Clients: each(func(ctx context.Context, tx *sql.Tx, r feeds.Client) (feeds.Outcome, error) {
			return outcomeOf(clients.TakeClient(ctx, tx, clients.Client{
				ClientID: r.ClientID, LineOfBusiness: r.LineOfBusiness, ProductCode: r.ProductCode, State: r.State, Name: r.Name,
				AffiliatedPayor: r.AffiliatedPayor, ECSName: r.ECSName, ECSPhone: r.ECSPhone, ECSPayorID: r.ECSPayorID,
				BillAttention: r.BillAttention, BillAddress: r.BillAddress, BillPhone: r.BillPhone,
			}))
		}),
		Participations: each(func(ctx context.Context, tx *sql.Tx, r feeds.Participation) (feeds.Outcome, error) {
			return outcomeOf(clients.TakeParticipation(ctx, tx, clients.Participation{
				ProviderID: r.ProviderID, FTIN: r.FTIN, LineOfBusiness: r.LineOfBusiness, ProductCode: r.ProductCode, State: r.State,
				EffectiveDate: r.EffectiveDate, EndDate: r.EndDate,
			}))
		}),
		Registered: each(func(ctx context.Context, tx *sql.Tx, r feeds.Registered) (feeds.Outcome, error) {
			return outcomeOf(directory.TakeRegistered(ctx, tx, registeredOf(r)))
		}),
		Taxonomies: each(func(ctx context.Context, tx *sql.Tx, r feeds.TaxonomyName) (feeds.Outcome, error) {
			return outcomeOf(directory.TakeTaxonomy(ctx, tx, r.Code, r.Description))
		}),
		ProviderTINs: part(func(r feeds.ProviderPart, p *directory.Part) { p.FTIN = r.FTIN }),
		Specialties: part(func(r feeds.ProviderPart, p *directory.Part) {
			p.Specialty = &directory.Specialty{Description: r.Description, Rank: int(r.Rank)}
		}),
		Offices: part(func(r feeds.ProviderPart, p *directory.Part) {
			p.Office = &directory.Office{
				OfficeID: r.OfficeID, Name: r.OfficeName, IsPrimary: r.Primary, AcceptsWC: r.AcceptsWC, FTIN: r.FTIN,
				Address: r.Address, Phone: r.Phone, Fax: r.Fax, Email: r.Email,
			}
		}),
		OfficeDetails: part(func(r feeds.ProviderPart, p *directory.Part) {
			p.Detail = &directory.Detail{OfficeID: r.OfficeID, Kind: r.Kind, Description: r.Description}
		}),
		Licenses: part(func(r feeds.ProviderPart, p *directory.Part) {
			p.License = &directory.License{
				LicenseType: r.LicenseType, State: r.State, LicenseNumber: r.Number, IssueDate: r.IssueDate, ExpirationDate: r.ExpirationDate, Status: r.Status,
			}
		}),
		Details: part(func(r feeds.ProviderPart, p *directory.Part) {
			p.About = &directory.ProviderDetails{
				Degrees: r.Degrees, Gender: r.Gender, Languages: r.Languages, LinesOfBusiness: r.LinesOfBusiness, BirthDate: r.BirthDate,
			}
		}),
		RateCodes: each(func(ctx context.Context, tx *sql.Tx, r feeds.RateCode) (feeds.Outcome, error) {
			kind, err := feeschedules.TakeRateCode(ctx, tx, feeschedules.RateCode{
				ProviderID: r.ProviderID, LineOfBusiness: r.LineOfBusiness, FTIN: r.FTIN, NationalRateCode: r.NationalRateCode, ZIP: r.ZIP,
				LocationName: r.LocationName, LocationAddress: r.LocationAddress, LocationDetails: r.LocationDetails,
			})
			return feeds.Outcome{Kind: feeds.Result(kind)}, err
		}),
		Allowances: each(func(ctx context.Context, tx *sql.Tx, r feeds.Allowance) (feeds.Outcome, error) {
			kind, err := feeschedules.TakeAllowance(ctx, tx, feeschedules.Allowance{
				NationalRateCode: r.NationalRateCode, ProcedureCode: r.ProcedureCode, Modifier: r.Modifier, Description: r.Description,
				Allowance: r.Allowance, EffectiveDate: r.EffectiveDate, EndDate: r.EndDate,
			})
			return feeds.Outcome{Kind: feeds.Result(kind)}, err
		}),
		RosterSources: each(func(ctx context.Context, tx *sql.Tx, r feeds.RosterSource) (feeds.Outcome, error) {
			kind, err := rosters.TakeSource(ctx, tx, rosters.Source{SourceID: r.SourceID, Name: r.Name})
			return feeds.Outcome{Kind: feeds.Result(kind)}, err
		}),
		RosterSourceGroups: each(func(ctx context.Context, tx *sql.Tx, r feeds.RosterSourceGroup) (feeds.Outcome, error) {
			return outcomeOf(rosters.TakeSourceGroup(ctx, tx, rosters.SourceGroup{
				SourceGroupID: r.SourceGroupID, SourceID: r.SourceID, GroupID: r.GroupID, Name: r.Name, IsAdmin: r.Admin,
			}))
		}),
		GroupSources: each(func(ctx context.Context, tx *sql.Tx, r feeds.GroupSource) (feeds.Outcome, error) {
			group, err := a.Users.LockGroup(ctx, tx, r.GroupID)
			if err != nil && !problem.Is(err, problem.NotFound) {
				return feeds.Outcome{}, err
			}
			if group.Kind != users.RosterGroup {
				return feeds.Outcome{Kind: feeds.Rejected, Reason: "there is no roster group of this id: import the groups first"}, nil
			}
			return outcomeOf(a.Rosters.TakeGroupSource(ctx, tx, r.GroupID, r.SourceID))
		}),
		Exclusions: each(func(ctx context.Context, tx *sql.Tx, r feeds.Exclusion) (feeds.Outcome, error) {
			return outcomeOf(clients.TakeExclusion(ctx, tx, clients.Exclusion(r)))
		}),
	}
}

// part makes a taker of rows about providers; fill tells which part they are.
func part(fill func(feeds.ProviderPart, *directory.Part)) feeds.Taker[feeds.ProviderPart] {
	return each(func(ctx context.Context, tx *sql.Tx, r feeds.ProviderPart) (feeds.Outcome, error) {
		p := directory.Part{Named: directory.Named{ProviderID: r.ProviderID, NPI: r.NPI}}
		fill(r, &p)
		return outcomeOf(directory.TakePart(ctx, tx, p))
	})
}

func registeredOf(r feeds.Registered) directory.Registered {
	out := directory.Registered{
		Provider: directory.Provider{
			ProviderType: "F", NPI: r.NPI, FacilityName: r.OrganizationName, Address: r.Address, City: r.City, State: r.State, ZIP: r.ZIP, Phone: r.Phone,
		},
		Degrees: r.Credential, Gender: r.Gender, Fax: r.Fax,
	}
	if r.Person {
		out.ProviderType, out.FacilityName = "P", ""
		out.FirstName, out.MiddleName, out.LastName = r.FirstName, r.MiddleName, r.LastName
	}
	for _, t := range r.Taxonomies {
		out.Specialties = append(out.Specialties, directory.RegisteredSpecialty{Code: t.Code, Primary: t.Primary})
	}
	for _, l := range r.Licenses {
		out.Licenses = append(out.Licenses, directory.License{LicenseType: "State License", State: l.State, LicenseNumber: l.Number})
	}
	return out
}

func outcomeOf(kind, reason string, err error) (feeds.Outcome, error) {
	return feeds.Outcome{Kind: feeds.Result(kind), Reason: reason}, err
}

func (a *App) takeTIN(ctx context.Context, tx *sql.Tx, r feeds.TIN) (feeds.Outcome, error) {
	link := tins.Link{GroupID: r.GroupID, FTIN: r.FTIN}
	if r.UserName != "" {
		userID, groupID, err := a.Users.GroupOf(ctx, tx, r.UserName)
		if problem.Is(err, problem.NotFound) {
			return feeds.Outcome{Kind: feeds.Rejected, Reason: "there is no user of this name: import the users first"}, nil
		}
		if err != nil {
			return feeds.Outcome{}, err
		}
		if groupID != r.GroupID {
			return feeds.Outcome{Kind: feeds.Rejected, Reason: "the user belongs to another group"}, nil
		}
		link.UserID = userID
	} else if has, err := a.Users.HasGroup(ctx, tx, r.GroupID); err != nil {
		return feeds.Outcome{}, err
	} else if !has {
		return feeds.Outcome{Kind: feeds.Rejected, Reason: "there is no group of this id: import the groups first"}, nil
	}
	added, reason, err := a.TINs.Take(ctx, tx, link)
	switch {
	case err != nil:
		return feeds.Outcome{}, err
	case reason != "":
		return feeds.Outcome{Kind: feeds.Rejected, Reason: reason}, nil
	case added:
		return feeds.Outcome{Kind: feeds.Taken}, nil
	default:
		return feeds.Outcome{Kind: feeds.Unchanged}, nil
	}
}

// each makes a taker of rows out of one of a single row.
func each[T any](one func(context.Context, *sql.Tx, T) (feeds.Outcome, error)) feeds.Taker[T] {
	return func(ctx context.Context, tx *sql.Tx, rows []T) ([]feeds.Outcome, error) {
		outcomes := make([]feeds.Outcome, len(rows))
		for i, r := range rows {
			var err error
			if outcomes[i], err = one(ctx, tx, r); err != nil {
				return nil, err
			}
		}
		return outcomes, nil
	}
}

func billOutcomes(list []bills.Outcome, err error) ([]feeds.Outcome, error) {
	out := make([]feeds.Outcome, len(list))
	for i, o := range list {
		out[i] = feeds.Outcome{Kind: feeds.Result(o.Kind), Reason: o.Reason}
	}
	return out, err
}

func billOf(r feeds.Bill, source string) bills.Bill {
	b := bills.Bill{
		FTIN: r.FTIN, BillControlNumber: r.BillControlNumber, DocumentID: r.DocumentID, PatientControlNumber: r.PatientControlNumber,
		BillingID: r.BillingID, ClaimNumber: r.ClaimNumber,
		PatientFirstName: r.PatientFirstName, PatientMiddleName: r.PatientMiddleName, PatientLastName: r.PatientLastName,
		PatientBirthDate: r.PatientBirthDate, PatientGender: r.PatientGender,
		BeginServiceDate: r.BeginServiceDate, EndServiceDate: r.EndServiceDate, DateOfInjury: r.DateOfInjury,
		StateOfJurisdiction: r.StateOfJurisdiction,
		PhysicianFirstName:  r.PhysicianFirstName, PhysicianMiddleName: r.PhysicianMiddleName, PhysicianLastName: r.PhysicianLastName,
		PhysicianNPI: r.PhysicianNPI, FacilityName: r.FacilityName, FacilityNPI: r.FacilityNPI,
		BillType: r.BillType, FrequencyCode: r.FrequencyCode, BillCharges: r.Charges, RecommendedAllowance: r.Allowance,
		RepricingMethod: r.RepricingMethod, BillStatus: r.Status, PricingSheet: r.PricingSheet, EOR: r.EOR,
		PayerID: r.PayerID, PayerName: r.PayerName, PaidAmount: r.PaidAmount, PaidDate: r.PaidDate, CheckNumber: r.CheckNumber,
		Source: source,
		Detail: bills.Detail{
			PlaceOfService: r.PlaceOfService, Diagnoses: r.Diagnoses, BillingName: r.BillingName, BillingNPI: r.BillingNPI,
			OriginalReference: r.OriginalReference, RepricerID: r.RepricerID, RejectReason: r.RejectReason,
		},
	}
	for _, l := range r.Lines {
		b.Detail.Lines = append(b.Detail.Lines, bills.Line(l))
	}
	return b
}

func remittanceOf(r feeds.Payment) bills.Remittance {
	p := bills.Payment{
		FTIN: r.FTIN, TraceNumber: r.TraceNumber, PatientControlNumber: r.PatientControlNumber, PayerControlNumber: r.PayerControlNumber,
		Occurrence: r.Occurrence, ClaimStatus: r.ClaimStatus, Charge: r.Charge, Paid: r.Paid,
		PatientResponsibility: r.PatientResponsibility, PaidDate: r.PaidDate, Method: r.Method, PayerName: r.PayerName,
		PatientFirstNameKey: text.Key(r.PatientFirstName), PatientLastNameKey: text.Key(r.PatientLastName),
		BeginServiceDate: r.BeginServiceDate,
		Detail:           bills.PaymentDetail{Adjustments: adjustmentsOf(r.Adjustments)},
	}
	for _, l := range r.Lines {
		p.Detail.Lines = append(p.Detail.Lines, bills.PaidLine{
			Number: l.Number, Revenue: l.Revenue, Procedure: l.Procedure, Qualifier: l.Qualifier, Modifiers: slices.Clone(l.Modifiers),
			Charge: l.Charge, Paid: l.Paid, Allowed: l.Allowed, Units: l.Units, BeginDate: l.BeginDate, EndDate: l.EndDate,
			Adjustments: adjustmentsOf(l.Adjustments),
		})
	}
	return bills.Remittance{Payment: p, RepricedClaimNumber: r.RepricedClaimNumber, Bill: billOf(r.Bill(), bills.SourcePayment)}
}

func adjustmentsOf(list []feeds.Adjustment) []bills.Adjustment {
	var out []bills.Adjustment
	for _, a := range list {
		out = append(out, bills.Adjustment(a))
	}
	return out
}
