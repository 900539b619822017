package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/settings"
)

// linkFlags are the settings of registration links.
type linkFlags struct {
	RegistrationLinkHours int `env:"WCPP_REGISTRATION_LINK_HOURS" default:"168" help:"Registration link lifetime, up to 2160 hours."`
}

type userResetFactorsCmd struct {
	app.Store
	Brand     settings.Brand
	Name      string `arg:"" help:"Username."`
	PublicURL string `env:"WCPP_PUBLIC_URL" default:"http://localhost:8080" help:"Public address of the portal, for the email to the user."`
}

func (userResetFactorsCmd) Help() string {
	return `Removes all passkeys, authenticator apps and recovery codes, ends all sessions and emails the user. If the account
requires two-step verification, the user sets it up at the next sign-in, after the password.

For all other accounts, an administrator can do this in the portal.

Example:
  wcpp user reset-factors amoore`
}

func (c *userResetFactorsCmd) Run(ctx context.Context) error {
	if err := c.CheckExists(); err != nil {
		return err
	}
	cfg := app.NewStoreConfig(c.Store)
	cfg.PublicURL, cfg.Brand = c.PublicURL, c.Brand
	a, err := app.NewForCommand(ctx, cfg, newLogger("warn"), time.Now)
	if err != nil {
		return err
	}
	defer a.Close()
	removed, err := a.ResetFactors(ctx, c.Name)
	switch {
	case problem.Is(err, problem.NotFound):
		return fmt.Errorf("unknown user %s; check the spelling, or find the username in User Search", c.Name)
	case err != nil:
		return addFieldNames(err)
	case !removed:
		fmt.Printf("user %s doesn't use two-step verification\n", c.Name)
	default:
		fmt.Printf("removed two-step verification for user %s\n", c.Name)
	}
	return nil
}

type userLinkCmd struct {
	app.Store
	linkFlags
	Name      string `arg:"" help:"Username."`
	PublicURL string `env:"WCPP_PUBLIC_URL" default:"http://localhost:8080" help:"Public address of the portal, for the link."`
}

func (userLinkCmd) Help() string {
	return `For an account that hasn't been used because its link was lost or expired. Earlier links stop working.

Example:
  wcpp user link amoore --public-url https://portal.example`
}

func (c *userLinkCmd) Run(ctx context.Context) error {
	if err := c.CheckExists(); err != nil {
		return err
	}
	cfg := app.NewStoreConfig(c.Store)
	cfg.PublicURL, cfg.Account.RegistrationLinkHours = c.PublicURL, c.RegistrationLinkHours
	a, err := app.NewForCommand(ctx, cfg, newLogger("warn"), time.Now)
	if err != nil {
		return err
	}
	defer a.Close()
	u, err := a.Users.ByName(ctx, c.Name)
	switch {
	case problem.Is(err, problem.NotFound):
		return fmt.Errorf("unknown user %s; check the spelling, or find the username in User Search", c.Name)
	case err != nil:
		return err
	case u.StatusCd != users.New:
		return fmt.Errorf("user %s is already registered or isn't allowed to register. To get back in, use Reset Password on the "+
			"sign-in page", c.Name)
	}
	link, err := a.RegistrationLink(ctx, u.ID)
	if err != nil {
		return addFieldNames(err)
	}
	fmt.Printf("finish setting up the account: %s\n", link)
	return nil
}

type userAddCmd struct {
	app.Store
	linkFlags
	Brand settings.Brand // for emails, and because passwords can't be made of its names

	Type          string   `required:"" enum:"PRUS,PRAD,NNUS,ROAD,ROUS,IRAD,ISAD" help:"Account type: ${enum}."`
	Email         string   `required:"" help:"Email address."`
	FirstName     string   `required:"" help:"First name."`
	LastName      string   `required:"" help:"Last name."`
	UserName      string   `help:"Username (default: auto-generated)."`
	EmployeeID    string   `help:"Employee ID. Required for IRAD and ISAD."`
	Group         int64    `help:"ID of an existing group (default: new group)."`
	TINs          []string `name:"tins" placeholder:"TIN" help:"Tax IDs to assign to the user and the group."`
	PublicURL     string   `env:"WCPP_PUBLIC_URL" default:"http://localhost:8080" help:"Public address of the portal, for the link."`
	Mail          bool     `help:"Email the registration link instead of printing it. Requires a running portal."`
	PasswordStdin bool     `help:"Read a password from standard input and activate the account."`
	OIDCIssuer    string   `env:"WCPP_OIDC_ISSUER" placeholder:"URL" help:"OpenID provider, if users sign in there."`
}

