package events

import (
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// HeartbeatEvery is how often a stream shows that it lives.
const HeartbeatEvery = 15 * time.Second

// Stream writes an answer of the type text/event-stream, each message at once.
type Stream struct {
	w         io.Writer
	control   *http.ResponseController
	heartbeat *time.Ticker
}

// NewStream begins the answer. Close must be called on it.
func NewStream(hc huma.Context) *Stream {
	_, w := humago.Unwrap(hc)
	hc.SetHeader("Content-Type", "text/event-stream")
	hc.SetHeader("X-Accel-Buffering", "no")
	return &Stream{w: w, control: http.NewResponseController(w), heartbeat: time.NewTicker(HeartbeatEvery)}
}

// Close ends the heartbeat.
func (s *Stream) Close() { s.heartbeat.Stop() }

// Heartbeat comes whenever KeepAlive is to be called.
func (s *Stream) Heartbeat() <-chan time.Time { return s.heartbeat.C }

// KeepAlive writes a comment, which readers pass over. It answers whether a
// reader is there.
func (s *Stream) KeepAlive() bool { return s.write(": still here\n\n") }

// Send writes a message of one line. It answers whether a reader is there.
func (s *Stream) Send(data string) bool { return s.write("data: " + data + "\n\n") }

// SendEvent writes a message of one line under a name of its own.
func (s *Stream) SendEvent(event, data string) bool {
	return s.write("event: " + event + "\ndata: " + data + "\n\n")
}

func (s *Stream) write(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // where it cannot be set the server's own holds
	_, err := io.WriteString(s.w, text)
	return err == nil && s.control.Flush() == nil
}
