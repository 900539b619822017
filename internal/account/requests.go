package account

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Affiliation codes of an account request; OTHER needs a description.
var affiliations = []string{"OFC_STAFF", "BILLING_CO", affiliationOther}

const affiliationOther = "OTHER"

const (
	requestStarted   = "STARTED"
	requestSubmitted = "SUBMITTED"
)

// StartRequest mails the link and the authentication code of an account
// request. Every address is answered alike; the mail tells whoever has an
// account, or a request under review, how to go on.
func (s *Service) StartRequest(ctx context.Context, email, campaign string) error {
	email = text.Clean(email)
	if !check.Email(email) {
		return invalid(problem.Field{Path: "emailAddress", Code: "INVALID", Message: "A valid Email Address is required."})
	}
	if s.internal(email) {
		return code(codeInternalUser)
	}
	if err := s.tries.Allow(ctx, "request", email, maxTries); err != nil {
		return err
	}
	u, err := s.accounts.ByEmail(ctx, email)
	known := err == nil
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.audit.Record(ctx, tx, audit.Entry{Operation: "account-request-start", Result: "ok"}); err != nil {
			return err
		}
		switch {
		case known && u.Status == statusNew:
			return s.link(ctx, tx, purposeRegistration, mailRegistration, u.Email, u.ID, 0, byThemselves)
		case known && u.Status != statusDraft:
			return s.mails.Post(ctx, tx, mailKnown, u.Email, u.ID)
		}
		if err := insertRequest(ctx, tx, email, text.Key(email), text.Clean(campaign), db.At(s.now())); err != nil {
			return err
		}
		r, err := openRequest(ctx, tx, s.db.Dialect, text.Key(email))
		if err != nil {
			return err
		}
		if r.Status == requestSubmitted {
			return s.mails.Post(ctx, tx, mailUnderReview, r.Email, r.ID)
		}
		return s.link(ctx, tx, purposeRequest, mailRequest, r.Email, 0, r.ID, fromRequestScreen)
	})
}

// CompleteRequest stores the form of an account request and tells the support
// mailbox. The same form sent again is the same request.
func (s *Service) CompleteRequest(ctx context.Context, form RequestForm) error {
	given, wrong := form.clean()
	if len(wrong) > 0 {
		return invalid(wrong...)
	}
	if err := s.tries.Allow(ctx, "request-form", form.Token, maxTries); err != nil {
		return err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := linkByToken(ctx, tx, hashOf(form.Token))
		if errors.Is(err, db.ErrNotFound) || err == nil && (l.Purpose != purposeRequest || !l.EndedAt.IsZero() || !l.hasCode(form.AuthenticationCode)) {
			return code(codeInvalidToken)
		}
		if err != nil {
			return err
		}
		r, err := lockedRequest(ctx, tx, s.db.Dialect, l.RequestID)
		if err != nil {
			return err
		}
		given.ID, given.Email, given.Campaign = r.ID, r.Email, r.Campaign
		if r.Status != requestStarted {
			stored := r
			stored.Status, stored.SubmittedAt = "", db.Instant{}
			if stored == given {
				return nil
			}
			return code(codeInvalidToken)
		}
		if l.ExpiresAt.Before(s.now()) {
			return code(codeExpiredToken)
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return or(err, code(codeInvalidToken))
		}
		given.SubmittedAt = db.At(s.now())
		if err := submitRequest(ctx, tx, given); err != nil {
			return err
		}
		if err := s.mails.Post(ctx, tx, mailSubmitted, s.settings.SupportEmail, r.ID); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "account-request-complete", Subject: requestSubject(r.ID), Result: "ok"})
	})
	return s.refusedLink(ctx, "account-request-complete", err)
}

