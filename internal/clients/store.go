package clients

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

const clientColumns = `c.client_id, c.line_of_business, c.product_code, c.state, c.name, c.affiliated_payor, c.ecs_name, c.ecs_phone,
	c.ecs_payor_id, c.bill_attention, c.bill_address, c.bill_phone`

// Lookup identifies what is looked up about a provider, and the day it applies to.
type Lookup struct {
	LOB, ProviderID, State, Product, FTIN string
	Today                                 date.Date
}

// excluded tests whether the client c excludes the provider $1 under the TIN $2 on the day $3.
const excluded = `EXISTS (SELECT 1 FROM client_exclusions x
	WHERE x.client_id = c.client_id AND x.provider_id = $1 AND (x.ftin = '' OR x.ftin = $2) AND x.effective_date <= $3
		AND x.end_date >= $3)`

func listStates(ctx context.Context, q db.Queryer, providerID string, today date.Date) ([]string, error) {
	return db.List[string](ctx, q, `
		SELECT DISTINCT state FROM provider_products
		WHERE provider_id = $1 AND effective_date <= $2 AND end_date >= $2 ORDER BY state`, providerID, today)
}

func listProducts(ctx context.Context, q db.Queryer, l Lookup) ([]Product, error) {
	return db.List[Product](ctx, q, `
		SELECT DISTINCT p.line_of_business, p.code, p.name FROM provider_products t
		JOIN products p ON p.line_of_business = t.line_of_business AND p.code = t.product_code
		WHERE t.provider_id = $1 AND t.line_of_business = $2 AND t.state = $3 AND t.ftin = $4
		  AND t.effective_date <= $5 AND t.end_date >= $5
		ORDER BY p.name, p.code`, l.ProviderID, l.LOB, l.State, l.FTIN, l.Today)
}

func takesPart(ctx context.Context, q db.Queryer, l Lookup) (bool, error) {
	var n int
	err := db.Get(ctx, q, &n, `
		SELECT count(*) FROM provider_products
		WHERE provider_id = $1 AND line_of_business = $2 AND state = $3 AND ftin = $4 AND product_code = $5
		  AND effective_date <= $6 AND end_date >= $6`, l.ProviderID, l.LOB, l.State, l.FTIN, l.Product, l.Today)
	return n > 0, err
}

func listClients(ctx context.Context, q db.Queryer, l Lookup, limit int) ([]Client, error) {
	return db.List[Client](ctx, q, `
		SELECT `+clientColumns+` FROM clients c
		WHERE c.line_of_business = $4 AND c.state = $5 AND c.product_code = $6 AND NOT `+excluded+`
		ORDER BY c.name_key, c.client_id LIMIT $7`, l.ProviderID, l.FTIN, l.Today, l.LOB, l.State, l.Product, limit)
}

func listProviderClients(ctx context.Context, q db.Queryer, providerID, ftin string, today date.Date, limit int) ([]Client, error) {
	return db.List[Client](ctx, q, `
		SELECT `+clientColumns+` FROM provider_products t
		JOIN clients c ON c.line_of_business = t.line_of_business AND c.state = t.state AND c.product_code = t.product_code
		WHERE t.provider_id = $1 AND t.ftin = $2 AND t.effective_date <= $3 AND t.end_date >= $3 AND NOT `+excluded+`
		ORDER BY c.name_key, c.client_id LIMIT $4`, providerID, ftin, today, limit)
}

// listByPayor lists the clients of a payor ID with a billing phone, first those of one state.
func listByPayor(ctx context.Context, q db.Queryer, payorID, state string, limit int) ([]Client, error) {
	return db.List[Client](ctx, q, `
		SELECT `+clientColumns+` FROM clients c WHERE c.ecs_payor_id = $1 AND c.bill_phone <> ''
		ORDER BY CASE WHEN c.state = $2 THEN 0 ELSE 1 END, c.name_key, c.client_id, c.line_of_business, c.product_code, c.state LIMIT $3`,
		payorID, state, limit)
}

// listByName lists the clients of a name with a billing phone, first those of one state.
func listByName(ctx context.Context, q db.Queryer, name, state string, limit int) ([]Client, error) {
	return db.List[Client](ctx, q, `
		SELECT `+clientColumns+` FROM clients c WHERE c.name_key = $1 AND c.bill_phone <> ''
		ORDER BY CASE WHEN c.state = $2 THEN 0 ELSE 1 END, c.client_id, c.line_of_business, c.product_code, c.state LIMIT $3`,
		key(name), state, limit)
}

func insertAgreement(ctx context.Context, q db.Queryer, userID int64, version string, now db.Instant) error {
	return db.Run(ctx, q, `
		INSERT INTO client_list_agreements (user_id, version, accepted_at) VALUES ($1, $2, $3)
		ON CONFLICT (user_id, version) DO NOTHING`, userID, version, now)
}

// Imported rows. Each function returns the number of rows changed.

