// Package passwordstest makes passwords for tests.
package passwordstest

import (
	"encoding/base64"
	"fmt"

	"golang.org/x/crypto/argon2"
)

// Hash is a password's stored form that costs next to nothing to check: a hash
// names its own parameters, and these are the least there are.
func Hash(password string) string {
	const memory, time, threads = 8, 1, 1
	salt := []byte("sixteen letters.")
	key := argon2.IDKey([]byte(password), salt, time, memory, threads, 32)
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, time, threads, enc.EncodeToString(salt), enc.EncodeToString(key))
}
