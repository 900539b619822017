package feeds

import (
	"errors"
	"net/mail"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
)

var billColumns = []column[Bill]{
	{"tin", true, tinField(func(b *Bill) *string { return &b.FTIN })},
	{"bill_control_number", true, textField(func(b *Bill) *string { return &b.BillControlNumber }, 22)},
	{"document_id", false, textField(func(b *Bill) *string { return &b.DocumentID }, 50)},
	{"patient_control_number", false, textField(func(b *Bill) *string { return &b.PatientControlNumber }, 50)},
	{"billing_id", false, textField(func(b *Bill) *string { return &b.BillingID }, 50)},
	{"claim_number", false, textField(func(b *Bill) *string { return &b.ClaimNumber }, 40)},
	{"bill_type", false, oneOf(func(b *Bill) *string { return &b.BillType }, "P", "I")},
	{"frequency_code", false, oneOf(func(b *Bill) *string { return &b.FrequencyCode }, "1", "7", "8")},
	{"patient_first_name", true, textField(func(b *Bill) *string { return &b.PatientFirstName }, 40)},
	{"patient_middle_name", false, textField(func(b *Bill) *string { return &b.PatientMiddleName }, 40)},
	{"patient_last_name", true, textField(func(b *Bill) *string { return &b.PatientLastName }, 60)},
	{"patient_birth_date", false, dateField(func(b *Bill) *date.Date { return &b.PatientBirthDate })},
	{"patient_gender", false, oneOf(func(b *Bill) *string { return &b.PatientGender }, "F", "M", "U")},
	{"begin_service_date", true, dateField(func(b *Bill) *date.Date { return &b.BeginServiceDate })},
	{"end_service_date", false, dateField(func(b *Bill) *date.Date { return &b.EndServiceDate })},
	{"date_of_injury", false, dateField(func(b *Bill) *date.Date { return &b.DateOfInjury })},
	{"state_of_jurisdiction", false, oneOf(func(b *Bill) *string { return &b.StateOfJurisdiction }, identifiers.States...)},
	{"physician_first_name", false, textField(func(b *Bill) *string { return &b.PhysicianFirstName }, 40)},
	{"physician_middle_name", false, textField(func(b *Bill) *string { return &b.PhysicianMiddleName }, 40)},
	{"physician_last_name", false, textField(func(b *Bill) *string { return &b.PhysicianLastName }, 60)},
	{"physician_npi", false, npiField(func(b *Bill) *string { return &b.PhysicianNPI })},
	{"facility_name", false, textField(func(b *Bill) *string { return &b.FacilityName }, 128)},
	{"facility_npi", false, npiField(func(b *Bill) *string { return &b.FacilityNPI })},
	{"payer_id", false, textField(func(b *Bill) *string { return &b.PayerID }, 80)},
	{"payer_name", false, textField(func(b *Bill) *string { return &b.PayerName }, 128)},
	{"charges", true, moneyField(func(b *Bill) *int64 { return &b.Charges })},
	{"allowance", false, optionalMoneyField(func(b *Bill) **int64 { return &b.Allowance })},
	{"bill_status", false, oneOf(func(b *Bill) *string { return &b.Status },
		StatusPaid, StatusReceived, StatusPriced, StatusPaidCorrected, StatusDenied, StatusVoid)},
	{"eor", false, boolField(func(b *Bill) *bool { return &b.EOR })},
	{"pricing_sheet", false, boolField(func(b *Bill) *bool { return &b.PricingSheet })},
	{"paid_amount", false, optionalMoneyField(func(b *Bill) **int64 { return &b.PaidAmount })},
	{"paid_date", false, dateField(func(b *Bill) *date.Date { return &b.PaidDate })},
	{"check_number", false, textField(func(b *Bill) *string { return &b.CheckNumber }, 50)},
}

// checkBill fills what follows from the other columns.
func checkBill(b *Bill) error {
	b.DocumentID = firstOf(b.DocumentID, b.PatientControlNumber, b.BillControlNumber)
	b.PatientControlNumber = firstOf(b.PatientControlNumber, b.DocumentID)
	b.BillType = firstOf(b.BillType, "P")
	b.FrequencyCode = firstOf(b.FrequencyCode, "1")
	if b.EndServiceDate == "" {
		b.EndServiceDate = b.BeginServiceDate
	}
	if b.Status == "" {
		switch {
		case b.FrequencyCode == "8":
			b.Status = StatusVoid
		case b.PaidAmount != nil:
			b.Status = StatusPaid
		case b.Allowance != nil:
			b.Status = StatusPriced
		default:
			b.Status = StatusReceived
		}
	}
	if b.EndServiceDate < b.BeginServiceDate {
		return errors.New("end_service_date is before begin_service_date")
	}
	return nil
}

