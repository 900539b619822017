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

// App codes have six digits and a time step of 30 seconds (RFC 6238 with HMAC-SHA-1, which every
// app supports). We also accept the steps before and after, because clocks differ.
const (
	appDigits  = 6
	appSeconds = 30
	appDrift   = 1

	purposeApp   = "app"
	purposeSetUp = "app set-up"
)

// setUp is the content of a sealed state.
type setUp struct {
	Secret string // 160 bits in Base32
	UserID int64
	At     time.Time
}

// Time limit for setting up an app.
const setUpFor = 30 * time.Minute

// NewApp begins setting up an app for an account, or continues from an earlier state.
func (s *Service) NewApp(ctx context.Context, userID int64, state string) (SetUpApp, error) {
	u, err := s.users.ByID(ctx, userID)
	if err != nil {
		return SetUpApp{}, err
	}
	begun, ok := s.openSetUp(state, userID)
	if !ok {
		b := make([]byte, 20)
		_, _ = rand.Read(b) // never fails
		begun = setUp{Secret: base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b), UserID: userID, At: s.now()}
		if state, err = s.sealer.Seal(purposeSetUp, begun); err != nil {
			return SetUpApp{}, err
		}
	}
	picture, err := s.renderQRCode(begun.Secret, u.UserName)
	return SetUpApp{Secret: formatSecret(begun.Secret), Picture: picture, State: state}, err
}

// openSetUp reads the account's state, unless it expired.
func (s *Service) openSetUp(state string, userID int64) (setUp, bool) {
	var begun setUp
	err := s.sealer.Open(purposeSetUp, state, &begun)
	return begun, err == nil && begun.UserID == userID && s.now().Sub(begun.At) <= setUpFor
}

func formatSecret(secret string) string {
	var groups []string
	for group := range slices.Chunk([]rune(secret), 4) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, " ")
}

func (s *Service) renderQRCode(secret, userName string) (string, error) {
	address := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + s.brand + ":" + userName,
		RawQuery: url.Values{"secret": {secret}, "issuer": {s.brand}}.Encode()}
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

// findStep returns the time step of a code, if it is later than the last one used. It returns 0 if
// there is none.
func (s *Service) findStep(secret, code string, last int64) (int64, error) {
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

func (s *Service) verifyAppCode(ctx context.Context, userID int64, code string) (factor int64, err error) {
	list, err := listFactors(ctx, s.db.Writer, userID)
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
		step, err := s.findStep(secret, code, f.LastStep)
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
	return 0, errWrongFactor(nil)
}

// AddApp adds an app that shows a valid code for the secret from NewApp.
func (s *Service) AddApp(ctx context.Context, a AddRequest, state, code string) (AddedFactor, error) {
	begun, ok := s.openSetUp(state, a.Grant.ID())
	if !ok {
		return AddedFactor{}, problem.WithMessage(problem.Invalid, "This took too long. Start again.")
	}
	step, err := s.findStep(begun.Secret, cleanCode(code), 0)
	if err != nil {
		return AddedFactor{}, err
	}
	if step == 0 {
		return AddedFactor{}, fieldError("code", codeWrong, "The code is incorrect. Enter the 6-digit code from your app.")
	}
	sealed, err := s.sealer.Seal(purposeApp, begun.Secret)
	if err != nil {
		return AddedFactor{}, err
	}
	if a.Name == "" {
		a.Name = "Authenticator app"
	}
	return s.add(ctx, a, Factor{Kind: App, Sealed: sealed, LastStep: step})
}
