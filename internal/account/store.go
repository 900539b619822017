package account

import (
	"context"
	"database/sql"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
)

type link struct {
	ID        int64
	Purpose   string
	UserID    int64 `db:"user_id"`    // 0: no user
	RequestID int64 `db:"request_id"` // 0: none
	TokenHash []byte
	CodeHash  []byte
	CreatedBy string
	// The SSO identity that a link binds an account to. Empty for other purposes.
	SSOIssuer  string `db:"sso_issuer"`
	SSOSubject string `db:"sso_subject"`
	ExpiresAt  db.Instant
	UsedAt     db.Instant
	EndedAt    db.Instant
}

const linkColumns = `id, purpose, coalesce(user_id, 0) AS user_id, coalesce(request_id, 0) AS request_id, token_hash, code_hash,
	created_by, sso_issuer, sso_subject, expires_at, used_at, ended_at`

func insertLink(ctx context.Context, tx *sql.Tx, l link, now db.Instant) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO account_links (purpose, user_id, request_id, created_at, created_by)
		VALUES ($1, nullif(cast($2 AS bigint), 0), nullif(cast($3 AS bigint), 0), $4, $5) RETURNING id`,
		l.Purpose, l.UserID, l.RequestID, now, l.CreatedBy)
}

// setLinkIdentity stores the SSO identity that a link binds an account to.
func setLinkIdentity(ctx context.Context, tx *sql.Tx, id int64, issuer, subject string) error {
	return db.Run(ctx, tx, `UPDATE account_links SET sso_issuer = $2, sso_subject = $3 WHERE id = $1`, id, issuer, subject)
}

func mintLink(ctx context.Context, tx *sql.Tx, id int64, tokenHash, codeHash []byte, expires db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE account_links SET token_hash = $2, code_hash = $3, expires_at = $4 WHERE id = $1`, id, tokenHash, codeHash, expires)
}

func linkByID(ctx context.Context, q db.Queryer, id int64) (link, error) {
	return db.One[link](ctx, q, `SELECT `+linkColumns+` FROM account_links WHERE id = $1`, id)
}

func lastLink(ctx context.Context, q db.Queryer, userID int64, purpose string) (link, error) {
	return db.One[link](ctx, q, `SELECT `+linkColumns+` FROM account_links WHERE user_id = $1 AND purpose = $2 ORDER BY id DESC LIMIT 1`,
		userID, purpose)
}

func linkByToken(ctx context.Context, q db.Queryer, hash []byte) (link, error) {
	return db.One[link](ctx, q, `SELECT `+linkColumns+` FROM account_links WHERE token_hash = $1`, hash)
}

