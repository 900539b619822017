package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/settings"
)

type auditVerifyCmd struct {
	app.Store
	audit.Settings
	PublicKey []string         `placeholder:"FILE" help:"Trusted public keys (PEM) for segment signatures (default: the portal's own key)."`
	Expect    map[int64]string `placeholder:"SEGMENT=HEAD" help:"Head hash that a segment must have, from the portal's log."`
}

func (auditVerifyCmd) Help() string {
	return `Reads the whole log. You can run it while the portal is serving. Exit code 1 means the log was changed,
64 that the command line is wrong.

Examples:
  wcpp audit verify --data /var/lib/wcpp
  wcpp audit verify --database-url postgres://auditor:secret@db/wcpp --public-key audit.pub --expect 8123=5f0c...`
}

const exitTampered exit = 1

func (c *auditVerifyCmd) Run(ctx context.Context) error {
	return withDatabase(ctx, c.Store, func(d *db.DB) error {
		keys, err := c.keys(ctx, d)
		if err != nil {
			return err
		}
		r, err := audit.Verify(ctx, d, keys, c.Expect)
		if err != nil {
			return err
		}
		fmt.Printf("segments: %d (%d pruned), entries: %d (%d not sealed yet)\n", r.Segments, r.Pruned, r.Entries, r.Unsealed)
		if r.Last > 0 {
			fmt.Printf("last segment: %d, head hash: %s\n", r.Last, r.LastHead)
		}
		for _, w := range r.Wrong {
			fmt.Println("wrong:", w)
		}
		if r.Unsigned > 0 {
			fmt.Println("If the signing key was changed, pass each key with --public-key. To print the key of a portal without a key " +
				"file, run wcpp audit key.")
		}
		if len(r.Wrong) > 0 {
			return exitTampered
		}
		fmt.Println("audit log verified")
		return nil
	})
}

func (c *auditVerifyCmd) keys(ctx context.Context, d *db.DB) ([]ed25519.PublicKey, error) {
	var keys []ed25519.PublicKey
	for _, file := range c.PublicKey {
		key, err := audit.ReadPublicKey(file)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	if keys != nil {
		return keys, nil
	}
	signer, err := c.LoadSigner(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	return []ed25519.PublicKey{signer.Public().(ed25519.PublicKey)}, nil
}

type auditKeyCmd struct {
	app.Store
	audit.Settings
}

func (auditKeyCmd) Help() string {
	return `Keep a copy away from the database. The key proves which entries the portal signed.

Example:
  wcpp audit key --data /var/lib/wcpp > audit.pub`
}

func (c *auditKeyCmd) Run(ctx context.Context) error {
	if c.AuditKeyFile != "" {
		return c.print(ctx, nil)
	}
	return withDatabase(ctx, c.Store, func(d *db.DB) error { return c.print(ctx, d.Reader) })
}

// print prints the public key. With a key file, q can be nil.
func (c *auditKeyCmd) print(ctx context.Context, q db.Queryer) error {
	signer, err := c.LoadSigner(ctx, q)
	if err != nil {
		return err
	}
	text, err := audit.EncodePublicKey(signer)
	fmt.Print(text)
	return err
}

type auditPruneCmd struct {
	app.Store
	audit.Settings
}

func (auditPruneCmd) Help() string {
	return `Removes a segment once all of its entries are older than WCPP_AUDIT_KEEP_DAYS. Its signed end is kept, so wcpp
audit verify still works. On PostgreSQL, use an account with only this permission (docs/operations/audit.md). The
portal's own account doesn't have it.

Example:
  WCPP_AUDIT_KEEP_DAYS=2555 wcpp audit prune --database-url postgres://wcpp_pruner:secret@db/wcpp`
}

func (c *auditPruneCmd) Run(ctx context.Context) error {
	if c.AuditKeepDays < audit.LeastKept || c.AuditKeepDays > settings.MaxDays {
		return fmt.Errorf("WCPP_AUDIT_KEEP_DAYS isn't between %d and %d. No entries were removed", audit.LeastKept, settings.MaxDays)
	}
	return withDatabase(ctx, c.Store, func(d *db.DB) error {
		signer, err := c.LoadSigner(ctx, d.Writer)
		if err != nil {
			return err
		}
		now := time.Now()
		n, err := audit.Prune(ctx, d, signer, now.AddDate(0, 0, -c.AuditKeepDays), now)
		fmt.Printf("segments removed: %d\n", n)
		return err
	})
}

// withDatabase runs a command on an existing database without migrating it.
func withDatabase(ctx context.Context, s app.Store, do func(d *db.DB) error) error {
	if err := s.CheckExists(); err != nil {
		return err
	}
	if path, embedded := db.Path(s.URL()); embedded {
		if err := fileperm.CheckOwner(filepath.Dir(path)); err != nil {
			return err
		}
	}
	d, err := db.Open(ctx, s.URL())
	if err != nil {
		return err
	}
	err = do(d)
	if err != nil {
		// Check this last because an account with only audit rights can't read the schema
		// version.
		if at, _, failed := migrations.ReadVersions(ctx, d); failed == nil && at == 0 {
			err = errors.New("this isn't a portal database. Set another one with --data or WCPP_DATABASE_URL")
		}
	}
	return errors.Join(err, d.Close())
}
