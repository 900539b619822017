package main

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"

	"wcpp/web"
)

type noticesCmd struct{}

func (noticesCmd) Help() string {
	return `The portal serves the same text at /wcpp/notices.txt.

Example:
  wcpp notices | less`
}

func (noticesCmd) Run(context.Context) error {
	packed, err := web.Dist.Open("dist/notices.txt.gz")
	if err != nil {
		return errors.New("this build doesn't include the web app and notices; run make build first")
	}
	defer packed.Close() //nolint:errcheck // embedded
	notices, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, notices) //nolint:gosec // our own file
	return err
}
