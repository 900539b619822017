// Package spool receives uploaded files. A file is first a temporary file on the local disk, which
// the next start of a killed program removes (tempdir). It is checked there, and stored only if it
// passed every check.
package spool

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// File is an uploaded file on the local disk until Close removes it.
type File struct {
	Name      string // safe to show and to send: see CleanName
	Size      int64  // in bytes, at least 1
	SHA256    string // in hexadecimal
	MediaType string // by content, for example application/pdf; only after CheckDocument
	Path      string
}

// Close removes the file from the local disk.
func (f *File) Close() error { return os.Remove(f.Path) }

// Limits are the maximum size of an upload's files, and what users read about them.
type Limits struct {
	Bytes int64
	// Wanted is the message for a form without a file.
	Wanted string
	// Smaller follows "scan.pdf is larger than 25 MB."
	Smaller string
}

// Save copies r to a temporary file and hashes it. Only the caller's Close removes the file. It
// returns a problem of kind TooLarge for a file over the limit, and of kind Invalid for an empty
// one or an interrupted upload. A full disk is a db.IsStorageFault, for which operations respond
// with 503.
func Save(name string, r io.Reader, limits Limits) (*File, error) {
	out, err := os.CreateTemp("", "wcpp-upload")
	if err != nil {
		return nil, err
	}
	f := &File{Name: CleanName(name), Path: out.Name()}
	hash := sha256.New()
	f.Size, err = io.Copy(io.MultiWriter(out, hash), io.LimitReader(r, limits.Bytes+1))
	switch err = errors.Join(err, out.Close()); {
	case err != nil:
		err = Interrupted(err)
	case f.Size > limits.Bytes:
		err = problem.WithMessage(problem.TooLarge, fmt.Sprintf("%s is larger than %d MB. %s", f.Name, limits.Bytes>>20, limits.Smaller))
	case f.Size == 0:
		err = problem.WithMessage(problem.Invalid, f.Name+" is empty.")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return f, nil
}

// Interrupted returns the error of an upload that wasn't received completely. The form reader's
// error can contain form data such as file names, so only disk errors are logged as they are.
func Interrupted(err error) error {
	var known *problem.Error
	if errors.As(err, &known) || db.IsStorageFault(err) {
		return err
	}
	var disk *fs.PathError
	if !errors.As(err, &disk) {
		err = fmt.Errorf("the form wasn't read completely: %T", err)
	}
	return problem.WithMessage(problem.Invalid, "The upload was interrupted. Upload the file again.").WithCause(err)
}

// Receive saves the file of a form (multipart/form-data) that has nothing else. It returns the
// errors of Save. For any other form, it returns a problem of kind Invalid. After an error, it reads the
// rest of the form up to the limit, because browsers read the response only then.
func Receive(form *httpapi.Form, limits Limits) (*File, error) {
	f, err := receive(form, limits)
	if err != nil {
		form.Drain(limits.Bytes)
	}
	return f, err
}

func receive(form *httpapi.Form, limits Limits) (*File, error) {
	wanted := validate.RefuseField(limits.Wanted, "file", limits.Wanted)
	parts, err := form.Parts()
	if err != nil {
		return nil, wanted
	}
	part, err := parts.NextPart()
	if err != nil {
		return nil, wanted
	}
	name := httpapi.FileName(part)
	if name == "" {
		return nil, wanted
	}
	f, err := Save(name, part, limits)
	if err != nil {
		return nil, err
	}
	switch _, err = parts.NextPart(); {
	case errors.Is(err, io.EOF):
		return f, nil
	case err == nil:
		err = problem.WithMessage(problem.Invalid, "Upload one file at a time.")
	default:
		err = Interrupted(err)
	}
	return nil, errors.Join(err, f.Close())
}

// maxName is the maximum length of a file name, and maxExtension that of its extension, in
// characters.
const (
	maxName      = 200
	maxExtension = 20
)

// CleanName returns the last element of a path as a file name that is safe to store, show and
// send. It removes control characters and invisible ones, such as those that reverse text. A name
// has up to 200 characters with its extension. An empty one becomes "file".
func CleanName(name string) string {
	name = strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/")
	name = text.Clean(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, path.Base(name)))
	if strings.Trim(name, "./ ") == "" {
		return "file"
	}
	if letters := []rune(name); len(letters) > maxName {
		extension := []rune(path.Ext(name))
		if len(extension) > maxExtension {
			extension = nil
		}
		name = string(letters[:maxName-len(extension)]) + string(extension)
	}
	return name
}
