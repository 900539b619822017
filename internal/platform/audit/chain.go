package audit

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"time"

	"wcpp/internal/platform/db"
)

// lockSpace is the space of the locks that transactions take on the segment of their entries
// (audit_open_segment).
const lockSpace = 7723503

// head is the signed summary of a segment and its predecessor.
type head struct {
	Segment   int64
	Entries   int64
	LastAt    db.Instant // timestamp of the newest entry; NULL without entries
	SealedAt  db.Instant
	Previous  []byte // head of the previous segment; empty for the first
	Content   []byte // hash of the entries
	Head      []byte // hash of all fields above
	Signature []byte // signature of Head
}

// pruned records that the entries of a segment were removed.
type pruned struct {
	Segment   int64
	PrunedAt  db.Instant
	Signature []byte
}

type stored struct {
	ID      int64 `db:"id"`
	Segment int64
	row
}

// digest hashes values with their lengths, so that different lists have different hashes.
type digest struct{ hash.Hash }

func newDigest(purpose string) digest {
	d := digest{sha256.New()}
	d.add([]byte(purpose))
	return d
}

func (d digest) add(values ...[]byte) {
	for _, v := range values {
		d.Write(binary.BigEndian.AppendUint64(nil, uint64(len(v)))) //nolint:gosec // a length
		d.Write(v)
	}
}

func numberBytes(n int64) []byte { return []byte(fmt.Sprint(n)) }

func timeBytes(at db.Instant) []byte {
	if at.IsZero() {
		return nil
	}
	return []byte(at.UTC().Format(time.RFC3339Nano))
}

func (d digest) entry(e stored) {
	d.add(numberBytes(e.ID), numberBytes(e.Segment), timeBytes(e.At))
	for _, text := range []string{
		e.Actor, e.ActingFor, string(e.Operation), e.Subject, e.Result, e.Detail, e.RequestID, e.Client, e.Searched, e.Answered, e.Keys,
	} {
		d.add([]byte(text))
	}
}

func (h head) hash() []byte {
	d := newDigest("wcpp audit head 1")
	d.add(numberBytes(h.Segment), numberBytes(h.Entries), timeBytes(h.LastAt), timeBytes(h.SealedAt), h.Previous, h.Content)
	return d.Sum(nil)
}

// message returns the bytes to sign when the entries of a segment are removed.
func (p pruned) message(head []byte) []byte {
	d := newDigest("wcpp audit pruned 1")
	d.add(numberBytes(p.Segment), timeBytes(p.PrunedAt), head)
	return d.Sum(nil)
}

// computeHead reads the entries of a segment in order and computes its head.
func computeHead(ctx context.Context, q db.Queryer, segment int64) (head, error) {
	h, content := head{Segment: segment}, newDigest("wcpp audit entries 1")
	for after := int64(0); ; {
		part, err := listEntries(ctx, q, segment, after, 1000)
		if err != nil {
			return h, err
		}
		for _, e := range part {
			content.entry(e)
			if h.Entries++; e.At.After(h.LastAt.Time) {
				h.LastAt = e.At
			}
			after = e.ID
		}
		if len(part) < 1000 {
			h.Content = content.Sum(nil)
			return h, nil
		}
	}
}

// Seal closes the open segment, if it has entries, and signs the heads of closed segments. It
// skips a segment that a transaction still writes to, and all later ones. Instances can seal
// concurrently. Repeating it is safe.
func (l *Log) Seal(ctx context.Context) error {
	if l.signer == nil {
		return errors.New("audit: missing signing key")
	}
	if err := closeOpen(ctx, l.db.Writer); err != nil {
		return err
	}
	last, err := lastHead(ctx, l.db.Writer)
	if err != nil {
		return err
	}
	for {
		segment, err := nextClosed(ctx, l.db.Writer, last.Segment)
		if errors.Is(err, db.ErrNotFound) {
			return nil
		}
		settled := false
		if err == nil {
			err = l.db.Tx(ctx, func(tx *sql.Tx) error {
				settled, err = l.db.TryLock(ctx, tx, lockSpace, int(segment))
				return err
			})
		}
		if err != nil || !settled {
			return err
		}
		if last, err = l.sealSegment(ctx, segment, last); err != nil || last.Segment != segment {
			return err
		}
	}
}

func (l *Log) sealSegment(ctx context.Context, segment int64, last head) (head, error) {
	h, err := computeHead(ctx, l.db.Reader, segment)
	if err != nil {
		return last, err
	}
	h.SealedAt, h.Previous = db.At(l.now()), append([]byte{}, last.Head...)
	h.Head = h.hash()
	h.Signature = ed25519.Sign(l.signer, h.Head)
	if err := insertHead(ctx, l.db.Writer, h); err != nil {
		if taken, again := lastHead(ctx, l.db.Writer); again == nil && taken.Segment >= segment {
			return last, nil // another instance was faster
		}
		return last, err
	}
	// A copy of this log line elsewhere reveals that the newest segments were removed.
	l.log.InfoContext(ctx, "audit log sealed", "segment", h.Segment, "entries", h.Entries, "head", hex.EncodeToString(h.Head))
	return h, nil
}

