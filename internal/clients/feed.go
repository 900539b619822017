package clients

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/intake"
)

// Feeds are tables of products, of the clients who buy them, of who takes part
// in them and whom clients leave out.
func Feeds() []intake.Feed {
	return []intake.Feed{
		intake.Table("products", productColumns, nil, intake.Each(TakeProduct)),
		intake.Table("clients", fileColumns, nil, intake.Each(TakeClient)).AsOf("clients"),
		intake.Table("participations", participationColumns, checkParticipation, intake.Each(TakeParticipation)).AsOf("clients"),
		intake.Table("exclusions", exclusionColumns, checkExclusion, intake.Each(TakeExclusion)).AsOf("clients"),
	}
}

var productColumns = []intake.Column[Product]{
	intake.Required("line_of_business", intake.OneOf(func(p *Product) *string { return &p.LineOfBusiness }, "WC", "AUTO")),
	intake.Required("product_code", intake.Text(func(p *Product) *string { return &p.Code }, 20)),
	intake.Required("product_name", intake.Text(func(p *Product) *string { return &p.Name }, 128)),
}

var fileColumns = []intake.Column[Client]{
	intake.Required("client_id", intake.Text(func(c *Client) *string { return &c.ClientID }, 20)),
	intake.Required("line_of_business", intake.OneOf(func(c *Client) *string { return &c.LineOfBusiness }, "WC", "AUTO")),
	intake.Required("product_code", intake.Text(func(c *Client) *string { return &c.ProductCode }, 20)),
	intake.Required("state", intake.OneOf(func(c *Client) *string { return &c.State }, identifiers.States...)),
	intake.Required("client_name", intake.Text(func(c *Client) *string { return &c.Name }, 128)),
	intake.Optional("affiliated_payor", intake.Text(func(c *Client) *string { return &c.AffiliatedPayor }, 128)),
	intake.Optional("electronic_claims_name", intake.Text(func(c *Client) *string { return &c.ECSName }, 128)),
	intake.Optional("electronic_claims_phone", intake.Phone(func(c *Client) *string { return &c.ECSPhone })),
	intake.Optional("electronic_claims_payor_id", intake.Text(func(c *Client) *string { return &c.ECSPayorID }, 80)),
	intake.Optional("billing_attention", intake.Text(func(c *Client) *string { return &c.BillAttention }, 128)),
	intake.Optional("billing_address", intake.Text(func(c *Client) *string { return &c.BillAddress }, 200)),
	intake.Optional("billing_phone", intake.Phone(func(c *Client) *string { return &c.BillPhone })),
}

var participationColumns = []intake.Column[Participation]{
	intake.Required("provider_id", intake.Digits(func(p *Participation) *string { return &p.ProviderID }, 8)),
	intake.Required("tin", intake.TIN(func(p *Participation) *string { return &p.FTIN })),
	intake.Required("line_of_business", intake.OneOf(func(p *Participation) *string { return &p.LineOfBusiness }, "WC", "AUTO")),
	intake.Required("product_code", intake.Text(func(p *Participation) *string { return &p.ProductCode }, 20)),
	intake.Required("state", intake.OneOf(func(p *Participation) *string { return &p.State }, identifiers.States...)),
	intake.Optional("effective_date", intake.Date(func(p *Participation) *date.Date { return &p.EffectiveDate })),
	intake.Optional("end_date", intake.Date(func(p *Participation) *date.Date { return &p.EndDate })),
}

func checkParticipation(p *Participation) error { return checkPeriod(p.EffectiveDate, p.EndDate) }

func checkExclusion(x *Exclusion) error { return checkPeriod(x.EffectiveDate, x.EndDate) }

// checkPeriod requires a period to end after it began.
func checkPeriod(begin, end date.Date) error {
	if end != "" && end < begin {
		return errors.New("end_date is before effective_date")
	}
	return nil
}

var exclusionColumns = []intake.Column[Exclusion]{
	intake.Required("client_id", intake.Text(func(x *Exclusion) *string { return &x.ClientID }, 20)),
	intake.Required("provider_id", intake.Digits(func(x *Exclusion) *string { return &x.ProviderID }, 8)),
	intake.Optional("tin", intake.TIN(func(x *Exclusion) *string { return &x.FTIN })),
	intake.Optional("effective_date", intake.Date(func(x *Exclusion) *date.Date { return &x.EffectiveDate })),
	intake.Optional("end_date", intake.Date(func(x *Exclusion) *date.Date { return &x.EndDate })),
}

// OpenEnd and OpenStart stand for dates that a feed leaves open.
const (
	OpenStart = "1900-01-01"
	OpenEnd   = "9999-12-31"
)

// TakeProduct stores a product of a line of business.
func TakeProduct(ctx context.Context, tx *sql.Tx, p Product) (intake.Outcome, error) {
	return intake.Stored(storeProduct(ctx, tx, p))
}

// TakeClient stores a client in one product and state; the product must be
// there.
func TakeClient(ctx context.Context, tx *sql.Tx, c Client) (intake.Outcome, error) {
	old, err := clientByKey(ctx, tx, c)
	switch {
	case err == nil && old == c:
		return intake.Unchanged, nil
	case err == nil:
		return intake.Updated, storeClient(ctx, tx, c)
	case !errors.Is(err, db.ErrNotFound):
		return intake.Outcome{}, err
	}
	if has, err := hasProduct(ctx, tx, c.LineOfBusiness, c.ProductCode); err != nil || !has {
		return intake.Rejected("the product doesn't exist: import the products first"), err
	}
	return intake.Taken, storeClient(ctx, tx, c)
}

// TakeParticipation stores a period in which a provider takes part in a product.
func TakeParticipation(ctx context.Context, tx *sql.Tx, p Participation) (intake.Outcome, error) {
	if has, err := hasProduct(ctx, tx, p.LineOfBusiness, p.ProductCode); err != nil || !has {
		return intake.Rejected("the product doesn't exist: import the products first"), err
	}
	p.EffectiveDate, p.EndDate = cmp.Or(p.EffectiveDate, OpenStart), cmp.Or(p.EndDate, OpenEnd)
	return intake.Stored(storeParticipation(ctx, tx, p))
}

// TakeExclusion stores a period in which a client leaves a provider out.
func TakeExclusion(ctx context.Context, tx *sql.Tx, x Exclusion) (intake.Outcome, error) {
	x.EffectiveDate, x.EndDate = cmp.Or(x.EffectiveDate, OpenStart), cmp.Or(x.EndDate, OpenEnd)
	return intake.Stored(storeExclusion(ctx, tx, x))
}
