package account

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"unicode"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Affiliation codes of an account request. OTHER needs a description.
var affiliations = []string{"OFC_STAFF", "BILLING_CO", affiliationOther}

const affiliationOther = "OTHER"

const (
	requestStarted   = "STARTED"
	requestSubmitted = "SUBMITTED"
)

// StartRequest emails the link and the authentication code for an account request. The response
// is the same for every address. The email explains how to continue if the address already has
// an account or a request under review.
func (s *Service) StartRequest(ctx context.Context, email, campaign string) error {
	email = text.Clean(email)
	if !validate.Email(email) {
		return validate.RefuseField(sayInvalid, "email", "A valid Email Address is required.")
	}
	if s.settings.IsInternal(email) {
		return newCodeError(codeInternalUser)
	}
	if err := s.attempts.Allow(ctx, "request", email, maxAttempts, ratelimit.Quarter); err != nil {
		return err
	}
	if err := s.limitSource(ctx, email); err != nil {
		return err
	}
	if err := s.attempts.AllowOther(ctx, "mail", "every source", email, s.settings.StrangerMailsAnHour, ratelimit.Hour); err != nil {
		return err
	}
	u, err := s.users.ByEmail(ctx, email)
	known := err == nil && u.StatusCd != users.Draft
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.audit.Record(ctx, tx, audit.Entry{Operation: "account-request-start", Result: "ok"}); err != nil {
			return err
		}
		if known {
			if isSame, err := s.lockAsRead(ctx, tx, u); err != nil || !isSame {
				return err
			}
		}
		switch {
		case known && u.GroupEnded:
			return nil // users of an inactive group don't get email
		case known && u.StatusCd == users.New:
			l := link{Purpose: purposeRegistration, UserID: u.ID, CreatedBy: byThemselves}
			return s.sendLink(ctx, tx, l, mailRegistration, u.Email)
		case known:
			return s.mails.Enqueue(ctx, tx, mailKnown, u.Email, u.ID)
		}
		if err := insertRequest(ctx, tx, email, text.Key(email), text.Clean(campaign), db.At(s.now())); err != nil {
			return err
		}
		r, err := lockOpenRequest(ctx, tx, s.db.Dialect, text.Key(email))
		if err != nil {
			return err
		}
		if r.Status == requestSubmitted {
			return s.mails.Enqueue(ctx, tx, mailUnderReview, r.Email, r.ID)
		}
		return s.sendLink(ctx, tx, link{Purpose: purposeRequest, RequestID: r.ID, CreatedBy: fromRequestScreen}, mailRequest, r.Email)
	})
}

// Request is an account request.
type Request struct {
	ID              int64
	Email           string
	Campaign        string
	Status          string // STARTED, SUBMITTED, CLOSED or DECLINED
	AffiliationCd   string
	AffiliationDesc string
	FirstName       string
	LastName        string
	MiddleInitial   string
	Phone           string // digits
	JobTitle        string
	CompanyName     string
	CompanyURL      string `db:"company_url"`
	ProviderFTIN    string `db:"provider_ftin"`
	ProviderName    string
	SubmittedAt     db.Instant // zero until submitted
	DeclineReason   string
}

// Application is an account request form as filled in.
type Application struct {
	Token           string // from the emailed link
	Code            string // sent in the same email as the link
	AffiliationCd   string
	AffiliationDesc string // with OTHER
	FirstName       string
	LastName        string
	MiddleInitial   string
	Phone           string // as typed
	JobTitle        string
	CompanyName     string
	CompanyURL      string
	Providers       []AppliedProvider // exactly one
}

// AppliedProvider is the provider that the applicant works for.
type AppliedProvider struct {
	FTIN string
	Name string
}