// Report is the result of Verify.
type Report struct {
	Segments, Pruned int
	Entries          int64
	// Unsealed is the number of entries without a head.
	Unsealed int64
	// Last is the last segment with its head, in hex.
	Last     int64
	LastHead string
	// Wrong lists the differences from the sealed state; empty means valid.
	Wrong []string
	// Unsigned counts the heads that none of the keys has signed. Wrong lists them, too.
	Unsigned int
}

// readSegment reads a segment's entries as they are now, and the record of their removal, as of one
// moment. The record is empty if they weren't removed.
func readSegment(ctx context.Context, d *db.DB, segment int64) (now head, end pruned, err error) {
	err = d.Read(ctx, func(tx *sql.Tx) error {
		if now, err = computeHead(ctx, tx, segment); err != nil {
			return err
		}
		end, err = prunedSegment(ctx, tx, segment)
		return db.IfNotFound(err, nil)
	})
	return now, end, err
}

// Verify checks the log against its chain. Every segment must have its sealed entries, name its
// predecessor, and be signed by one of the keys. expected maps segments to heads, in hex, that
// the chain must contain. docs/security.md explains what this proves.
func Verify(ctx context.Context, d *db.DB, keys []ed25519.PublicKey, expected map[int64]string) (Report, error) {
	var r Report
	wrong := func(text string, args ...any) { r.Wrong = append(r.Wrong, fmt.Sprintf(text, args...)) }
	signed := func(message, signature []byte) bool {
		return slices.ContainsFunc(keys, func(k ed25519.PublicKey) bool { return ed25519.Verify(k, message, signature) })
	}
	var last head
	for {
		heads, err := headsAfter(ctx, d.Reader, last.Segment, 1000)
		if err != nil {
			return r, err
		}
		if len(heads) == 0 {
			break
		}
		for _, h := range heads {
			r.Segments++
			if h.Segment != last.Segment+1 {
				wrong("segments %d to %d are missing", last.Segment+1, h.Segment-1)
			} else if string(h.Previous) != string(last.Head) {
				wrong("segment %d doesn't follow the current segment %d", h.Segment, last.Segment)
			}
			switch {
			case string(h.hash()) != string(h.Head):
				wrong("segment %d has another head hash than its content", h.Segment)
			case !signed(h.Head, h.Signature):
				r.Unsigned++
				wrong("segment %d isn't signed with a trusted key", h.Segment)
			}
			if want, named := expected[h.Segment]; named && want != hex.EncodeToString(h.Head) {
				wrong("segment %d has head hash %x, which isn't the expected one", h.Segment, h.Head)
			}
			delete(expected, h.Segment)
			now, end, err := readSegment(ctx, d, h.Segment)
			if err != nil {
				return r, err
			}
			switch {
			case end.Segment > 0:
				r.Pruned++
				if !signed(end.message(h.Head), end.Signature) {
					wrong("the removal of segment %d isn't signed", h.Segment)
				}
				if now.Entries > 0 {
					wrong("segment %d was removed but has %d entries", h.Segment, now.Entries)
				}
			case string(now.Content) != string(h.Content) || now.Entries != h.Entries:
				wrong("the entries of segment %d have changed: %d now, %d when sealed", h.Segment, now.Entries, h.Entries)
			default:
				r.Entries += now.Entries
			}
			last = h
		}
	}
	for segment := range expected {
		wrong("expected segment %d is missing", segment)
	}
	r.Last, r.LastHead = last.Segment, hex.EncodeToString(last.Head)
	stray, err := countOutside(ctx, d.Reader)
	if err != nil {
		return r, err
	}
	if stray > 0 {
		wrong("%d entries aren't in a segment", stray)
	}
	r.Unsealed, err = countAfter(ctx, d.Reader, last.Segment)
	return r, err
}

// Prune removes the entries of the segments that ended before the given time, oldest first. It
// leaves their heads with a signed note of the removal.
func Prune(ctx context.Context, d *db.DB, signer ed25519.PrivateKey, before, now time.Time) (segments int, err error) {
	last := int64(0)
	for {
		list, err := unprunedHeads(ctx, d.Writer, last, 100)
		if err != nil || len(list) == 0 {
			return segments, errors.Join(err, deleteStrayKeys(ctx, d.Writer, db.At(before)))
		}
		for _, h := range list {
			if !h.LastAt.Before(before) {
				return segments, deleteStrayKeys(ctx, d.Writer, db.At(before))
			}
			p := pruned{Segment: h.Segment, PrunedAt: db.At(now)}
			p.Signature = ed25519.Sign(signer, p.message(h.Head))
			if err := d.Tx(ctx, func(tx *sql.Tx) error {
				if err := insertPruned(ctx, tx, p); err != nil {
					return err
				}
				return deleteEntries(ctx, tx, h.Segment)
			}); err != nil {
				return segments, err
			}
			segments, last = segments+1, h.Segment
		}
	}
}
