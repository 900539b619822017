package db

import "context"

// heeded is the context of one statement. The drivers heed it until the last row is
// read; database/sql would begin a goroutine for each query that does so a second time,
// and on a busy portal wakes processors for it. It is shown no end from the moment on at
// which a driver has the context: waiting for a connection still ends with it.
type heeded struct {
	context.Context
	handed bool
}

// heed prepares a context for a statement. It is used by one goroutine.
func heed(ctx context.Context) context.Context { return &heeded{Context: ctx} }

// Done is closed when the context has ended; nil once a driver has it.
func (c *heeded) Done() <-chan struct{} {
	if c.handed {
		return nil
	}
	return c.Context.Done()
}

// handed is the context that a driver heeds.
func handed(ctx context.Context) context.Context {
	if c, is := ctx.(*heeded); is {
		c.handed = true
		return c.Context
	}
	return ctx
}