// useLink returns 0 if another request used or invalidated the link first.
func useLink(ctx context.Context, tx *sql.Tx, id int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE account_links SET used_at = $2 WHERE id = $1 AND used_at IS NULL AND ended_at IS NULL`, id, now)
}

// endLinks invalidates the open links of a user, or of a request, and returns the purposes for
// which there were any.
func endLinks(ctx context.Context, tx *sql.Tx, userID, request int64, purposes []string, now db.Instant) (ended []string, err error) {
	for _, purpose := range purposes {
		var n int64
		if userID != 0 {
			n, err = db.Exec(ctx, tx, `
				UPDATE account_links SET ended_at = $3 WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL AND ended_at IS NULL`,
				userID, purpose, now)
		} else {
			n, err = db.Exec(ctx, tx, `
				UPDATE account_links SET ended_at = $3 WHERE request_id = $1 AND purpose = $2 AND used_at IS NULL AND ended_at IS NULL`,
				request, purpose, now)
		}
		if err != nil {
			return ended, err
		}
		if n > 0 {
			ended = append(ended, purpose)
		}
	}
	return ended, nil
}

func insertRequest(ctx context.Context, tx *sql.Tx, email, key, campaign string, now db.Instant) error {
	return db.Run(ctx, tx, `
		INSERT INTO account_requests (email, email_key, campaign, status, created_at) VALUES ($1, $2, $3, 'STARTED', $4)
		ON CONFLICT DO NOTHING`, email, key, campaign, now)
}

const requestColumns = `id, email, campaign, CASE WHEN status = 'CLOSED' AND user_id IS NULL THEN 'DECLINED'
	ELSE status END AS status, affiliation_cd, affiliation_desc, first_name, last_name, middle_initial, phone,
	job_title, company_name, company_url, provider_ftin, provider_name, submitted_at, decline_reason`

// lockOpenRequest locks the open request of an email address.
func lockOpenRequest(ctx context.Context, tx *sql.Tx, dialect db.Dialect, key string) (Request, error) {
	return db.One[Request](ctx, tx, `SELECT `+requestColumns+` FROM account_requests WHERE email_key = $1 AND status <> 'CLOSED'`+
		dialect.ForUpdate, key)
}

func requestByID(ctx context.Context, q db.Queryer, id int64) (Request, error) {
	return db.One[Request](ctx, q, `SELECT `+requestColumns+` FROM account_requests WHERE id = $1`, id)
}

func lockRequest(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Request, error) {
	return db.One[Request](ctx, tx, `SELECT `+requestColumns+` FROM account_requests WHERE id = $1`+dialect.ForUpdate, id)
}

func submittedRequests(ctx context.Context, q db.Queryer) ([]Request, error) {
	return db.List[Request](ctx, q, `
		SELECT `+requestColumns+` FROM account_requests WHERE status = 'SUBMITTED' ORDER BY submitted_at, id LIMIT 500`)
}

// submitted counts the requests under review.
func submitted(ctx context.Context, q db.Queryer) (paging.Backlog, error) {
	return paging.CountWaiting(ctx, q, `SELECT submitted_at AS since FROM account_requests WHERE status = 'SUBMITTED'
		ORDER BY submitted_at`)
}

var requestPageColumns = paging.Columns{
	"name": paging.Name("lower(first_name || ' ' || last_name)"), "email": paging.Text("email_key"),
	"company":  paging.Name("lower(company_name)"),
	"provider": paging.Name("lower(provider_name)"), "ftin": paging.Text("provider_ftin"), "since": paging.Day("submitted_at"),
}

func submittedPage(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table) ([]Request, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: requestColumns, From: "FROM account_requests WHERE status = 'SUBMITTED'", Columns: requestPageColumns,
		Order: "submitted_at, id",
	}, paging.Rows[Request])
}

func submitRequest(ctx context.Context, tx *sql.Tx, r Request) error {
	return db.Run(ctx, tx, `
		UPDATE account_requests SET status = 'SUBMITTED', affiliation_cd = $2, affiliation_desc = $3, first_name = $4, last_name = $5,
		       middle_initial = $6, phone = $7, job_title = $8, company_name = $9, company_url = $10, provider_ftin = $11,
		       provider_name = $12, submitted_at = $13
		WHERE id = $1`,
		r.ID, r.AffiliationCd, r.AffiliationDesc, r.FirstName, r.LastName, r.MiddleInitial, r.Phone, r.JobTitle, r.CompanyName,
		r.CompanyURL, r.ProviderFTIN, r.ProviderName, r.SubmittedAt)
}

// closeRequest returns 0 if the request was already closed.
func closeRequest(ctx context.Context, tx *sql.Tx, g access.RequestGrant, userID int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE account_requests SET status = 'CLOSED', user_id = $2, closed_at = $3, closed_by = $4
		WHERE id = $1 AND status = 'SUBMITTED'`, g.ID(), userID, now, g.By())
}

// declineRequest returns 0 if the request was already closed.
func declineRequest(ctx context.Context, tx *sql.Tx, g access.RequestGrant, reason string, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE account_requests SET status = 'CLOSED', decline_reason = $2, closed_at = $3, closed_by = $4
		WHERE id = $1 AND status = 'SUBMITTED'`, g.ID(), reason, now, g.By())
}

// deleteOldLinks deletes one batch of links.
func deleteOldLinks(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM account_links
		WHERE id IN (SELECT id FROM account_links WHERE created_at < $1 LIMIT $2)`, before, db.BatchSize)
}

// deleteAbandoned deletes one batch of requests that were never submitted, and deleteClosed one
// batch of those that were decided.
func deleteAbandoned(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM account_requests WHERE id IN (SELECT id FROM account_requests r WHERE status = 'STARTED' AND created_at < $1
			AND NOT EXISTS (SELECT 1 FROM account_links l WHERE l.request_id = r.id) LIMIT $2)`, before, db.BatchSize)
}

func deleteClosed(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM account_requests WHERE id IN (SELECT id FROM account_requests r WHERE status = 'CLOSED' AND submitted_at < $1
			AND closed_at < $1
			AND NOT EXISTS (SELECT 1 FROM account_links l WHERE l.request_id = r.id) LIMIT $2)`, before, db.BatchSize)
}
