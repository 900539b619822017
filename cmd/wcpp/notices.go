package main

import (
	"context"
	"errors"
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
	notices, err := web.ReadFile(web.Dist, "dist/notices.txt")
	if err != nil {
		return errors.New("this build doesn't include the web app and notices; run make build first")
	}
	_, err = os.Stdout.Write(notices)
	return err
}