var claimColumns = []column[Claim]{
	{"claim_number", true, textField(func(c *Claim) *string { return &c.ClaimNumber }, 40)},
	{"payer_id", false, textField(func(c *Claim) *string { return &c.PayerID }, 80)},
	{"payer_name", false, textField(func(c *Claim) *string { return &c.PayerName }, 128)},
	{"claimant_first_name", true, textField(func(c *Claim) *string { return &c.ClaimantFirstName }, 40)},
	{"claimant_last_name", true, textField(func(c *Claim) *string { return &c.ClaimantLastName }, 60)},
	{"claimant_birth_date", true, dateField(func(c *Claim) *date.Date { return &c.ClaimantBirthDate })},
	{"date_of_injury", true, dateField(func(c *Claim) *date.Date { return &c.DateOfInjury })},
	{"state_of_jurisdiction", false, oneOf(func(c *Claim) *string { return &c.StateOfJurisdiction }, identifiers.States...)},
	{"claimant_gender", false, oneOf(func(c *Claim) *string { return &c.ClaimantGender }, "F", "M", "U")},
}

var groupColumns = []column[Group]{
	{"group_id", true, numberField(func(g *Group) *int64 { return &g.ID })},
	{"name", true, textField(func(g *Group) *string { return &g.Name }, 128)},
	{"kind", true, oneOf(func(g *Group) *string { return &g.Kind }, "PROVIDER", "NONNETWORK", "ROSTER")},
}

var userColumns = []column[User]{
	{"user_name", false, textField(func(u *User) *string { return &u.UserName }, 50)},
	{"first_name", true, textField(func(u *User) *string { return &u.FirstName }, 40)},
	{"middle_name", false, textField(func(u *User) *string { return &u.MiddleName }, 40)},
	{"last_name", true, textField(func(u *User) *string { return &u.LastName }, 40)},
	{"email", true, emailField},
	{"phone", false, phoneField(func(u *User) *string { return &u.Phone })},
	{"type", true, oneOf(func(u *User) *string { return &u.Type }, "PRUS", "PRAD", "NNUS", "ROAD", "ROUS", "IRAD", "ISAD")},
	{"status", true, oneOf(func(u *User) *string { return &u.Status }, "NEW", "DRAFT", "ACTIV", "INACT", "LOCK", "DISABL", "TERM")},
	{"employee_id", false, textField(func(u *User) *string { return &u.EmployeeID }, 120)},
	{"group_id", false, numberField(func(u *User) *int64 { return &u.GroupID })},
	{"affiliation", false, oneOf(func(u *User) *string { return &u.AffiliationCode }, "OFC_STAFF", "BILLING_CO", "OTHER")},
	{"affiliation_description", false, textField(func(u *User) *string { return &u.AffiliationDesc }, 80)},
	{"job_title", false, textField(func(u *User) *string { return &u.JobTitle }, 128)},
	{"company_name", false, textField(func(u *User) *string { return &u.CompanyName }, 128)},
	{"company_url", false, textField(func(u *User) *string { return &u.CompanyURL }, 128)},
}

func emailField(u *User, value string) error {
	at, err := mail.ParseAddress(value)
	if err != nil || at.Address != value || len(value) > 120 || !strings.Contains(value[strings.LastIndex(value, "@"):], ".") {
		return errors.New("is not an e-mail address of at most 120 characters")
	}
	u.Email = value
	return nil
}

// checkUser holds the types that live in a group to having one.
func checkUser(u *User) error {
	switch internal := u.Type == "IRAD" || u.Type == "ISAD"; {
	case internal && u.GroupID != 0:
		return errors.New("group_id must be empty for the types IRAD and ISAD")
	case !internal && u.GroupID == 0 && u.Status != "DRAFT":
		return errors.New("group_id is needed for every type but IRAD and ISAD")
	}
	return nil
}

