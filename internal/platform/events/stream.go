package events

import (
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// BeatEvery is how often a stream tells that it lives.
const BeatEvery = 15 * time.Second

// Stream writes an answer of the type text/event-stream, each message at once.
type Stream struct {
	w       io.Writer
	control *http.ResponseController
	beat    *time.Ticker
}

// NewStream begins the answer. Close must be called on it.
func NewStream(hc huma.Context) *Stream {
	_, w := humago.Unwrap(hc)
	hc.SetHeader("Content-Type", "text/event-stream")
	hc.SetHeader("X-Accel-Buffering", "no")
	return &Stream{w: w, control: http.NewResponseController(w), beat: time.NewTicker(BeatEvery)}
}

// Close ends the beat.
func (s *Stream) Close() { s.beat.Stop() }

// Beat comes whenever Live is to be called.
func (s *Stream) Beat() <-chan time.Time { return s.beat.C }

// Live tells that the stream lives. It answers whether a reader is there.
func (s *Stream) Live() bool { return s.write(": still here\n\n") }

// Say tells a message of one line. It answers whether a reader is there.
func (s *Stream) Say(data string) bool { return s.write("data: " + data + "\n\n") }

// SayEvent tells a message of one line under a name of its own.
func (s *Stream) SayEvent(event, data string) bool {
	return s.write("event: " + event + "\ndata: " + data + "\n\n")
}

func (s *Stream) write(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // where it cannot be set the server's own holds
	_, err := io.WriteString(s.w, text)
	return err == nil && s.control.Flush() == nil
}
