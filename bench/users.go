package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/platform/db"
)

// fillUsers creates groups of ten users with five TINs, two of them per user, like offices of
// one network.
var fillUsers = []string{`
INSERT INTO groups (id, name, name_key, kind, created_at, created_by)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{groups}})
SELECT 10000 + i, 'Office ' || i, 'office ' || i, 'PROVIDER', '2026-01-01T00:00:00Z'{{instant}}, 'bench' FROM n`, `
INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd, status_cd,
	group_id, created_at, created_by, updated_at, updated_by)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{users}})
SELECT 1000000 + i, 'u' || (1000000 + i), 'u' || (1000000 + i), 'Margaret', 'Hollingsworth', 'margaret', 'hollingsworth',
	'u' || (1000000 + i) || '@office' || (i / 10) || '.example', 'u' || (1000000 + i) || '@office' || (i / 10) || '.example',
	CASE WHEN i % 10 = 0 THEN 'PRAD' ELSE 'PRUS' END, 'ACTIV', 10000 + i / 10,
	'2026-01-01T00:00:00Z'{{instant}}, 'bench', '2026-01-01T00:00:00Z'{{instant}}, 'bench' FROM n`, `
INSERT INTO group_tins (group_id, ftin, added_at, updated_by)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{groups}} * 5)
SELECT 10000 + i / 5, '' || (100000000 + i), '2026-01-01T00:00:00Z'{{instant}}, 'bench' FROM n`, `
INSERT INTO user_tins (user_id, ftin, added_at, updated_by)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{users}} * 2)
SELECT 1000000 + i / 2, '' || (100000000 + i / 20 * 5 + i % 2), '2026-01-01T00:00:00Z'{{instant}}, 'bench' FROM n`,
}

// userSite is a portal with a given number of users.
type userSite struct {
	users  int
	portal *portal
	finder *browser
	asked  int
	took   []float64 // ms per response, one value per round
	part   []float64 // ms per search by part of a username or address
}

// searchUsers measures User Search with growing numbers of users. It searches in turn by an address, a TIN
// and a group. It also searches by part of a username or address, which no index supports.
func (b *bench) searchUsers(ctx context.Context, kind string) error {
	var sites []*userSite
	for _, n := range []int{20_000, 200_000} {
		say("%s: making %d users ...", kind, n)
		address, drop, err := b.database(ctx, kind, fmt.Sprintf("users_%s_%d", kind, n))
		if err != nil {
			return err
		}
		defer drop()
		s := &userSite{users: n}
		if err := b.openUsers(ctx, s, kind, address); err != nil {
			return err
		}
		defer s.portal.stop() //nolint:errcheck // its figures are taken
		sites = append(sites, s)
	}
	for round := range b.rounds + 1 {
		for _, s := range sites {
			took, err := s.measure(b.burst, s.question)
			if err != nil {
				return err
			}
			part, err := s.measure(b.burst/3, func(n int) string {
				group := n * 7919 % (s.users / 10)
				if n%2 == 0 {
					return fmt.Sprintf(`{"emailAddress":"*office%d."}`, group)
				}
				return fmt.Sprintf(`{"userName":"%d"}`, 100000+group)
			})
			if err != nil {
				return err
			}
			if round > 0 { // the first round is a warm-up
				s.took, s.part = append(s.took, took), append(s.part, part)
			}
		}
	}
	name := productNames[kind]
	small, large := sites[0], sites[1]
	growth := median(each(large.took, small.took))
	b.table.add(fmt.Sprintf("user search, %s, %s → %s users", name, short(small.users), short(large.users)),
		fmt.Sprintf("%.2f → %.2f ms", median(small.took), median(large.took)), "", fmt.Sprintf("%.2f", growth), "< 1.3", growth < 1.3)
	slow := median(large.part)
	b.table.add(fmt.Sprintf("user search by a part of a username or address, %s, %s users", name, short(large.users)),
		fmt.Sprintf("%.0f ms", slow), "", "", "< 1 s", slow < 1000)
	return nil
}

func (b *bench) openUsers(ctx context.Context, s *userSite, kind, address string) (err error) {
	s.portal, s.finder, err = b.openFilled(ctx, kind, address, fillUsers, map[string]int{"users": s.users, "groups": s.users / 10})
	return err
}

// openFilled fills a database with the given numbers of rows, starts the portal on it and signs
// in an internal user.
func (b *bench) openFilled(
	ctx context.Context, kind, address string, statements []string, numbers map[string]int,
) (*portal, *browser, error) {
	d, err := db.Open(ctx, address)
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	values := []string{"{{instant}}", "", "{{date}}", "", "{{yes}}", "1"}
	if kind == "postgres" {
		values = []string{"{{instant}}", "::timestamptz", "{{date}}", "::date", "{{yes}}", "true"}
	} else if _, err := d.Writer.ExecContext(ctx, "PRAGMA synchronous = OFF"); err != nil {
		return nil, nil, err
	}
	for name, n := range numbers {
		values = append(values, "{{"+name+"}}", strconv.Itoa(n))
	}
	fill := strings.NewReplacer(values...)
	for _, statement := range statements {
		if _, err := db.Exec(ctx, d.Writer, fill.Replace(statement)); err != nil {
			return nil, nil, err
		}
	}
	if _, err := db.Exec(ctx, d.Writer, "ANALYZE"); err != nil {
		return nil, nil, err
	}
	add := exec.CommandContext(ctx, b.program, "user", "add", "--database-url", address, "--data", b.dir, "--type", "IRAD", "--user-name",
		"finder",
		"--first-name", "Ada", "--last-name", "Moore", "--email", "finder@portal.example", "--employee-id", "1", "--password-stdin")
	add.Stdin = strings.NewReader(password + "\n")
	if out, err := add.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("%w: %s", err, out)
	}
	p, err := b.start(ctx, "serve", "--database-url", address, "--data", b.dir, "--second-factor", "IRAD=off")
	if err != nil {
		return nil, nil, err
	}
	finder, err := signIn(p.url, "finder", password)
	if err != nil {
		return nil, nil, errors.Join(err, p.stop())
	}
	return p, finder, nil
}

// question returns a search for about ten users, rotating through the criteria.
func (s *userSite) question(n int) string {
	i := n * 7919 % s.users
	switch n % 3 {
	case 0:
		return fmt.Sprintf(`{"emailAddress":"u%d@office%d.example"}`, 1000000+i, i/10)
	case 1:
		return fmt.Sprintf(`{"ftin":"%d"}`, 100000000+i/10*5)
	default:
		return fmt.Sprintf(`{"groupId":"%d"}`, 10000+i/10)
	}
}

// measure returns the milliseconds per search.
func (s *userSite) measure(burst time.Duration, question func(int) string) (float64, error) {
	wire, err := s.finder.dial("POST", "/api/admin/userList")
	if err != nil {
		return 0, err
	}
	defer wire.conn.Close()
	started, n := time.Now(), 0
	for ; n == 0 || time.Since(started) < burst; n++ {
		s.asked++
		answer, err := wire.post([]byte(question(s.asked)))
		if err != nil {
			return 0, err
		}
		var found []struct{}
		if err := json.Unmarshal(answer, &found); err != nil {
			return 0, err
		}
		if len(found) == 0 || len(found) > 11 {
			return 0, fmt.Errorf("%s finds %d users", question(s.asked), len(found))
		}
	}
	return time.Since(started).Seconds() * 1000 / float64(n), nil
}
