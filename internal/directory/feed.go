// Package directory owns the providers: physicians and facilities, and the tax
// IDs they bill under.
package directory

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Provider is a physician (P), a facility (F), an ancillary provider (A) or a
// hospital (H).
type Provider struct {
	ProviderID   string `db:"provider_id"`
	ProviderType string
	NPI          string `db:"npi"`
	FirstName    string
	MiddleName   string
	LastName     string
	FacilityName string
	Specialty    string
	Address      string
	City         string
	State        string
	ZIP          string `db:"zip"`
	Phone        string
}

func (p Provider) name() string {
	if p.FacilityName != "" {
		return p.FacilityName
	}
	return p.LastName + " " + p.FirstName
}

// Take stores a provider that came in by feed, by its id, and its TIN; it
// tells whether anything was taken, updated or unchanged.
func Take(ctx context.Context, tx *sql.Tx, p Provider, ftin string) (string, error) {
	var old Provider
	err := db.Get(ctx, tx, &old, `
		SELECT provider_id, provider_type, npi, first_name, middle_name, last_name, facility_name, specialty, address, city,
		       state, zip, phone
		FROM providers WHERE provider_id = $1`, p.ProviderID)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return "", err
	}
	if !known || old != p {
		if _, err := db.Exec(ctx, tx, `
			INSERT INTO providers (provider_id, provider_type, npi, first_name, middle_name, last_name, facility_name, name_key,
			                       first_name_key, last_name_key, specialty, address, city, state, zip, phone)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
			ON CONFLICT (provider_id) DO UPDATE
			SET provider_type = excluded.provider_type, npi = excluded.npi, first_name = excluded.first_name,
			    middle_name = excluded.middle_name, last_name = excluded.last_name, facility_name = excluded.facility_name,
			    name_key = excluded.name_key, first_name_key = excluded.first_name_key, last_name_key = excluded.last_name_key,
			    specialty = excluded.specialty, address = excluded.address, city = excluded.city, state = excluded.state,
			    zip = excluded.zip, phone = excluded.phone`,
			p.ProviderID, p.ProviderType, p.NPI, p.FirstName, p.MiddleName, p.LastName, p.FacilityName, text.Key(p.name()),
			text.Key(p.FirstName), text.Key(p.LastName), p.Specialty, p.Address, p.City, p.State, p.ZIP, p.Phone); err != nil {
			return "", err
		}
	}
	linked := int64(0)
	if ftin != "" {
		if linked, err = db.Exec(ctx, tx, `
			INSERT INTO provider_tins (ftin, provider_id) VALUES ($1, $2) ON CONFLICT (ftin, provider_id) DO NOTHING`,
			ftin, p.ProviderID); err != nil {
			return "", err
		}
	}
	switch {
	case !known:
		return "taken", nil
	case old != p || linked > 0:
		return "updated", nil
	default:
		return "unchanged", nil
	}
}
