package db

import (
	"strings"

	"github.com/jackc/pgx/v5"
)

// sessionLimits are settings of this program's sessions on the server. Without them, a server
// keeps the locks of a lost machine for two hours. Times are in milliseconds or seconds.
var sessionLimits = map[string]string{
	"tcp_keepalives_idle":     "10",
	"tcp_keepalives_interval": "5",
	"tcp_keepalives_count":    "3",
	// Longer than the longest response, because it also ends connections whose client reads
	// slowly.
	"tcp_user_timeout": "180000",
	// The program never waits for anything else within a transaction.
	"idle_in_transaction_session_timeout": "15000",
	// Longer than the previous one, so that waiting for a lost machine's locks succeeds.
	"lock_timeout": "20000",
}

// limitSession adds the session limits to the connection's settings. The URL's own values win.
func limitSession(cfg *pgx.ConnConfig) {
	for name, value := range sessionLimits {
		if _, set := cfg.RuntimeParams[name]; !set && !strings.Contains(cfg.RuntimeParams["options"], name) {
			cfg.RuntimeParams[name] = value
		}
	}
}

// WaitForLocks is a statement that removes the limit for lock waits until the transaction ends.
const WaitForLocks = `SET LOCAL lock_timeout = 0`
