package passwords

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/problem"
)

func TestHash(t *testing.T) {
	hash, err := Hash(t.Context(), "Quiet-Lake-7")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("%q, %v", hash, err)
	}
	for password, want := range map[string]bool{"Quiet-Lake-7": true, "quiet-lake-7": false, "": false} {
		if got, err := Verify(t.Context(), hash, password); err != nil || got != want {
			t.Errorf("%q: %v, %v", password, got, err)
		}
	}
	// A hash with other parameters stays valid when the parameters change.
	older := "$argon2id$v=19$m=12288,t=3,p=1$AAECAwQFBgcICQoLDA0ODw$fZL5dZW3RIIYVHQ+3iBVXU3Zd71t/KIgv+sU95+sGIs"
	if got, err := Verify(t.Context(), older, "Quiet-Lake-7"); err != nil || !got {
		t.Errorf("other parameters: %v, %v", got, err)
	}
	if got, err := Verify(t.Context(), "", ""); err != nil || got {
		t.Errorf("no password at all: %v, %v", got, err)
	}
	if _, err := Verify(t.Context(), "$1$old", "x"); err == nil {
		t.Error("an unknown form of hash is taken")
	}
}

// Breaks each rule by itself.
func TestRules(t *testing.T) {
	names := []string{"zobrien", "Zoë", "O'Brien", "De La Cruz", "Muñoz", "X", "", "Li"}
	for password, want := range map[string]string{
		"Quiet-Lake-7":          "",
		"Aa1!aa1b":              "",
		"Twenty-Characters-20":  "",
		"Quiet-L7":              "",
		"Quiet-7":               "CHARACTERS", // seven
		"Twenty-One-Charact-21": "CHARACTERS",
		"quiet-lake-7":          "CHARACTERS",
		"QUIET-LAKE-7":          "CHARACTERS",
		"Quiet-Lake-x":          "CHARACTERS",
		"QuietLake77":           "CHARACTERS",
		"Quiet Lake-7":          "CHARACTERS",
		`Quiet"Lake-7`:          "CHARACTERS",
		"Quiet'Lake-7":          "CHARACTERS",
		`Quiet\Lake-7`:          "CHARACTERS",
		"Quïet-Lake-7":          "CHARACTERS",
		"":                      "CHARACTERS",
		"My-zObRiEn-77":         ContainsName,
		"My-neirbOz-77":         ContainsName,
		"A-Xylophone-7":         "", // one-letter names aren't checked
		"Fast-Limo-77":          ContainsName,
		"Fast-iLmo-77":          ContainsName,
		"DeLaCruz-77!":          ContainsName,
		"OBrien-Lake-7":         ContainsName,
		"Zonum-Lake-77":         ContainsName, // Munoz, backward
		"Password1!":            Common,
		"P@ssw0rd2026":          Common,
		"Welcome#123":           Common,
		"!!Summer2026":          Common,
		"Qwerty-12345":          Common,
		"Monkey_Monkey1":        Common,
		"Aaaaaa-1111":           Common,
		"Trustno1-!":            Common,
		"1qazXSW@wsx":           "",
		"Sunny-Day-2026":        "",
	} {
		got := ""
		if err := Check(password, names...); err != nil {
			e := problem.From(err)
			if e.Code != Invalid || e.Message != Invalid || len(e.Fields) != 1 || e.Fields[0].Path != "newPassword" ||
				e.Fields[0].Message == "" {
				t.Errorf("%s: %+v", password, e)
				continue
			}
			got = e.Fields[0].Code
		}
		assert.Equal(t, want, got, password)
	}
}

// The names of the portal and the organization count as common words.
func TestMadeOfNames(t *testing.T) {
	for password, want := range map[string]bool{
		"Blue-Harbor-26": true, "BlueHarbor-2026!": true, "H@rbor#123": true, "HarborHarbor1!": true, "0neCare-1": true,
		"Quiet-Lake-7": false, "Blue-Lake-Harbor-7": false, "My-Co-Sailing-7": false,
	} {
		assert.Equal(t, want, IsMadeOfNames(password, "Blue Harbor", "OneCare Co.", ""), password)
	}
	assert.False(t, IsMadeOfNames("Quiet-Lake-7"), "without names")
}

func FuzzCheck(f *testing.F) {
	f.Add("Quiet-Lake-7", "zoe")
	f.Add("\xff\xfe", "\xff")
	f.Fuzz(func(t *testing.T, password, name string) {
		if Check(password, name) == nil && (len(password) < MinLength || len(password) > MaxLength) {
			t.Errorf("%q is taken", password)
		}
	})
}

// The browser uses the same cases of breached passwords.
func TestBreached(t *testing.T) {
	text, err := os.ReadFile("testdata/breached.json")
	require.NoError(t, err)
	var cases []struct {
		Password string
		Breached bool
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range cases {
		assert.Equal(t, c.Breached, isBreached(strings.ToLower(c.Password)), c.Password)
	}
}

// With too many waiting callers, the next one is refused, and is accepted when they are gone.
func TestACrowdWaits(t *testing.T) {
	for range cap(hashing) {
		hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var crowded sync.WaitGroup
	for range crowd {
		require.NoError(t, CheckQueue())
		before := waiting.Load()
		crowded.Go(func() { _, _ = Verify(ctx, "", "x") })
		for waiting.Load() == before {
			runtime.Gosched()
		}
	}
	if err := CheckQueue(); !problem.Is(err, problem.Unavailable) {
		t.Errorf("%v", err)
	}
	cancel()
	crowded.Wait()
	for range cap(hashing) {
		<-hashing
	}
	assert.NoError(t, CheckQueue())
}