// CompleteRequest stores the account request form and notifies the support mailbox. Submitting
// the same form again doesn't create another request.
func (s *Service) CompleteRequest(ctx context.Context, form Application) error {
	given, wrong := form.clean()
	if err := wrong.Refuse(sayInvalid); err != nil {
		return err
	}
	if err := s.attempts.Allow(ctx, "request-form", form.Token, maxAttempts, ratelimit.Quarter); err != nil {
		return err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := linkByToken(ctx, tx, hashToken(form.Token))
		if errors.Is(err, db.ErrNotFound) || err == nil && (l.Purpose != purposeRequest || !l.EndedAt.IsZero() || !l.hasCode(form.Code)) {
			return newCodeError(codeInvalidToken)
		}
		if err != nil {
			return err
		}
		r, err := lockRequest(ctx, tx, s.db.Dialect, l.RequestID)
		if err != nil {
			return err
		}
		given.ID, given.Email, given.Campaign = r.ID, r.Email, r.Campaign
		if r.Status != requestStarted {
			stored := r
			stored.Status, stored.SubmittedAt, stored.DeclineReason = "", db.Instant{}, ""
			if stored == given {
				return nil
			}
			return newCodeError(codeInvalidToken)
		}
		if l.ExpiresAt.Before(s.now()) {
			return newCodeError(codeExpiredToken)
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return cmp.Or[error](err, newCodeError(codeInvalidToken))
		}
		given.SubmittedAt = db.At(s.now())
		if err := submitRequest(ctx, tx, given); err != nil {
			return err
		}
		// Without a support mailbox, staff see the request only in their queue.
		if s.brand.SupportEmail != "" {
			if err := s.mails.Enqueue(ctx, tx, mailSubmitted, s.brand.SupportEmail, r.ID); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "account-request-complete", Subject: requestSubject(r.ID), Result: "ok"})
	})
	return s.auditRefusedLink(ctx, "account-request-complete", err)
}

const sayInvalid = "Some values are missing or invalid."

// clean normalizes the form and returns its errors by field.
func (f Application) clean() (Request, validate.Fields) {
	r := Request{
		AffiliationCd: f.AffiliationCd, AffiliationDesc: text.Clean(f.AffiliationDesc),
		FirstName: text.Clean(f.FirstName), LastName: text.Clean(f.LastName), MiddleInitial: text.Clean(f.MiddleInitial),
		Phone: text.Phone(f.Phone), JobTitle: text.Clean(f.JobTitle), CompanyName: text.Clean(f.CompanyName),
		CompanyURL: text.Clean(f.CompanyURL),
	}
	if r.AffiliationCd != affiliationOther {
		r.AffiliationDesc = ""
	}
	var wrong validate.Fields
	typed := cleanCode(f.Code)
	wrong.Require(typed != "", "code", "Error: Enter Authentication Code")
	wrong.Require(typed == "" || isCode(typed), "code", "Invalid Authentication Code")
	wrong.Require(slices.Contains(affiliations, r.AffiliationCd), "affiliation", "Affiliation is required.")
	letters := func(s string, most int, field, name string) {
		if wrong.Limit(s, most, field) {
			wrong.Require(validate.HasTwoLetters(s), field, name+" must have at least 2 letters.")
		}
	}
	if r.AffiliationCd == affiliationOther {
		letters(r.AffiliationDesc, validate.MaxAffiliation, "affiliation_desc", "Other Affiliation")
	}
	isName := func(name, field string) { wrong.Require(validate.Name(name), field, validate.NameCharacters) }
	letters(r.FirstName, validate.MaxName, "first_name", "First Name")
	isName(r.FirstName, "first_name")
	letters(r.LastName, validate.MaxName, "last_name", "Last Name")
	isName(r.LastName, "last_name")
	wrong.Limit(r.MiddleInitial, 1, "middle_initial")
	isName(r.MiddleInitial, "middle_initial")
	wrong.Require(validate.Digits(r.Phone, 10, 10), "phone", "A valid Phone Number is required.")
	letters(r.JobTitle, validate.MaxWork, "job_title", "Job Title")
	letters(r.CompanyName, validate.MaxWork, "company_name", "Company Name")
	wrong.Limit(r.CompanyURL, validate.MaxWork, "company_url")
	if len(f.Providers) != 1 {
		wrong.Require(false, "provider", "Provider information is required.")
		return r, wrong
	}
	provider := f.Providers[0]
	r.ProviderFTIN, r.ProviderName = text.TIN(provider.FTIN), text.Clean(provider.Name)
	wrong.Require(validate.TIN(r.ProviderFTIN), "provider", "Enter 9 digit FTIN.")
	if wrong.Limit(r.ProviderName, validate.MaxWork, "provider") {
		wrong.Require(validate.Length(r.ProviderName, 2, validate.MaxWork), "provider", "Provider name is required.")
	}
	return r, wrong
}

// cleanCode normalizes a code. Its groups are separated by hyphens, but people also type dashes
// or spaces.
func cleanCode(typed string) string {
	groups := strings.FieldsFunc(strings.ToUpper(typed), func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) })
	return strings.Join(groups, "-")
}

