package main

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// fillLookups creates providers, ten per TIN, each with an office, a license and a specialty, in
// five products of one state. It creates twenty clients per product and state, with as many
// products as needed.
var fillLookups = []string{`
INSERT INTO providers (provider_id, provider_type, npi, first_name, last_name, name_key, first_name_key, last_name_key, specialty, address,
	city, state, zip, phone)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{providers}})
SELECT '' || (10000000 + i), 'P', '' || (1000000000 + i), 'Margaret', 'Hollingsworth', 'hollingsworth, margaret', 'margaret',
	'hollingsworth',
	'Orthopedic Surgery', '1200 Lakeside Avenue', 'Cleveland', 'OH', '44114', '2165550100' FROM n`, `
INSERT INTO provider_tins (ftin, provider_id)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{providers}})
SELECT '' || (100000000 + i / 10), '' || (10000000 + i) FROM n`, `
INSERT INTO provider_specialties (provider_id, description, rank)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{providers}})
SELECT '' || (10000000 + i), 'Orthopedic Surgery', 1 FROM n`, `
INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc, ftin, address, phone)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{providers}})
SELECT '' || (10000000 + i), '1', 'Lakeside Orthopedic Associates', {{yes}}, {{yes}}, '' || (100000000 + i / 10),
	'1200 Lakeside Avenue, Cleveland, OH 44114', '2165550100' FROM n`, `
INSERT INTO provider_licenses (provider_id, license_type, state, license_number)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{providers}})
SELECT '' || (10000000 + i), 'State License', 'OH', '35.' || (100000 + i) FROM n`, `
INSERT INTO products (line_of_business, code, name)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{products}})
SELECT 'WC', 'P' || i, 'Primary Network ' || i FROM n`, `
INSERT INTO clients (client_id, line_of_business, product_code, state, name, name_key, affiliated_payor, ecs_name, ecs_phone, ecs_payor_id,
	bill_attention, bill_address, bill_phone)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{clients}})
SELECT 'C' || (i % 20), 'WC', 'P' || (i / 1000), substr('ABCDEFGHIJ', i / 20 % 10 + 1, 1) || substr('ABCDE', i / 200 % 5 + 1, 1),
	'Great Plains Casualty ' || (i % 20), 'great plains casualty ' || (i % 20),
	'Great Plains', 'Clearing House', '8005550100', 'GP001', 'Bill Review', 'P.O. Box 1200, Omaha, NE 68101', '8005550101' FROM n`, `
INSERT INTO provider_products (provider_id, line_of_business, state, ftin, product_code, effective_date, end_date)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{providers}} * 5)
SELECT '' || (10000000 + i / 5), 'WC', substr('ABCDEFGHIJ', i / 5 % 10 + 1, 1) || substr('ABCDE', i / 50 % 5 + 1, 1), ''
	|| (100000000 + i / 50), 'P' || ((i / 5 + i % 5 * 7) % {{products}}),
	'2020-01-01'{{date}}, '9999-12-31'{{date}} FROM n`,
}

// lookupSite is a portal with a given number of providers and five times as many client rows.
type lookupSite struct {
	providers, clients int
	portal             *portal
	finder             *browser
	asked              int
	took               map[string][]float64 // ms per response, one value per round
}

// lookUp measures the provider directory and the client list on growing tables.
func (b *bench) lookUp(ctx context.Context, kind string) error {
	var sites []*lookupSite
	for _, n := range []int{100_000, 1_000_000} {
		s := &lookupSite{providers: n, clients: 5 * n, took: map[string][]float64{}}
		say("%s: making %d providers and %d client rows ...", kind, s.providers, s.clients)
		address, drop, err := b.database(ctx, kind, fmt.Sprintf("lookups_%s_%d", kind, n))
		if err != nil {
			return err
		}
		defer drop()
		s.portal, s.finder, err = b.openFilled(ctx, kind, address, fillLookups,
			map[string]int{"providers": n, "clients": s.clients, "products": s.clients / 1000})
		if err != nil {
			return err
		}
		defer s.portal.stop() //nolint:errcheck // its figures are taken
		sites = append(sites, s)
	}
	for round := range b.rounds + 1 {
		for _, s := range sites {
			for what, ask := range map[string]func(int) []lookup{"directory": s.directory, "client list": s.clientList} {
				took, err := s.measure(b.burst, ask)
				if err != nil {
					return err
				}
				if round > 0 { // the first round is a warm-up
					s.took[what] = append(s.took[what], took)
				}
			}
		}
	}
	name := productNames[kind]
	small, large := sites[0], sites[1]
	for _, t := range []struct {
		what   string
		of, to string
	}{
		{"directory", short(small.providers), short(large.providers) + " providers"},
		{"client list", short(small.clients), short(large.clients) + " client rows"},
	} {
		growth := median(each(large.took[t.what], small.took[t.what]))
		b.table.add(fmt.Sprintf("%s, %s, %s → %s", t.what, name, t.of, t.to),
			fmt.Sprintf("%.2f → %.2f ms", median(small.took[t.what]), median(large.took[t.what])), "", fmt.Sprintf("%.2f", growth), "< 1.3",
			growth < 1.3)
	}
	return nil
}

// lookup is a request with the expected number of rows.
type lookup struct {
	path, row string
	rows      int
}

// directory returns the requests of a physician's pages, starting with the TIN.
func (s *lookupSite) directory(n int) []lookup {
	i := n * 7919 % s.providers
	id := fmt.Sprint(10_000_000 + i)
	return []lookup{
		{fmt.Sprintf("/api/clients/list/%d", 100_000_000+i/10), `"prvId"`, 10},
		{"/api/provider/Phys/" + id, `"phyLastName"`, 1},
		{"/api/provider/Phys/Spec/" + id, "Orthopedic", 1},
		{"/api/provider/Phys/Loc/" + id, `"poflOfcId"`, 1},
		{"/api/provider/Phys/Lic/" + id, "State License", 1},
	}
}

// clientList returns the screen's requests after a provider is selected.
func (s *lookupSite) clientList(n int) []lookup {
	i := n * 7919 % s.providers
	id, tin, state, product := 10_000_000+i, 100_000_000+i/10, string([]byte{"ABCDEFGHIJ"[i%10], "ABCDE"[i/10%5]}), i%(s.clients/1000)
	return []lookup{
		{fmt.Sprintf("/api/clients/states/P/%d", id), state, 1},
		{fmt.Sprintf("/api/clients/getProductsByProv/WC/%d/%s/%d", id, state, tin), `"productCd"`, 5},
		{fmt.Sprintf("/api/clients/getClientsByLOB/WC/%d/%s/P%d/%d", id, state, product, tin), `"aeName"`, 20},
	}
}

// measure returns the milliseconds per response.
func (s *lookupSite) measure(burst time.Duration, ask func(int) []lookup) (float64, error) {
	started, n := time.Now(), 0
	for n == 0 || time.Since(started) < burst {
		s.asked++
		for _, l := range ask(s.asked) {
			answer, _, err := s.finder.call("GET", l.path, "", nil)
			if err != nil {
				return 0, err
			}
			if got := bytes.Count(answer, []byte(l.row)); got < l.rows {
				return 0, fmt.Errorf("%s finds %d of %d: %s", l.path, got, l.rows, answer)
			}
			n++
		}
	}
	return time.Since(started).Seconds() * 1000 / float64(n), nil
}
