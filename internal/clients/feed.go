package clients

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
)

// Feeds returns the tables that can be imported: products, clients, participations and
// exclusions.
func Feeds() []ingest.Feed {
	return []ingest.Feed{
		ingest.Table("products", productColumns, nil, ingest.Each(ImportProduct)),
		ingest.Table("clients", fileColumns, nil, ingest.Each(ImportClient)).AsOf("clients"),
		ingest.Table("participations", participationColumns, checkParticipation, ingest.Each(ImportParticipation)).AsOf("clients"),
		ingest.Table("exclusions", exclusionColumns, checkExclusion, ingest.Each(ImportExclusion)).AsOf("clients"),
	}
}

var productColumns = []ingest.Column[Product]{
	ingest.Required("line_of_business", ingest.OneOf(func(p *Product) *string { return &p.LineOfBusiness }, "WC", "AUTO")),
	ingest.Required("product_code", ingest.Text(func(p *Product) *string { return &p.Code }, 20)),
	ingest.Required("product_name", ingest.Text(func(p *Product) *string { return &p.Name }, 128)),
}

var fileColumns = []ingest.Column[Client]{
	ingest.Required("client_id", ingest.Text(func(c *Client) *string { return &c.ClientID }, 20)),
	ingest.Required("line_of_business", ingest.OneOf(func(c *Client) *string { return &c.LineOfBusiness }, "WC", "AUTO")),
	ingest.Required("product_code", ingest.Text(func(c *Client) *string { return &c.ProductCode }, 20)),
	ingest.Required("state", ingest.OneOf(func(c *Client) *string { return &c.State }, identifiers.States...)),
	ingest.Required("client_name", ingest.Text(func(c *Client) *string { return &c.Name }, 128)),
	ingest.Optional("affiliated_payor", ingest.Text(func(c *Client) *string { return &c.AffiliatedPayor }, 128)),
	ingest.Optional("electronic_claims_name", ingest.Text(func(c *Client) *string { return &c.ECSName }, 128)),
	ingest.Optional("electronic_claims_phone", ingest.Phone(func(c *Client) *string { return &c.ECSPhone })),
	ingest.Optional("electronic_claims_payor_id", ingest.Text(func(c *Client) *string { return &c.ECSPayorID }, 80)),
	ingest.Optional("billing_attention", ingest.Text(func(c *Client) *string { return &c.BillAttention }, 128)),
	ingest.Optional("billing_address", ingest.Text(func(c *Client) *string { return &c.BillAddress }, 200)),
	ingest.Optional("billing_phone", ingest.Phone(func(c *Client) *string { return &c.BillPhone })),
}

var participationColumns = []ingest.Column[Participation]{
	ingest.Required("provider_id", ingest.Digits(func(p *Participation) *string { return &p.ProviderID }, 8)),
	ingest.Required("tin", ingest.TIN(func(p *Participation) *string { return &p.FTIN })),
	ingest.Required("line_of_business", ingest.OneOf(func(p *Participation) *string { return &p.LineOfBusiness }, "WC", "AUTO")),
	ingest.Required("product_code", ingest.Text(func(p *Participation) *string { return &p.ProductCode }, 20)),
	ingest.Required("state", ingest.OneOf(func(p *Participation) *string { return &p.State }, identifiers.States...)),
	ingest.Optional("effective_date", ingest.Date(func(p *Participation) *date.Date { return &p.EffectiveDate })),
	ingest.Optional("end_date", ingest.Date(func(p *Participation) *date.Date { return &p.EndDate })),
}

func checkParticipation(p *Participation) error {
	return ingest.CheckPeriod(p.EffectiveDate, p.EndDate)
}

func checkExclusion(x *Exclusion) error { return ingest.CheckPeriod(x.EffectiveDate, x.EndDate) }

var exclusionColumns = []ingest.Column[Exclusion]{
	ingest.Required("client_id", ingest.Text(func(x *Exclusion) *string { return &x.ClientID }, 20)),
	ingest.Required("provider_id", ingest.Digits(func(x *Exclusion) *string { return &x.ProviderID }, 8)),
	ingest.Optional("tin", ingest.TIN(func(x *Exclusion) *string { return &x.FTIN })),
	ingest.Optional("effective_date", ingest.Date(func(x *Exclusion) *date.Date { return &x.EffectiveDate })),
	ingest.Optional("end_date", ingest.Date(func(x *Exclusion) *date.Date { return &x.EndDate })),
}

// OpenEnd and OpenStart replace dates that a feed leaves empty.
const (
	OpenStart = "1900-01-01"
	OpenEnd   = "9999-12-31"
)

// ImportProduct stores a product of a line of business.
func ImportProduct(ctx context.Context, tx *sql.Tx, p Product) (ingest.Outcome, error) {
	return ingest.Stored(storeProduct(ctx, tx, p))
}

// ImportClient stores a client in one product and state. The product must exist.
func ImportClient(ctx context.Context, tx *sql.Tx, c Client) (ingest.Outcome, error) {
	old, err := clientByKey(ctx, tx, c)
	switch {
	case err == nil && old == c:
		return ingest.Unchanged, nil
	case err == nil:
		return ingest.Updated, storeClient(ctx, tx, c)
	case !errors.Is(err, db.ErrNotFound):
		return ingest.Outcome{}, err
	}
	if has, err := hasProduct(ctx, tx, c.LineOfBusiness, c.ProductCode); err != nil || !has {
		return ingest.Rejected("the product doesn't exist: import the products first"), err
	}
	return ingest.Imported, storeClient(ctx, tx, c)
}

// ImportParticipation stores a period when a provider participates in a product.
func ImportParticipation(ctx context.Context, tx *sql.Tx, p Participation) (ingest.Outcome, error) {
	if has, err := hasProduct(ctx, tx, p.LineOfBusiness, p.ProductCode); err != nil || !has {
		return ingest.Rejected("the product doesn't exist: import the products first"), err
	}
	p.EffectiveDate, p.EndDate = cmp.Or(p.EffectiveDate, OpenStart), cmp.Or(p.EndDate, OpenEnd)
	return ingest.Stored(storeParticipation(ctx, tx, p))
}

// ImportExclusion stores a period when a client excludes a provider.
func ImportExclusion(ctx context.Context, tx *sql.Tx, x Exclusion) (ingest.Outcome, error) {
	x.EffectiveDate, x.EndDate = cmp.Or(x.EffectiveDate, OpenStart), cmp.Or(x.EndDate, OpenEnd)
	return ingest.Stored(storeExclusion(ctx, tx, x))
}
