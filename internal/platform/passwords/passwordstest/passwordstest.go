// Package passwordstest hashes passwords for tests.
package passwordstest

import (
	"encoding/base64"
	"fmt"

	"golang.org/x/crypto/argon2"
)

// Hash returns the stored form of a password that is very cheap to verify. A hash includes its
// parameters, and these are the minimum.
func Hash(password string) string {
	const memory, time, threads = 8, 1, 1
	salt := []byte("sixteen letters.")
	key := argon2.IDKey([]byte(password), salt, time, memory, threads, 32)
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, time, threads, enc.EncodeToString(salt),
		enc.EncodeToString(key))
}
