package db

import (
	"context"
	"errors"
	"time"

	"github.com/gofrs/flock"

	"wcpp/internal/platform/fileperm"
)

// maxWriteWait is how long a transaction waits for other programs, as SQLite's busy timeout.
const maxWriteWait = 10 * time.Second

// errWriteLocked means that other programs were writing for too long.
var errWriteLocked = errors.New("other programs have been writing to the database for too long")

// writeLock makes programs that write to one SQLite database take turns. Without it, a program
// that finds the database locked sleeps up to 100 ms between attempts, and an import locks it
// again in less time.
type writeLock struct {
	// A program that waits for the lock has the queue, so the one that unlocks can't overtake it.
	lock, queue *flock.Flock
	waiting     chan struct{} // has a value while this program has or waits for the lock
}

func newWriteLock(path string) *writeLock {
	mode := flock.SetPermissions(fileperm.File)
	lock, queue := flock.New(path+".write-lock", mode), flock.New(path+".write-queue", mode)
	return &writeLock{lock: lock, queue: queue, waiting: make(chan struct{}, 1)}
}

// take waits for the lock. It returns errWriteLocked after maxWriteWait.
func (l *writeLock) take(ctx context.Context) error {
	limit := time.NewTimer(maxWriteWait)
	defer limit.Stop()
	taken := make(chan error, 1)
	select {
	case l.waiting <- struct{}{}:
		go func() { taken <- l.wait() }()
	case <-ctx.Done():
		return ctx.Err()
	case <-limit.C:
		return errWriteLocked
	}
	var err error
	select {
	case err = <-taken:
		if err != nil {
			<-l.waiting
		}
		return err
	case <-ctx.Done():
		err = ctx.Err()
	case <-limit.C:
		err = errWriteLocked
	}
	go func() { // the wait itself can't be interrupted
		if <-taken == nil {
			_ = l.release() // the program's end releases it too
		} else {
			<-l.waiting
		}
	}()
	return err
}

func (l *writeLock) wait() error {
	if err := l.queue.Lock(); err != nil {
		return err
	}
	return errors.Join(l.lock.Lock(), l.queue.Unlock())
}

func (l *writeLock) release() error {
	err := l.lock.Unlock()
	<-l.waiting
	return err
}
