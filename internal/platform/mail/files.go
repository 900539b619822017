package mail

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

type files struct {
	dir  string
	from Address
}

// NewFiles writes each email to a file in the directory, which it creates if needed. File names
// sort by time.
func NewFiles(dir string, from Address) (Transport, error) {
	if err := checkSender(from); err != nil {
		return nil, err
	}
	return &files{dir, from}, os.MkdirAll(dir, 0o700)
}

const fileTime = "20060102T150405.000000000Z"

var fileName = regexp.MustCompile(`^\d{8}T\d{6}\.\d{9}Z-[0-9a-f]{16}\.eml$`)

// IsFile reports whether a name is the file name of an email.
func IsFile(name string) bool { return fileName.MatchString(name) }

func (f *files) Send(ctx context.Context, m Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	msg, err := compose(f.from, m)
	if err != nil {
		return err
	}
	// Readers only see complete files.
	file, err := os.CreateTemp(f.dir, ".mail-*")
	if err != nil {
		return err
	}
	if _, err = msg.WriteTo(file); err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		name := time.Now().UTC().Format(fileTime) + "-" + newID() + ".eml"
		err = os.Rename(file.Name(), filepath.Join(f.dir, name))
	}
	if err != nil {
		_ = os.Remove(file.Name()) // the name of a leftover isn't one of an email
	}
	return err
}

// deleteFiles deletes the emails in a folder that were written before a time.
func deleteFiles(folder string, before time.Time) error {
	if folder == "" {
		return nil
	}
	list, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range list {
		if IsFile(file.Name()) && file.Name() < before.UTC().Format(fileTime) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, file.Name())))
		}
	}
	return err
}

// Received is an email as its recipient sees it.
type Received struct {
	From, To, Subject string
	Date              time.Time
	Text, HTML        string
}

// Read reads an email that this package wrote.
func Read(r io.Reader) (Received, error) {
	m, err := netmail.ReadMessage(r)
	if err != nil {
		return Received{}, err
	}
	got := Received{}
	if got.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return Received{}, err
	}
	for key, value := range map[string]*string{"From": &got.From, "To": &got.To} {
		a, err := netmail.ParseAddress(m.Header.Get(key))
		if err != nil {
			return Received{}, err
		}
		if *value = a.Address; a.Name != "" {
			*value = a.Name + " <" + a.Address + ">"
		}
	}
	if got.Date, err = m.Header.Date(); err != nil {
		return Received{}, err
	}
	kind, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return Received{}, err
	}
	if kind == "text/plain" {
		text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
		got.Text = string(text)
		return got, err
	}
	parts := multipart.NewReader(m.Body, parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return Received{}, err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return Received{}, err
		}
		if kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); kind == "text/html" {
			got.HTML = string(content)
		} else {
			got.Text = string(content)
		}
	}
}