func (userAddCmd) Help() string {
	return `Without a password, this prints a registration link. The user finishes the account with it.

The account types are PRAD and PRUS (provider admin, user), NNUS (non-network user), ROAD and ROUS
(roster admin, user), ISAD and IRAD (internal system, read-only admin).

Example for the first administrator:
  wcpp user add --type ISAD --first-name Ada --last-name Moore --email ada@portal.example \
    --employee-id 1001 --public-url https://portal.example`
}

func (c *userAddCmd) Run(ctx context.Context) error {
	if access.Type(c.Type).IsInternal() && c.EmployeeID == "" {
		return fmt.Errorf("missing --employee-id, which %s needs to sign in", c.Type)
	}
	password := ""
	if c.PasswordStdin {
		line, err := bufio.NewReader(os.Stdin).ReadString('\n')
		if password = strings.TrimRight(line, "\r\n"); password == "" {
			return fmt.Errorf("no password on standard input: %w", err)
		}
	}
	u := users.User{
		UserName: c.UserName, FirstName: c.FirstName, LastName: c.LastName, Email: c.Email,
		TypeCd: access.Type(c.Type), StatusCd: users.New, EmployeeID: c.EmployeeID, GroupID: c.Group,
	}
	// Check before creating a database for the first account.
	if err := app.CheckUser(u, c.TINs, password, c.Brand); err != nil {
		return addFieldNames(err)
	}
	if c.Group != 0 {
		if err := c.CheckExists(); err != nil {
			return err
		}
	}
	cfg := app.NewStoreConfig(c.Store)
	cfg.PublicURL, cfg.Brand, cfg.Account.RegistrationLinkHours = c.PublicURL, c.Brand, c.RegistrationLinkHours
	a, err := app.NewForCommand(ctx, cfg, newLogger("warn"), time.Now)
	if err != nil {
		return err
	}
	defer a.Close()
	u, err = a.AddUser(ctx, u, c.TINs, password)
	if problem.Is(err, problem.Conflict) {
		return fmt.Errorf("%w\n  To print the link of an unused account, run wcpp user link USERNAME", addFieldNames(err))
	}
	if err != nil {
		return addFieldNames(err)
	}
	fmt.Printf("created user %s, type %s", u.UserName, u.TypeCd)
	if u.GroupID != 0 {
		fmt.Printf(", group %d", u.GroupID)
	}
	fmt.Println()
	switch {
	case password != "" && c.OIDCIssuer != "":
		fmt.Println("users sign in at the OpenID provider (WCPP_OIDC_ISSUER). The password is only for the portal's form")
	case password != "":
		fmt.Println("sign in with this username and password")
	case c.Mail:
		if err := a.Invite(ctx, u.ID); err != nil {
			return err
		}
		fmt.Printf("a portal that is serving will email the registration link to %s\n", u.Email)
	default:
		link, err := a.RegistrationLink(ctx, u.ID)
		if err != nil {
			return err
		}
		fmt.Printf("finish setting up the account: %s\n", link)
	}
	return nil
}

// addFieldNames adds the invalid fields of a rejected account to its message.
func addFieldNames(err error) error {
	e := problem.From(err)
	if e.Kind == problem.Internal {
		return err
	}
	lines := []string{e.Message}
	for _, f := range e.Fields {
		if e.Message == passwords.Invalid { // a code for API clients
			return errors.New("password rejected: " + f.Message)
		}
		lines = append(lines, "  "+strings.ReplaceAll(f.Path, "_", "-")+": "+f.Message)
	}
	return errors.New(strings.Join(lines, "\n"))
}
