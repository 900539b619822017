package mfa

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"image/png"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// Codes of an app have six digits and hold for a step of 30 seconds (RFC 6238, HMAC
// of SHA-1: what every app knows). One step before and one after are taken, for
// clocks that differ.
const (
	appDigits  = 6
	appSeconds = 30
	appDrift   = 1

	purposeApp   = "app"
	purposeSetUp = "app set-up"
)

// AppSetUp is what an app is told that is to be added.
type AppSetUp struct {
	Secret  string // in groups, as people type it
	Picture string // its QR code, as the address of a PNG
	// State is sealed, and comes back with a code of the app.
	State string
}

// setUp is what a State holds.
type setUp struct {
	Secret string // 160 bits in base32
	UserID int64
	At     time.Time
}

// An app is set up within this time.
const setUpFor = 30 * time.Minute

// NewApp begins to add an app to an account, or goes on with a state of before.
func (s *Service) NewApp(ctx context.Context, userID int64, state string) (AppSetUp, error) {
	u, err := s.accounts.ByID(ctx, userID)
	if err != nil {
		return AppSetUp{}, err
	}
	begun, ok := s.begun(state, userID)
	if !ok {
		b := make([]byte, 20)
		_, _ = rand.Read(b) // never fails
		begun = setUp{Secret: base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b), UserID: userID, At: s.now()}
		if state, err = s.sealer.Seal(purposeSetUp, begun); err != nil {
			return AppSetUp{}, err
		}
	}
	picture, err := s.picture(begun.Secret, u.UserName)
	return AppSetUp{Secret: grouped(begun.Secret), Picture: picture, State: state}, err
}

// begun reads a state of the account that is not too old.
func (s *Service) begun(state string, userID int64) (setUp, bool) {
	var begun setUp
	err := s.sealer.Open(purposeSetUp, state, &begun)
	return begun, err == nil && begun.UserID == userID && s.now().Sub(begun.At) <= setUpFor
}

func grouped(secret string) string {
	var groups []string
	for group := range slices.Chunk([]rune(secret), 4) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, " ")
}

func (s *Service) picture(secret, userName string) (string, error) {
	address := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + s.brand + ":" + userName, RawQuery: url.Values{"secret": {secret}, "issuer": {s.brand}}.Encode()}
	key, err := otp.NewKeyFromURL(address.String())
	if err != nil {
		return "", err
	}
	img, err := key.Image(200, 200)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// stepOf finds the step whose code it is, later than the last one that was taken;
// 0 where there is none.
func (s *Service) stepOf(secret, code string, last int64) (int64, error) {
	now, found := s.now().Unix()/appSeconds, int64(0)
	for step := now - appDrift; step <= now+appDrift; step++ {
		want, err := hotp.GenerateCodeCustom(secret, uint64(step), hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 && step > last {
			found = step
		}
	}
	return found, nil
}

func (s *Service) showAppCode(ctx context.Context, userID int64, code string) (factor int64, err error) {
	list, err := factorsOf(ctx, s.db.Writer, userID)
	if err != nil {
		return 0, err
	}
	for _, f := range list {
		if f.Kind != App {
			continue
		}
		var secret string
		if err := s.sealer.Open(purposeApp, f.Sealed, &secret); err != nil {
			return 0, fmt.Errorf("factor %d: %w", f.ID, err)
		}
		step, err := s.stepOf(secret, code, f.LastStep)
		if err != nil {
			return 0, err
		}
		if step == 0 {
			continue
		}
		n, err := takeStep(ctx, s.db.Writer, f.ID, step, db.At(s.now()))
		if err != nil {
			return 0, err
		}
		if n == 1 {
			return f.ID, nil
		}
	}
	return 0, wrong(nil)
}

// AddApp adds an app that shows a code of what NewApp told it.
func (s *Service) AddApp(ctx context.Context, a Adding, state, code string) (Added, error) {
	begun, ok := s.begun(state, a.Grant.ID())
	if !ok {
		return Added{}, problem.Say(problem.Invalid, "This took too long. Start again.")
	}
	step, err := s.stepOf(begun.Secret, cleanCode(code), 0)
	if err != nil {
		return Added{}, err
	}
	if step == 0 {
		return Added{}, field("code", codeWrong, "The code is incorrect. Enter the 6-digit code from your app.")
	}
	sealed, err := s.sealer.Seal(purposeApp, begun.Secret)
	if err != nil {
		return Added{}, err
	}
	if a.Name == "" {
		a.Name = "Authenticator app"
	}
	return s.add(ctx, a, Factor{Kind: App, Sealed: sealed, LastStep: step})
}
