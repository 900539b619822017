// Package passwords hashes passwords and checks the rules for new ones.
package passwords

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/argon2"

	"wcpp/internal/platform/problem"
)

// Argon2id with the memory and time that OWASP's password storage cheat sheet lists first. Each
// hash includes the parameters, so they can be increased later.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
	argonKey     = 32
)

// Limits concurrent hashes, which would otherwise exhaust the memory.
var hashing = make(chan struct{}, 4)

// waiting counts the waiting callers. crowd is the maximum, about a second's work of two
// processors.
var waiting atomic.Int32

const crowd = 40

// CheckQueue returns an error if too many callers wait already. Call it before an attempt is counted.
func CheckQueue() error {
	if waiting.Load() >= crowd {
		return problem.WithMessage(problem.Unavailable, "Many people are signing in right now. Try again in a few seconds.")
	}
	return nil
}

func withHashing(ctx context.Context, fn func()) error {
	waiting.Add(1)
	select {
	case hashing <- struct{}{}:
		waiting.Add(-1)
		defer func() { <-hashing }()
		fn()
		return nil
	case <-ctx.Done():
		waiting.Add(-1)
		return ctx.Err()
	}
}

// Hash returns the stored form of a password.
func Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	var key []byte
	err := withHashing(ctx, func() {
		key = argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonThreads, argonKey)
	})
	if err != nil {
		return "", err
	}
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		enc.EncodeToString(salt), enc.EncodeToString(key)), nil
}

// noPassword is verified if there is no account or password, so that the response takes equally
// long.
const noPassword = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// Verify reports whether the password matches the hash. An empty hash means no password, and
// takes equally long.
func Verify(ctx context.Context, hash, password string) (bool, error) {
	if hash == "" {
		hash = noPassword
	}
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, fmt.Errorf("unknown password hash format")
	}
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		return false, fmt.Errorf("unknown password hash format: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, err
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, err
	}
	var got []byte
	err = withHashing(ctx, func() {
		got = argon2.IDKey([]byte(password), salt, time, memory, threads, uint32(len(want)))
	})
	return err == nil && subtle.ConstantTimeCompare(got, want) == 1, err
}