var tinColumns = []column[TIN]{
	{"group_id", true, numberField(func(t *TIN) *int64 { return &t.GroupID })},
	{"tin", true, tinField(func(t *TIN) *string { return &t.FTIN })},
	{"user_name", false, textField(func(t *TIN) *string { return &t.UserName }, 50)},
}

// providerID is the network's number of a provider.
func providerID[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		if len(value) > 8 || !digits(value) {
			return errors.New("is not a number of at most 8 digits")
		}
		*field(row) = value
		return nil
	}
}

func zipField[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		value = strings.ReplaceAll(value, "-", "")
		if len(value) != 5 && len(value) != 9 || !digits(value) {
			return errors.New("is not a ZIP code of 5 or 9 digits")
		}
		*field(row) = value
		return nil
	}
}

var providerColumns = []column[Provider]{
	{"provider_id", true, providerID(func(p *Provider) *string { return &p.ProviderID })},
	{"tin", true, tinField(func(p *Provider) *string { return &p.FTIN })},
	{"type", true, oneOf(func(p *Provider) *string { return &p.Type }, "P", "F", "A", "H")},
	{"npi", false, npiField(func(p *Provider) *string { return &p.NPI })},
	{"first_name", false, textField(func(p *Provider) *string { return &p.FirstName }, 40)},
	{"middle_name", false, textField(func(p *Provider) *string { return &p.MiddleName }, 40)},
	{"last_name", false, textField(func(p *Provider) *string { return &p.LastName }, 60)},
	{"facility_name", false, textField(func(p *Provider) *string { return &p.FacilityName }, 128)},
	{"specialty", false, textField(func(p *Provider) *string { return &p.Specialty }, 128)},
	{"address", false, textField(func(p *Provider) *string { return &p.Address }, 128)},
	{"city", false, textField(func(p *Provider) *string { return &p.City }, 60)},
	{"state", false, oneOf(func(p *Provider) *string { return &p.State }, identifiers.States...)},
	{"zip", false, zipField(func(p *Provider) *string { return &p.ZIP })},
	{"phone", false, phoneField(func(p *Provider) *string { return &p.Phone })},
}

// checkProvider holds a physician to a name and a facility to its own.
func checkProvider(p *Provider) error {
	switch {
	case p.Type == "P" && (p.FirstName == "" || p.LastName == ""):
		return errors.New("first_name and last_name are needed for type P")
	case p.Type != "P" && p.FacilityName == "":
		return errors.New("facility_name is needed for types F, A and H")
	}
	return nil
}

var productColumns = []column[Product]{
	{"line_of_business", true, oneOf(func(p *Product) *string { return &p.LineOfBusiness }, "WC", "AUTO")},
	{"product_code", true, textField(func(p *Product) *string { return &p.Code }, 20)},
	{"product_name", true, textField(func(p *Product) *string { return &p.Name }, 128)},
}

var clientColumns = []column[Client]{
	{"client_id", true, textField(func(c *Client) *string { return &c.ClientID }, 20)},
	{"line_of_business", true, oneOf(func(c *Client) *string { return &c.LineOfBusiness }, "WC", "AUTO")},
	{"product_code", true, textField(func(c *Client) *string { return &c.ProductCode }, 20)},
	{"state", true, oneOf(func(c *Client) *string { return &c.State }, identifiers.States...)},
	{"client_name", true, textField(func(c *Client) *string { return &c.Name }, 128)},
	{"affiliated_payor", false, textField(func(c *Client) *string { return &c.AffiliatedPayor }, 128)},
	{"electronic_claims_name", false, textField(func(c *Client) *string { return &c.ECSName }, 128)},
	{"electronic_claims_phone", false, phoneField(func(c *Client) *string { return &c.ECSPhone })},
	{"electronic_claims_payor_id", false, textField(func(c *Client) *string { return &c.ECSPayorID }, 80)},
	{"billing_attention", false, textField(func(c *Client) *string { return &c.BillAttention }, 128)},
	{"billing_address", false, textField(func(c *Client) *string { return &c.BillAddress }, 200)},
	{"billing_phone", false, phoneField(func(c *Client) *string { return &c.BillPhone })},
}

