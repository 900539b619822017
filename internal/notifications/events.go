package notifications

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/platform/events"
)

const (
	lookEvery = time.Minute
	endAfter  = 5 * time.Minute // then the client's session is checked again
)

// stream sends a user the changes of the bell menu as they happen. It ends when the client
// disconnects, the program stops or the time is up.
func (s *Service) stream(hc huma.Context, userID int64) {
	ctx := hc.Context()
	sent, cancelSent := s.events.Subscribe(topic)
	defer cancelSent()
	own, cancelOwn := s.events.Subscribe(s.news(userID))
	defer cancelOwn()
	stream := events.NewStream(hc)
	defer stream.Close()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	end := time.NewTimer(endAfter)
	defer end.Stop()

	known, err := getState(ctx, s.db.Reader, userID)
	connected := err == nil && stream.Send("changed") // covers changes before the subscription
	for connected {
		open, looked := true, false
		select {
		case <-ctx.Done():
			return
		case <-end.C:
			return
		case <-stream.Heartbeat():
			connected = stream.KeepAlive()
			continue
		case _, open = <-own:
		case _, open = <-sent:
			looked = true
		case <-look.C:
			looked = true
		}
		if !open {
			return
		}
		is, err := getState(ctx, s.db.Reader, userID)
		if err != nil {
			s.log.WarnContext(ctx, "unsent notification changes", "error", err)
			return // the client reconnects
		}
		if !looked || is != known {
			connected = stream.Send("changed")
		}
		known = is
	}
}