// clean normalises the form and names what is wrong with it, field by field.
func (f RequestForm) clean() (request, []problem.Field) {
	r := request{
		AffiliationCd: f.Affiliation, AffiliationDesc: text.Clean(f.OtherAffiliation),
		FirstName: text.Clean(f.FirstName), LastName: text.Clean(f.LastName), MiddleInitial: text.Clean(f.MiddleInitial),
		Phone: text.Digits(f.PhoneNumber), JobTitle: text.Clean(f.JobTitle), CompanyName: text.Clean(f.CompanyName), CompanyURL: text.Clean(f.CompanyURL),
	}
	if r.AffiliationCd != affiliationOther {
		r.AffiliationDesc = ""
	}
	var wrong []problem.Field
	unless := func(ok bool, path, message string) {
		if !ok {
			wrong = append(wrong, problem.Field{Path: path, Code: "INVALID", Message: message})
		}
	}
	typed := strings.ToUpper(strings.TrimSpace(f.AuthenticationCode))
	unless(typed != "", "authenticationCode", "Error: Enter Authentication Code")
	unless(typed == "" || isCode(typed), "authenticationCode", "Invalid Authentication Code")
	unless(slices.Contains(affiliations, r.AffiliationCd), "affiliation", "Affiliation is required.")
	unless(r.AffiliationCd != affiliationOther || letters(r.AffiliationDesc, 80), "otherAffiliation", "Other Affiliation must have at least 2 letters.")
	unless(letters(r.FirstName, 40), "firstName", "First Name must have at least 2 letters.")
	unless(letters(r.LastName, 40), "lastName", "Last Name must have at least 2 letters.")
	unless(len([]rune(r.MiddleInitial)) <= 1, "middleInitial", "Enter one letter.")
	unless(len(f.PhoneNumber) <= 14 && len(r.Phone) == 10, "phoneNumber", "A valid Phone Number is required.")
	unless(letters(r.JobTitle, 128), "jobTitle", "Job Title must have at least 2 letters.")
	unless(letters(r.CompanyName, 128), "companyName", "Company Name must have at least 2 letters.")
	unless(len([]rune(r.CompanyURL)) <= 128, "companyUrl", "Enter at most 128 characters.")
	if len(f.ProviderList) != 1 {
		unless(false, "providerList", "Provider information is required.")
		return r, wrong
	}
	provider := f.ProviderList[0]
	r.ProviderFTIN, r.ProviderName = strings.TrimSpace(provider.FTIN), text.Clean(provider.ProviderName)
	unless(len(r.ProviderFTIN) == 9 && text.Digits(r.ProviderFTIN) == r.ProviderFTIN, "providerList", "Enter 9 digit FTIN.")
	n := len([]rune(r.ProviderName))
	unless(n >= 2 && n <= 128, "providerList", "Provider name is required.")
	return r, wrong
}

// isCode tells whether a text is four groups of five capital letters or digits.
func isCode(s string) bool {
	groups := strings.Split(s, "-")
	return len(groups) == 4 && !slices.ContainsFunc(groups, func(g string) bool {
		return len(g) != 5 || strings.ContainsFunc(g, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	})
}

// letters tells whether a text has at least two letters and at most so many
// characters.
func letters(s string, most int) bool {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n >= 2 && len([]rune(s)) <= most
}

func invalid(fields ...problem.Field) error {
	e := problem.Say(problem.Invalid, "Some values are missing or not valid.")
	e.Fields = fields
	return e
}

// Requests lists the account requests under review, the oldest first.
func (s *Service) Requests(ctx context.Context) ([]RequestedAccount, error) {
	list, err := submittedRequests(ctx, s.db.Reader)
	out := make([]RequestedAccount, len(list))
	for i, r := range list {
		out[i] = r.wire()
	}
	return out, err
}

// Request answers an account request that was sent; reading it is audited.
func (s *Service) Request(ctx context.Context, a access.Actor, id int64) (RequestedAccount, error) {
	r, err := requestByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && r.Status == requestStarted {
		return RequestedAccount{}, problem.New(problem.NotFound)
	}
	if err != nil {
		return RequestedAccount{}, err
	}
	return r.wire(), s.audit.Now(ctx, audit.Entry{Operation: "account-request-read", Subject: requestSubject(id), Result: "ok"})
}

// Close ends an account request with the account that was made of it, in the
// transaction that made it.
func (s *Service) Close(ctx context.Context, tx *sql.Tx, id, userID int64, by string) error {
	n, err := closeRequest(ctx, tx, id, userID, db.At(s.now()), by)
	if err == nil && n == 0 {
		err = problem.Say(problem.Conflict, "This account request was answered already.")
	}
	return err
}

func (r request) wire() RequestedAccount {
	out := RequestedAccount{
		ID: r.ID, EmailAddress: r.Email, Campaign: r.Campaign, Status: r.Status,
		Applicant: Applicant{
			Affiliation: r.AffiliationCd, OtherAffiliation: r.AffiliationDesc, FirstName: r.FirstName, LastName: r.LastName,
			MiddleInitial: r.MiddleInitial, PhoneNumber: r.Phone, JobTitle: r.JobTitle, CompanyName: r.CompanyName, CompanyURL: r.CompanyURL,
			ProviderList: []Provider{{FTIN: r.ProviderFTIN, ProviderName: r.ProviderName}},
		},
	}
	if !r.SubmittedAt.IsZero() {
		out.SubmittedDt = r.SubmittedAt.Format(time.RFC3339)
	}
	return out
}
