package seal

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestSeal(t *testing.T) {
	s := New(make([]byte, 32))
	token, err := s.Seal("a", "secret")
	require.NoError(t, err)
	var got string
	if err := s.Open("a", token, &got); err != nil || got != "secret" {
		t.Errorf("%q, %v", got, err)
	}
	other := New(append(make([]byte, 31), 1))
	tampered := []byte(token)
	tampered[len(tampered)/2] ^= 1
	for name, err := range map[string]error{
		"another purpose": s.Open("b", token, &got),
		"another key":     other.Open("a", token, &got),
		"tampered":        s.Open("a", string(tampered), &got),
		"cut":             s.Open("a", token[:8], &got),
		"empty":           s.Open("a", "", &got),
		"not base64":      s.Open("a", "%%%", &got),
	} {
		assert.ErrorIs(t, err, ErrInvalid, name)
	}
}

// A name is always the same, because rows are recognized by it.
func TestName(t *testing.T) {
	s := New(make([]byte, 32))
	name := func(s *Sealer, purpose string, v any) string {
		t.Helper()
		token, err := s.Name(purpose, v)
		require.NoError(t, err)
		return token
	}
	first := name(s, "a", "bill 1")
	var got string
	if err := s.Open("a", first, &got); err != nil || got != "bill 1" {
		t.Errorf("%q, %v", got, err)
	}
	assert.Equal(t, first, name(New(make([]byte, 32)), "a", "bill 1"), "another instance names it otherwise")
	seen := map[string]string{first: "the first"}
	for other, token := range map[string]string{
		"another row": name(s, "a", "bill 2"), "another purpose": name(s, "b", "bill 1"),
		"another key": name(New(append(make([]byte, 31), 1)), "a", "bill 1"),
	} {
		if nonce := token[:16]; seen[token] != "" || nonce == first[:16] {
			t.Errorf("%s has the token or nonce of another", other)
		}
		seen[token] = other
	}
	assert.ErrorIs(t, s.Open("b", first, &got), ErrInvalid)
}

// Instances that start together on one database share one key.
func TestOneKeyForAll(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first, err := Open(context.Background(), d, "seal", time.Now())
		require.NoError(t, err)
		second, err := Open(context.Background(), d, "seal", time.Now())
		require.NoError(t, err)
		token, err := first.Seal("a", 7)
		require.NoError(t, err)
		var n int
		if err := second.Open("a", token, &n); err != nil || n != 7 {
			t.Errorf("%d, %v", n, err)
		}
	})
}
