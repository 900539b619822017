package main

import (
	"context"
	"errors"
	"os"

	"wcpp/web"
)

type noticesCmd struct{}

func (noticesCmd) Help() string {
	return `The portal answers the same at /wcpp/notices.txt.

Example:
  wcpp notices | less`
}

func (noticesCmd) Run(context.Context) error {
	notices, err := web.Dist.ReadFile("dist/notices.txt")
	if err != nil {
		return errors.New("this program was compiled without its application and notices; make build makes them first")
	}
	_, err = os.Stdout.Write(notices)
	return err
}