func storeProduct(ctx context.Context, tx *sql.Tx, p Product) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO products (line_of_business, code, name) VALUES ($1, $2, $3)
		ON CONFLICT (line_of_business, code) DO UPDATE SET name = excluded.name WHERE products.name <> excluded.name`,
		p.LineOfBusiness, p.Code, p.Name)
}

func hasProduct(ctx context.Context, tx *sql.Tx, lob, product string) (bool, error) {
	var n int
	err := db.Get(ctx, tx, &n, `SELECT count(*) FROM products WHERE line_of_business = $1 AND code = $2`, lob, product)
	return n > 0, err
}

func clientByKey(ctx context.Context, tx *sql.Tx, c Client) (Client, error) {
	return db.One[Client](ctx, tx, `
		SELECT `+clientColumns+` FROM clients c
		WHERE c.client_id = $1 AND c.line_of_business = $2 AND c.product_code = $3 AND c.state = $4`,
		c.ClientID, c.LineOfBusiness, c.ProductCode, c.State)
}

func storeClient(ctx context.Context, tx *sql.Tx, c Client) error {
	return db.Run(ctx, tx, `
		INSERT INTO clients (client_id, line_of_business, product_code, state, name, name_key, affiliated_payor, ecs_name, ecs_phone,
		                     ecs_payor_id, bill_attention, bill_address, bill_phone)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (client_id, line_of_business, product_code, state) DO UPDATE
		SET name = excluded.name, name_key = excluded.name_key, affiliated_payor = excluded.affiliated_payor,
		    ecs_name = excluded.ecs_name, ecs_phone = excluded.ecs_phone, ecs_payor_id = excluded.ecs_payor_id,
		    bill_attention = excluded.bill_attention, bill_address = excluded.bill_address, bill_phone = excluded.bill_phone`,
		c.ClientID, c.LineOfBusiness, c.ProductCode, c.State, c.Name, key(c.Name), c.AffiliatedPayor, c.ECSName, c.ECSPhone,
		c.ECSPayorID, c.BillAttention, c.BillAddress, c.BillPhone)
}

// MoveProvider moves a provider's participations and exclusions to another id. A participation that overlaps one of the
// other id is dropped. Exclusions that overlap become one, so that no excluded day is lost.
func MoveProvider(ctx context.Context, tx *sql.Tx, old, id string) error {
	if _, err := db.Exec(ctx, tx, `
		UPDATE provider_products SET provider_id = $2
		WHERE provider_id = $1 AND NOT EXISTS (SELECT 1 FROM provider_products o
			WHERE o.provider_id = $2 AND o.line_of_business = provider_products.line_of_business AND o.state = provider_products.state
				AND o.ftin = provider_products.ftin AND o.product_code = provider_products.product_code
				AND o.effective_date <= provider_products.end_date AND o.end_date >= provider_products.effective_date)`,
		old, id); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, tx, `DELETE FROM provider_products WHERE provider_id = $1`, old); err != nil {
		return err
	}
	return moveExclusions(ctx, tx, old, id)
}

func moveExclusions(ctx context.Context, tx *sql.Tx, old, id string) error {
	var list []Exclusion
	if err := db.Select(ctx, tx, &list, `SELECT client_id, $2 AS provider_id, ftin, effective_date, end_date FROM client_exclusions
		WHERE provider_id IN ($1, $2) ORDER BY client_id, ftin, effective_date`, old, id); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, tx, `DELETE FROM client_exclusions WHERE provider_id IN ($1, $2)`, old, id); err != nil {
		return err
	}
	for i, x := range list {
		if i+1 < len(list) {
			next := &list[i+1]
			if next.ClientID == x.ClientID && next.FTIN == x.FTIN && next.EffectiveDate <= x.EndDate {
				next.EffectiveDate, next.EndDate = x.EffectiveDate, max(x.EndDate, next.EndDate)
				continue
			}
		}
		if _, err := storeExclusion(ctx, tx, x); err != nil {
			return err
		}
	}
	return nil
}

// currentID is the id of the provider that has or had the id $1.
const currentID = `coalesce((SELECT f.provider_id FROM former_provider_ids f WHERE f.former_id = $1), $1)`

// storeParticipation stores a period and replaces those it overlaps. Other periods of the
// provider and product stay.
func storeParticipation(ctx context.Context, tx *sql.Tx, p Participation) (int64, error) {
	replaced, err := db.Exec(ctx, tx, `
		DELETE FROM provider_products
		WHERE provider_id = `+currentID+` AND line_of_business = $2 AND state = $3 AND ftin = $4 AND product_code = $5
		  AND effective_date <> $6 AND effective_date <= $7 AND end_date >= $6`,
		p.ProviderID, p.LineOfBusiness, p.State, p.FTIN, p.ProductCode, p.EffectiveDate, p.EndDate)
	if err != nil {
		return 0, err
	}
	stored, err := db.Exec(ctx, tx, `
		INSERT INTO provider_products (provider_id, ftin, line_of_business, product_code, state, effective_date, end_date)
		VALUES (`+currentID+`, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (provider_id, line_of_business, state, ftin, product_code, effective_date) DO UPDATE
		SET end_date = excluded.end_date WHERE provider_products.end_date <> excluded.end_date`,
		p.ProviderID, p.FTIN, p.LineOfBusiness, p.ProductCode, p.State, p.EffectiveDate, p.EndDate)
	return replaced + stored, err
}

// storeExclusion stores a period the way storeParticipation does.
func storeExclusion(ctx context.Context, tx *sql.Tx, x Exclusion) (int64, error) {
	replaced, err := db.Exec(ctx, tx, `
		DELETE FROM client_exclusions
		WHERE client_id = $2 AND provider_id = `+currentID+` AND ftin = $3 AND effective_date <> $4 AND effective_date <= $5
		  AND end_date >= $4`, x.ProviderID, x.ClientID, x.FTIN, x.EffectiveDate, x.EndDate)
	if err != nil {
		return 0, err
	}
	stored, err := db.Exec(ctx, tx, `
		INSERT INTO client_exclusions (provider_id, client_id, ftin, effective_date, end_date) VALUES (`+currentID+`, $2, $3, $4, $5)
		ON CONFLICT (client_id, provider_id, ftin, effective_date) DO UPDATE
		SET end_date = excluded.end_date WHERE client_exclusions.end_date <> excluded.end_date`,
		x.ProviderID, x.ClientID, x.FTIN, x.EffectiveDate, x.EndDate)
	return replaced + stored, err
}
