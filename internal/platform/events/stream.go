package events

import (
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// HeartbeatEvery is the interval of a stream's keep-alive messages.
const HeartbeatEvery = 15 * time.Second

// Stream writes a text/event-stream response and flushes each message.
type Stream struct {
	w         io.Writer
	control   *http.ResponseController
	heartbeat *time.Ticker
}

// NewStream starts the response. The caller must call Close.
func NewStream(hc huma.Context) *Stream {
	_, w := humago.Unwrap(hc)
	hc.SetHeader("Content-Type", "text/event-stream")
	hc.SetHeader("X-Accel-Buffering", "no")
	return &Stream{w: w, control: http.NewResponseController(w), heartbeat: time.NewTicker(HeartbeatEvery)}
}

// Close stops the heartbeat.
func (s *Stream) Close() { s.heartbeat.Stop() }

// Heartbeat returns a channel that receives a value when KeepAlive is due.
func (s *Stream) Heartbeat() <-chan time.Time { return s.heartbeat.C }

// KeepAlive writes a comment, which readers ignore. It reports whether the reader is connected.
func (s *Stream) KeepAlive() bool { return s.write(": still here\n\n") }

// Send writes a one-line message. It reports whether the reader is connected.
func (s *Stream) Send(data string) bool { return s.write("data: " + data + "\n\n") }

// SendEvent writes a one-line message with an event name.
func (s *Stream) SendEvent(event, data string) bool {
	return s.write("event: " + event + "\ndata: " + data + "\n\n")
}

func (s *Stream) write(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // if this fails, the server's own deadline applies
	_, err := io.WriteString(s.w, text)
	return err == nil && s.control.Flush() == nil
}
