package remittances

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/x12"
)

// whyNoOriginal are the messages when there is no original 835.
var whyNoOriginal = map[OriginalStatus]string{
	OriginalShared:    "The original 835 isn't available because the file pays several payees. Use the remittance advice instead.",
	OriginalInParts:   "The original 835 isn't available because this remittance came in several files. Use the remittance advice instead.",
	OriginalAssembled: "The original 835 isn't available because this remittance predates file storage. Use the remittance advice instead.",
	OriginalDeleted:   "The original 835 is no longer stored. Use the remittance advice instead.",
}

func errNoOriginal(why OriginalStatus) error {
	return problem.WithMessage(problem.NotFound, whyNoOriginal[why])
}

// Original returns the original 835 of a remittance, which must have a single transaction set.
// The set is put into the portal's own envelope, with masked bank accounts. It's audited first.
func (s *Service) Original(ctx context.Context, a access.Actor, sealed string) (name string, body []byte, err error) {
	p, err := s.openDocument(ctx, a, openOriginal, sealed)
	if err != nil {
		return "", nil, err
	}
	if body, err = s.read835(ctx, p); err != nil {
		return "", nil, err
	}
	return p.fileName(".835"), body, s.audit.RecordNow(ctx, p.openingEntry(openOriginal))
}

// read835 extracts a remittance's set from its file.
func (s *Service) read835(ctx context.Context, p Page) ([]byte, error) {
	if p.Original != OriginalAvailable {
		return nil, errNoOriginal(p.Original)
	}
	file, err := s.kept.OpenStored(ctx, p.File)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, errNoOriginal(OriginalDeleted)
	}
	if err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	defer file.Close()
	set, sep, err := x12.ReadSet(file, x12.Set{Offset: p.Offset, Length: p.Length})
	if err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	if countPayees(set, sep) > 1 {
		return nil, errNoOriginal(OriginalShared)
	}
	return wrapEnvelope(p.CheckRecord, maskAccounts(set, sep), sep), nil
}

// splitElements splits a segment into elements, and removes line breaks, which can be anywhere in
// it.
func splitElements(segment []byte, sep x12.Separators) [][]byte {
	segment = bytes.Map(func(r rune) rune {
		if (r == '\r' || r == '\n') && r != rune(sep.Element) && r != rune(sep.Component) {
			return -1
		}
		return r
	}, segment)
	elements := bytes.Split(segment, []byte{sep.Element})
	elements[0] = bytes.TrimSpace(elements[0])
	return elements
}

// countPayees counts the segments of a set that name a payee.
func countPayees(set []byte, sep x12.Separators) (n int) {
	for segment := range bytes.SplitSeq(set, []byte{sep.Terminator}) {
		if e := splitElements(segment, sep); len(e) > 1 && string(e[0]) == "N1" && string(bytes.TrimSpace(e[1])) == "PE" {
			n++
		}
	}
	return n
}

// accounts are the bank account elements of BPR: the payer's and the payee's.
var accounts = []int{9, 15}

// maskAccounts hides bank accounts except for their last four characters.
func maskAccounts(set []byte, sep x12.Separators) []byte {
	segments := bytes.Split(set, []byte{sep.Terminator})
	for i, segment := range segments {
		elements := splitElements(segment, sep)
		if string(elements[0]) != "BPR" {
			continue
		}
		for _, n := range accounts {
			if n < len(elements) {
				elements[n] = maskAccount(elements[n])
			}
		}
		before := segment[:len(segment)-len(bytes.TrimLeft(segment, "\r\n "))]
		segments[i] = slices.Concat(before, bytes.Join(elements, []byte{sep.Element}))
	}
	return bytes.Join(segments, []byte{sep.Terminator})
}

// maskAccount replaces all but the last four characters with X. A number of up to four
// characters is replaced entirely.
func maskAccount(account []byte) []byte {
	account = bytes.TrimSpace(account)
	hidden := len(account)
	if hidden > 4 {
		hidden -= 4
	}
	return append(bytes.Repeat([]byte("X"), hidden), account[hidden:]...)
}

// sender is the sender in the envelope: the portal.
const sender = "WCPP"

// wrapEnvelope wraps a set in the portal's own interchange, addressed to the TIN and with the
// set's date. So the same set always gets the same envelope.
func wrapEnvelope(a ledger.CheckRecord, set []byte, sep x12.Separators) []byte {
	// A 5010 set names its guide in ST03; a 4010 set doesn't.
	st, _, _ := bytes.Cut(set, []byte{sep.Terminator})
	guide, version, repetition := "004010X091A1", "00401", "U"
	if e := strings.Split(string(st), string(sep.Element)); len(e) > 3 && e[3] != "" {
		guide, version, repetition = strings.TrimSpace(e[3]), "00501", "^"
		if sep.Repetition != 0 {
			repetition = string(sep.Repetition)
		}
	}
	day, clock, _ := strings.Cut(a.Written, "T")
	if len(day) != 8 {
		day = "20000101" // for a set with no date in its group
	}
	clock = cmp.Or(clock, "0000")
	control := fnv.New32a()
	_, _ = control.Write([]byte(a.FTIN + a.Remittance.Remittance))
	number := control.Sum32()%999_999_999 + 1
	line := ""
	if _, rest, _ := bytes.Cut(set, []byte{sep.Terminator}); len(rest) > 0 && (rest[0] == '\r' || rest[0] == '\n') {
		line = "\n"
	}
	var out bytes.Buffer
	write := func(elements ...string) {
		out.WriteString(strings.Join(elements, string(sep.Element)))
		out.WriteByte(sep.Terminator)
		out.WriteString(line)
	}
	write("ISA", "00", strings.Repeat(" ", 10), "00", strings.Repeat(" ", 10), "ZZ", fmt.Sprintf("%-15s", sender), "30",
		fmt.Sprintf("%-15s", a.FTIN),
		day[2:], (clock + "0000")[:4], repetition, version, fmt.Sprintf("%09d", number), "0", "P", string(sep.Component))
	write("GS", "HP", sender, a.FTIN, day, clock, fmt.Sprint(number), "X", guide)
	out.Write(set)
	out.WriteString(line)
	write("GE", "1", fmt.Sprint(number))
	write("IEA", "1", fmt.Sprintf("%09d", number))
	return out.Bytes()
}