var participationColumns = []column[Participation]{
	{"provider_id", true, providerID(func(p *Participation) *string { return &p.ProviderID })},
	{"tin", true, tinField(func(p *Participation) *string { return &p.FTIN })},
	{"line_of_business", true, oneOf(func(p *Participation) *string { return &p.LineOfBusiness }, "WC", "AUTO")},
	{"product_code", true, textField(func(p *Participation) *string { return &p.ProductCode }, 20)},
	{"state", true, oneOf(func(p *Participation) *string { return &p.State }, identifiers.States...)},
	{"effective_date", false, dateField(func(p *Participation) *date.Date { return &p.EffectiveDate })},
	{"end_date", false, dateField(func(p *Participation) *date.Date { return &p.EndDate })},
}

// checkParticipation holds a participation to ending after it began.
func checkParticipation(p *Participation) error {
	if p.EndDate != "" && p.EndDate < p.EffectiveDate {
		return errors.New("end_date is before effective_date")
	}
	return nil
}

var exclusionColumns = []column[Exclusion]{
	{"client_id", true, textField(func(x *Exclusion) *string { return &x.ClientID }, 20)},
	{"provider_id", true, providerID(func(x *Exclusion) *string { return &x.ProviderID })},
	{"tin", false, tinField(func(x *Exclusion) *string { return &x.FTIN })},
}

var rateCodeColumns = []column[RateCode]{
	{"provider_id", true, providerID(func(r *RateCode) *string { return &r.ProviderID })},
	{"tin", true, tinField(func(r *RateCode) *string { return &r.FTIN })},
	{"line_of_business", true, oneOf(func(r *RateCode) *string { return &r.LineOfBusiness }, "DPWC", "DPAUT")},
	{"national_rate_code", true, textField(func(r *RateCode) *string { return &r.NationalRateCode }, 40)},
	{"location_name", true, textField(func(r *RateCode) *string { return &r.LocationName }, 128)},
	{"location_address", false, textField(func(r *RateCode) *string { return &r.LocationAddress }, 200)},
	{"location_details", false, textField(func(r *RateCode) *string { return &r.LocationDetails }, 200)},
	{"zip", false, zipField(func(r *RateCode) *string { return &r.ZIP })},
}

var allowanceColumns = []column[Allowance]{
	{"national_rate_code", true, textField(func(a *Allowance) *string { return &a.NationalRateCode }, 40)},
	{"procedure_code", true, textField(func(a *Allowance) *string { return &a.ProcedureCode }, 20)},
	{"modifier", false, textField(func(a *Allowance) *string { return &a.Modifier }, 10)},
	{"description", false, textField(func(a *Allowance) *string { return &a.Description }, 200)},
	{"allowance", true, moneyField(func(a *Allowance) *int64 { return &a.Allowance })},
	{"effective_date", true, dateField(func(a *Allowance) *date.Date { return &a.EffectiveDate })},
	{"end_date", false, dateField(func(a *Allowance) *date.Date { return &a.EndDate })},
}

var rosterSourceColumns = []column[RosterSource]{
	{"source_id", true, numberField(func(r *RosterSource) *int64 { return &r.SourceID })},
	{"source_name", true, textField(func(r *RosterSource) *string { return &r.Name }, 128)},
}

var rosterSourceGroupColumns = []column[RosterSourceGroup]{
	{"source_group_id", true, numberField(func(g *RosterSourceGroup) *int64 { return &g.SourceGroupID })},
	{"source_id", true, numberField(func(g *RosterSourceGroup) *int64 { return &g.SourceID })},
	{"group_id", false, textField(func(g *RosterSourceGroup) *string { return &g.GroupID }, 14)},
	{"group_name", false, textField(func(g *RosterSourceGroup) *string { return &g.Name }, 128)},
	{"admin_group", false, boolField(func(g *RosterSourceGroup) *bool { return &g.Admin })},
}

// checkSourceGroup gives a group without an id of its own the hub's one.
func checkSourceGroup(g *RosterSourceGroup) error {
	if g.GroupID == "" {
		g.GroupID = strconv.FormatInt(g.SourceGroupID, 10)
	}
	return nil
}

var groupSourceColumns = []column[GroupSource]{
	{"group_id", true, numberField(func(g *GroupSource) *int64 { return &g.GroupID })},
	{"source_id", true, numberField(func(g *GroupSource) *int64 { return &g.SourceID })},
}

