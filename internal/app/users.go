package app

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/problem"
	"wcpp/internal/tins"
	"wcpp/internal/users"
)

// passwordLengths of an account made on the command line; the full rules are
// those of the screens.
const minPassword, maxPassword = 8, 20

// AddUser makes an account on the command line, active at once, with TINs that
// its group gets as well.
func (a *App) AddUser(ctx context.Context, u users.User, ftins []string, password string) (users.User, error) {
	if len(password) < minPassword || len(password) > maxPassword {
		return u, problem.Say(problem.Invalid, "The password must have 8 to 20 characters.")
	}
	for _, ftin := range ftins {
		if !nineDigits(ftin) {
			return u, problem.Say(problem.Invalid, "A TIN has 9 digits.")
		}
	}
	u, err := a.Users.Add(ctx, u, "command line")
	if err != nil {
		return u, err
	}
	if err := a.Users.SetPassword(ctx, u.ID, password); err != nil {
		return u, err
	}
	return u, a.DB.Tx(ctx, func(tx *sql.Tx) error {
		for _, ftin := range ftins {
			for _, link := range []tins.Link{{GroupID: u.GroupID, FTIN: ftin}, {GroupID: u.GroupID, UserID: u.ID, FTIN: ftin}} {
				if _, _, err := a.TINs.Take(ctx, tx, link); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func nineDigits(s string) bool {
	if len(s) != 9 {
		return false
	}
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}
