package scans

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// bomb builds a PDF with its objects in streams.
type bomb struct {
	bytes.Buffer
	entries [][3]int // type, position or stream, generation or index
}

// printf writes, which never fails in memory.
func (b *bomb) printf(format string, args ...any) { _, _ = fmt.Fprintf(b, format, args...) }

func (b *bomb) object(n int, dict string, content []byte) {
	for len(b.entries) <= n {
		b.entries = append(b.entries, [3]int{})
	}
	b.entries[n] = [3]int{1, b.Len(), 0}
	b.printf("%d 0 obj\n", n)
	if content == nil {
		b.WriteString(dict)
	} else {
		b.printf("<<%s /Length %d>>\nstream\n", dict, len(content))
		b.Write(content)
		b.WriteString("\nendstream")
	}
	b.WriteString("\nendobj\n")
}

func (b *bomb) within(n, stream, index int) {
	for len(b.entries) <= n {
		b.entries = append(b.entries, [3]int{})
	}
	b.entries[n] = [3]int{2, stream, index}
}

// end writes the object table as a stream with the declared size.
func (b *bomb) end(size int, filler []byte) []byte {
	at, n := b.Len(), len(b.entries)
	var table bytes.Buffer
	for _, e := range append(b.entries, [3]int{1, at, 0}) {
		table.WriteByte(byte(e[0]))
		_ = binary.Write(&table, binary.BigEndian, uint32(e[1]))
		table.WriteByte(byte(e[2]))
	}
	table.Write(filler)
	packed := deflated(table.Bytes())
	b.printf("%d 0 obj\n<</Type /XRef /Size %d /W [1 4 1] /Root 1 0 R /Filter /FlateDecode /Length %d>>\nstream\n", n, max(size, n+1),
		len(packed))
	b.Write(packed)
	b.printf("\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", at)
	return bytes.Clone(b.Bytes())
}

func newBomb() *bomb {
	b := &bomb{}
	b.WriteString("%PDF-1.5\n")
	b.object(1, "<</Type /Catalog /Pages 2 0 R>>", nil)
	b.object(2, "<</Type /Pages /Kids [3 0 R] /Count 1>>", nil)
	b.object(3, "<</Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] /Thing 5 0 R>>", nil)
	return b
}

func deflated(content []byte) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(content)
	_ = w.Close()
	return packed.Bytes()
}

// objects returns a stream with one object of size bytes.
func objects(object int, start, fill string, size int) (dict string, content []byte) {
	head := fmt.Sprintf("%d 0 ", object)
	return fmt.Sprintf("/Type /ObjStm /N 1 /First %d /Filter /FlateDecode", len(head)),
		deflated([]byte(head + start + strings.Repeat(fill, size/len(fill)) + strings.Repeat("]", len(start))))
}

func bombs() map[string][]byte {
	all := map[string][]byte{}
	one := newBomb()
	dict, content := objects(5, "[", "0 ", 64<<20)
	one.object(4, dict, content)
	one.within(5, 4, 0)
	all["one large stream of objects"] = one.end(0, nil)

	many := newBomb()
	dict, content = objects(5, "[", "0 ", 4<<20)
	for n := range 100 {
		many.object(10+n, dict, content)
	}
	many.within(5, 10, 0)
	all["many streams of objects"] = many.end(0, nil)

	twice := newBomb()
	dict, content = objects(5, "[", "0 ", 32<<20)
	twice.object(4, strings.Replace(dict, "/FlateDecode", "[/FlateDecode /FlateDecode]", 1), deflated(content))
	twice.within(5, 4, 0)
	all["a stream packed twice"] = twice.end(0, nil)

	table := newBomb()
	all["a large table"] = table.end(20_000_000, make([]byte, 120_000_000))

	chain := newBomb()
	packed := deflated(make([]byte, 6_000_000))
	before := 0
	for n := range 60 {
		at := chain.Len()
		chain.printf("%d 0 obj\n<</Type /XRef /Size 450000 /W [1 4 1] /Root 1 0 R /Prev %d /Index [100 %d] /Filter /FlateDecode "+
			"/Length %d>>\nstream\n", 20+n, before, 400_000, len(packed))
		chain.Write(packed)
		chain.WriteString("\nendstream\nendobj\n")
		before = at
	}
	chained := chain.end(0, nil)
	all["a chain of tables"] = bytes.ReplaceAll(chained, []byte("/Root 1 0 R /Filter /FlateDecode /Length"),
		fmt.Appendf(nil, "/Root 1 0 R /Prev %d /Filter /FlateDecode /Length", before))

	hidden := newBomb()
	dict, content = objects(5, "[", "0 ", 4<<20)
	for n := range 100 {
		hidden.object(10+n, strings.Replace(dict, "/ObjStm", "/Obj#53tm", 1), content)
	}
	hidden.within(5, 10, 0)
	all["streams of objects under another spelling"] = hidden.end(0, nil)

	deep := newBomb()
	deep.object(5, strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20), nil)
	all["deep lists"] = deep.end(0, nil)

	pages := newBomb()
	for n := range 40 {
		pages.object(10+n, fmt.Sprintf("<</Type /Pages /Count 2 /Kids [%d 0 R %d 0 R]>>", 11+n, 11+n), nil)
	}
	pages.object(50, "<</Type /Page /MediaBox [0 0 10 10]>>", nil)
	pages.object(2, "<</Type /Pages /Kids [10 0 R] /Count 1>>", nil)
	all["pages that are shared"] = pages.end(0, nil)
	return all
}

// A small PDF that unpacks to a lot of data is refused before it uses much memory or time.
func TestBombs(t *testing.T) {
	for name, content := range bombs() {
		t.Run(name, func(t *testing.T) {
			_, err := bounded(t, content)
			if err != nil && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrBroken) {
				t.Error(err)
			}
		})
	}
}

// bounded checks a document, and its use of memory and time. Each byte expands to a few bytes,
// and a page has a maximum number of pixels.
func bounded(t *testing.T, content []byte) (string, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	mediaType, err := Check(context.Background(), content)
	runtime.ReadMemStats(&after)
	allocated, took := int(after.TotalAlloc-before.TotalAlloc)>>20, time.Since(began)
	t.Logf("%d KB: %v, %d MB, %s", len(content)>>10, err, allocated, took.Round(time.Millisecond))
	if mediaType == PDF && allocated > 200+40*len(content)>>20 {
		t.Errorf("%d KB take %d MB", len(content)>>10, allocated)
	}
	assert.LessOrEqualf(t, took, 2*longest, "%d KB take", len(content)>>10)
	return mediaType, err
}
