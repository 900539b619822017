// Package events notifies subscribers of changes, across all instances of one database. An event
// is only a topic, so the reader fetches what is new. Events can be lost while a connection is
// down, so readers also poll from time to time.
package events

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"wcpp/internal/platform/db"
)

const channel = "wcpp_events"

// Broker distributes events.
type Broker struct {
	db     *db.DB
	log    *slog.Logger
	mu     sync.Mutex
	topics map[string]map[chan struct{}]bool
	closed bool
}

// New returns a broker. Call Run to receive events from other instances.
func New(d *db.DB, log *slog.Logger) *Broker {
	return &Broker{db: d, log: log, topics: map[string]map[chan struct{}]bool{}}
}

// Subscribe returns a channel that receives a value when the topic has news, with at most one
// pending. It is closed when the program stops. Call cancel to unsubscribe.
func (b *Broker) Subscribe(topic string) (news <-chan struct{}, cancel func()) {
	ch := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		close(ch)
		return ch, func() {}
	}
	if b.topics[topic] == nil {
		b.topics[topic] = map[chan struct{}]bool{}
	}
	b.topics[topic][ch] = true
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.topics[topic], ch)
		if len(b.topics[topic]) == 0 {
			delete(b.topics, topic)
		}
	}
}

// Publish notifies the topic's subscribers. Call it after the commit. If it fails, readers find
// the change at their next poll.
func (b *Broker) Publish(ctx context.Context, topic string) {
	if b.db.Dialect.Name == "postgres" {
		// This instance receives it the same way.
		if _, err := db.Exec(ctx, b.db.Writer, `SELECT pg_notify($1, $2)`, channel, topic); err != nil {
			b.log.WarnContext(ctx, "couldn't send event to other instances", "error", err)
			b.notify(topic)
		}
		return
	}
	b.notify(topic)
}

func (b *Broker) notify(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.topics[topic] {
		wake(ch)
	}
}

func (b *Broker) notifyAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, readers := range b.topics {
		for ch := range readers {
			wake(ch)
		}
	}
}

func wake(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // a notification is already pending
	}
}

// Close notifies all readers to reconnect later.
func (b *Broker) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	for _, readers := range b.topics {
		for ch := range readers {
			close(ch)
		}
	}
	b.topics = map[string]map[chan struct{}]bool{}
}

// Run receives the events of all instances until the context ends. After a lost connection, it
// reconnects and notifies all subscribers.
func (b *Broker) Run(ctx context.Context) {
	if b.db.Dialect.Name != "postgres" {
		return
	}
	for wait := 100 * time.Millisecond; ctx.Err() == nil; wait = min(2*wait, 10*time.Second) {
		started := time.Now()
		err := b.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		b.log.WarnContext(ctx, "lost connection for events of other instances, retrying", "error", err)
		if time.Since(started) > time.Minute {
			wait = 100 * time.Millisecond
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// listen uses its own connection, because pooled ones can't listen.
func (b *Broker) listen(ctx context.Context) error {
	conn, err := b.db.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // it is given up
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	b.notifyAll()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		b.notify(n.Payload)
	}
}