// A part of a provider names the provider by the network's id or by NPI.
func partColumns(more ...column[ProviderPart]) []column[ProviderPart] {
	return append([]column[ProviderPart]{
		{"provider_id", false, providerID(func(p *ProviderPart) *string { return &p.ProviderID })},
		{"npi", false, npiField(func(p *ProviderPart) *string { return &p.NPI })},
	}, more...)
}

// checkPart holds a part to naming its provider.
func checkPart(p *ProviderPart) error {
	if p.ProviderID == "" && p.NPI == "" {
		return errors.New("provider_id or npi is needed")
	}
	return nil
}

func part(field func(*ProviderPart) *string, longest int) func(*ProviderPart, string) error {
	return textField(field, longest)
}

var providerTINColumns = partColumns(
	column[ProviderPart]{"tin", true, tinField(func(p *ProviderPart) *string { return &p.FTIN })},
)

var specialtyColumns = partColumns(
	column[ProviderPart]{"description", true, part(func(p *ProviderPart) *string { return &p.Description }, 128)},
	column[ProviderPart]{"rank", true, numberField(func(p *ProviderPart) *int64 { return &p.Rank })},
)

var officeColumns = partColumns(
	column[ProviderPart]{"office_id", true, part(func(p *ProviderPart) *string { return &p.OfficeID }, 20)},
	column[ProviderPart]{"office_name", true, part(func(p *ProviderPart) *string { return &p.OfficeName }, 128)},
	column[ProviderPart]{"tin", false, tinField(func(p *ProviderPart) *string { return &p.FTIN })},
	column[ProviderPart]{"primary", false, boolField(func(p *ProviderPart) *bool { return &p.Primary })},
	column[ProviderPart]{"accepts_wc", false, boolField(func(p *ProviderPart) *bool { return &p.AcceptsWC })},
	column[ProviderPart]{"address", false, part(func(p *ProviderPart) *string { return &p.Address }, 200)},
	column[ProviderPart]{"phone", false, phoneField(func(p *ProviderPart) *string { return &p.Phone })},
	column[ProviderPart]{"fax", false, phoneField(func(p *ProviderPart) *string { return &p.Fax })},
	column[ProviderPart]{"email", false, part(func(p *ProviderPart) *string { return &p.Email }, 120)},
)

var officeDetailColumns = partColumns(
	column[ProviderPart]{"office_id", true, part(func(p *ProviderPart) *string { return &p.OfficeID }, 20)},
	column[ProviderPart]{"kind", true, oneOf(func(p *ProviderPart) *string { return &p.Kind }, "SERVICE", "SPECIALTY", "FOCUS", "LANGUAGE")},
	column[ProviderPart]{"description", true, part(func(p *ProviderPart) *string { return &p.Description }, 128)},
)

var licenseColumns = partColumns(
	column[ProviderPart]{"license_type", true, part(func(p *ProviderPart) *string { return &p.LicenseType }, 60)},
	column[ProviderPart]{"state", true, oneOf(func(p *ProviderPart) *string { return &p.State }, identifiers.States...)},
	column[ProviderPart]{"license_number", true, part(func(p *ProviderPart) *string { return &p.Number }, 40)},
	column[ProviderPart]{"issue_date", false, dateField(func(p *ProviderPart) *date.Date { return &p.IssueDate })},
	column[ProviderPart]{"expiration_date", false, dateField(func(p *ProviderPart) *date.Date { return &p.ExpirationDate })},
	column[ProviderPart]{"status", false, part(func(p *ProviderPart) *string { return &p.Status }, 40)},
)

var providerDetailColumns = partColumns(
	column[ProviderPart]{"degrees", false, part(func(p *ProviderPart) *string { return &p.Degrees }, 60)},
	column[ProviderPart]{"birth_date", false, dateField(func(p *ProviderPart) *date.Date { return &p.BirthDate })},
	column[ProviderPart]{"gender", false, oneOf(func(p *ProviderPart) *string { return &p.Gender }, "F", "M", "U")},
	column[ProviderPart]{"languages", false, part(func(p *ProviderPart) *string { return &p.Languages }, 200)},
	column[ProviderPart]{"lines_of_business", false, part(func(p *ProviderPart) *string { return &p.LinesOfBusiness }, 128)},
)

var taxonomyColumns = []column[TaxonomyName]{
	{"code", true, textField(func(t *TaxonomyName) *string { return &t.Code }, 20)},
	{"description", true, textField(func(t *TaxonomyName) *string { return &t.Description }, 200)},
}