// isCode reports whether a text is four groups of five capital letters or digits.
func isCode(s string) bool {
	groups := strings.Split(s, "-")
	return len(groups) == 4 && !slices.ContainsFunc(groups, func(g string) bool {
		return len(g) != 5 || strings.ContainsFunc(g, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	})
}

// ListSubmitted lists the account requests under review, oldest first.
func (s *Service) ListSubmitted(ctx context.Context) ([]Request, error) {
	return submittedRequests(ctx, s.db.Reader)
}

// CountSubmitted counts the account requests under review.
func (s *Service) CountSubmitted(ctx context.Context) (paging.Backlog, error) {
	return submitted(ctx, s.db.Reader)
}

// SubmittedPage returns a page of these requests, oldest first, and the total. Viewing it is
// audited.
func (s *Service) SubmittedPage(ctx context.Context, t paging.Table) ([]Request, int, error) {
	list, count, err := submittedPage(ctx, s.db.Reader, s.db.Dialect, t)
	if err != nil {
		return nil, 0, err
	}
	return list, count, s.audit.RecordNow(ctx, audit.Entry{Operation: "account-requests-list", Result: "ok"})
}

// Request returns a submitted account request. Viewing it is audited.
func (s *Service) Request(ctx context.Context, a access.Actor, id int64) (Request, error) {
	if _, err := a.Reach().AnswerRequest(id); err != nil {
		return Request{}, err
	}
	r, err := requestByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && r.Status == requestStarted {
		return Request{}, problem.New(problem.NotFound)
	}
	if err != nil {
		return Request{}, err
	}
	return r, s.audit.RecordNow(ctx, audit.Entry{Operation: "account-request-read", Subject: requestSubject(id), Result: "ok"})
}

// LockRequest locks an account request that is pending. It returns NotFound for one that was never
// submitted and Conflict for one that was already decided.
func (s *Service) LockRequest(ctx context.Context, tx *sql.Tx, g access.RequestGrant) error {
	r, err := s.lockSubmitted(ctx, tx, g)
	if err == nil && r.Status != requestSubmitted {
		err = errAnswered()
	}
	return err
}

// CloseRequest closes an account request with the account created from it, in the same transaction. It
// returns NotFound for one that was never submitted and Conflict for one that was already
// decided.
func (s *Service) CloseRequest(ctx context.Context, tx *sql.Tx, g access.RequestGrant, userID int64) error {
	if _, err := s.lockSubmitted(ctx, tx, g); err != nil {
		return err
	}
	return requireOpen(closeRequest(ctx, tx, g, userID, db.At(s.now())))
}

// lockSubmitted locks a submitted account request, or returns NotFound.
func (s *Service) lockSubmitted(ctx context.Context, tx *sql.Tx, g access.RequestGrant) (Request, error) {
	r, err := lockRequest(ctx, tx, s.db.Dialect, g.ID())
	if errors.Is(err, db.ErrNotFound) || err == nil && r.Status == requestStarted {
		err = problem.New(problem.NotFound)
	}
	return r, err
}

func requireOpen(n int64, err error) error {
	if err == nil && n == 0 {
		err = errAnswered()
	}
	return err
}

func errAnswered() error {
	return problem.WithMessage(problem.Conflict, "This account request has already been answered.")
}

const maxReason = 400

// Decline closes an account request without an account and emails the applicant. The optional
// reason can be up to 400 characters. It returns NotFound for a request that was never submitted
// and Conflict for one that was already decided.
func (s *Service) Decline(ctx context.Context, a access.Actor, id int64, reason string) error {
	reason = text.Clean(reason)
	var wrong validate.Fields
	wrong.Limit(reason, maxReason, "reason")
	if err := wrong.Refuse(sayInvalid); err != nil {
		return err
	}
	g, err := a.Reach().AnswerRequest(id)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		r, err := s.lockSubmitted(ctx, tx, g)
		if err != nil {
			return err
		}
		if err := requireOpen(declineRequest(ctx, tx, g, reason, db.At(s.now()))); err != nil {
			return err
		}
		if err := s.mails.Enqueue(ctx, tx, mailDeclined, r.Email, id); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "account-request-decline", Subject: requestSubject(id), Result: "ok"})
	})
}
