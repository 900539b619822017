package app

import (
	"context"
	"database/sql"

	"wcpp/internal/account"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// AddUser creates an account on the command line, with TINs that its group gets as well. The
// account is active immediately with a password, otherwise it waits for registration.
func (a *App) AddUser(ctx context.Context, u users.User, ftins []string, password string) (users.User, error) {
	if err := CheckUser(u, ftins, password, a.Config.Brand); err != nil {
		return u, err
	}
	hash := ""
	if password != "" {
		var err error
		if hash, err = passwords.Hash(ctx, password); err != nil {
			return u, err
		}
	}
	u, err := a.Users.Add(ctx, u, string(byCommandLine))
	if err != nil {
		return u, err
	}
	return u, a.DB.Tx(ctx, func(tx *sql.Tx) error {
		if hash != "" {
			if err := a.SignIn.Activate(ctx, tx, byCommandLine.User(u.ID), hash); err != nil {
				return err
			}
		}
		for _, ftin := range ftins {
			for _, link := range []tins.Link{{GroupID: u.GroupID, FTIN: ftin}, {GroupID: u.GroupID, UserID: u.ID, FTIN: ftin}} {
				if _, _, err := a.TINs.ImportLink(ctx, tx, link); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// CheckUser returns an error for an account that AddUser would reject regardless of existing
// data.
func CheckUser(u users.User, ftins []string, password string, brand settings.Brand) error {
	if err := users.Check(u); err != nil {
		return err
	}
	if password != "" {
		if err := account.CheckPassword(password, u, brand); err != nil {
			return err
		}
	}
	for _, ftin := range ftins {
		if !validate.TIN(ftin) {
			return problem.WithMessage(problem.Invalid, "Enter a 9-digit TIN.")
		}
	}
	return nil
}

// Invite emails the registration link for an account created on the command line.
func (a *App) Invite(ctx context.Context, userID int64) error {
	return a.DB.Tx(ctx, func(tx *sql.Tx) error { return a.Account.Invite(ctx, tx, byCommandLine.User(userID), 0) })
}

// RegistrationLink returns the registration link for an account created on the command line.
func (a *App) RegistrationLink(ctx context.Context, userID int64) (string, error) {
	return a.Account.RegistrationLink(ctx, byCommandLine.User(userID))
}

// ResetFactors removes an account's second factors. It's for the last system administrator, who
// can't ask another one. It returns false if there were none.
func (a *App) ResetFactors(ctx context.Context, userName string) (removed bool, err error) {
	u, err := a.Users.ByName(ctx, userName)
	if err != nil {
		return false, err
	}
	return removed, a.DB.Tx(ctx, func(tx *sql.Tx) error {
		removed, err = a.Factors.RemoveAll(ctx, tx, byCommandLine.User(u.ID))
		return err
	})
}

// byCommandLine changes accounts for anyone who may run the program.
const byCommandLine = access.System("command line")
