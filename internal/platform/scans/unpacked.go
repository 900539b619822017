package scans

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/hex"
	"io"
	"regexp"
	"strconv"
)

// mostUnpacked is the maximum unpacked size of a PDF's object tables in total. The reader limits
// only each table, and a file can have any number of them. 500,000 objects take 3 MB.
const mostUnpacked = 16 << 20

var (
	streamStart = regexp.MustCompile(`>>[\x00\t\n\f\r ]*stream\r?\n`)
	tableWidths = regexp.MustCompile(`/W[\x00\t\n\f\r ]*\[`)
	firstObject = regexp.MustCompile(`/First[\x00\t\n\f\r ]+(\d{1,12})`)
	filterName  = regexp.MustCompile(
		`/(ASCIIHexDecode|ASCII85Decode|LZWDecode|FlateDecode|RunLengthDecode|CCITTFaxDecode|` +
			`JBIG2Decode|DCTDecode|JPXDecode|Crypt|AHx|A85|LZW|Fl|RL|CCF|DCT)\b`)
	escapedSign = regexp.MustCompile(`#[0-9A-Fa-f]{2}`)
)

// checkUnpacked rejects a PDF with object tables and lists that unpack to too much data. It
// parses no objects. Content between two streams counts as part of the second.
func checkUnpacked(ctx context.Context, content []byte) error {
	left, after := int64(mostUnpacked), 0
	for _, at := range streamStart.FindAllIndex(content, -1) {
		if ctx.Err() != nil {
			return ErrTooLarge
		}
		dict := unescape(content[after:at[0]])
		after = at[1]
		switch {
		case tableWidths.Match(dict) && bytes.Contains(dict, []byte("/Size")):
			size, err := measureUnpacked(content[after:], dict, left)
			if err != nil {
				return err
			}
			left -= size
		case bytes.Contains(dict, []byte("/ObjStm")):
			if first := firstObject.FindSubmatch(dict); first != nil {
				size, _ := strconv.ParseInt(string(first[1]), 10, 64) // up to 12 digits
				left -= size
			}
		}
		if left < 0 {
			return ErrTooLarge
		}
	}
	return nil
}

// unescape returns a dictionary with decoded names.
func unescape(dict []byte) []byte {
	if !bytes.Contains(dict, []byte("#")) {
		return dict
	}
	return escapedSign.ReplaceAllFunc(dict, func(sign []byte) []byte {
		b, _ := hex.DecodeString(string(sign[1:])) // two digits
		return b
	})
}

// measureUnpacked returns the unpacked size of a table, up to limit + 1. It rejects
// compression that PDF programs don't use for tables.
func measureUnpacked(packed, dict []byte, limit int64) (int64, error) {
	filters := filterName.FindAllSubmatch(dict, -1)
	if len(filters) == 0 {
		return 0, nil // not larger than the file
	}
	if last := string(filters[len(filters)-1][1]); len(filters) > 1 || last != "FlateDecode" && last != "Fl" {
		return 0, ErrTooLarge
	}
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return 0, nil // the PDF reader reports the error
	}
	defer r.Close()
	n, _ := io.Copy(io.Discard, io.LimitReader(r, limit+1)) // likewise
	return n, nil
}
