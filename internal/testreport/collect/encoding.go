package collect

import (
	"bufio"
	"bytes"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// Utf8Reader removes a byte order mark and turns UTF-16, which PowerShell
// writes when output is redirected, into UTF-8.
func Utf8Reader(in *bufio.Reader) (*bufio.Reader, error) {
	head, _ := in.Peek(4)
	if bytes.HasPrefix(head, byteOrderMark) {
		_, err := in.Discard(len(byteOrderMark))
		return in, err
	}
	if order, ok := utf16Order(head); ok {
		decoder := unicode.UTF16(order, unicode.UseBOM).NewDecoder()
		return bufio.NewReaderSize(transform.NewReader(in, decoder), HeadSize), nil
	}
	return in, nil
}

func utf16Order(head []byte) (unicode.Endianness, bool) {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), len(head) > 1 && head[0] != 0 && head[1] == 0:
		return unicode.LittleEndian, true
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}), len(head) > 1 && head[0] == 0 && head[1] != 0:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}

// CleanHead is head as UTF-8 without a byte order mark.
func CleanHead(head []byte) []byte {
	if order, ok := utf16Order(head); ok {
		out, _, _ := transform.Bytes(unicode.UTF16(order, unicode.UseBOM).NewDecoder(), head[:len(head)&^1])
		return out
	}
	return bytes.TrimPrefix(head, byteOrderMark)
}

// Opening quotes the first bytes of a file for a message.
func Opening(head []byte) string {
	head = bytes.TrimSpace(CleanHead(head))
	if len(head) > 40 {
		head = head[:40]
		for len(head) > 0 && !utf8.Valid(head) && len(head) > 36 {
			head = head[:len(head)-1]
		}
	}
	return strconv.QuoteToASCII(string(head))
}
