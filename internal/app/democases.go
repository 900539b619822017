package app

import (
	"context"
	"fmt"
	"time"

	"wcpp/internal/bills/cases"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/demo"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
)

// fillQuestions makes offices ask questions, and staff answer them, in the past weeks.
func (a *App) fillQuestions(ctx context.Context, today date.Date) error {
	if !a.Config.Access.Offers("cases.own") {
		return nil
	}
	zone, err := a.Config.Notifications.Zone()
	if err != nil {
		return err
	}
	staff, err := a.loadActor(ctx, "isad.demo")
	if err != nil {
		return err
	}
	offices := map[string]*askingOffice{}
	for _, q := range demo.Questions(today, zone) {
		if offices[q.By] == nil {
			actor, err := a.loadActor(ctx, q.By)
			if err != nil {
				return err
			}
			offices[q.By] = &askingOffice{a, actor, today, map[string][]openbills.Listed{}}
		}
		if err := offices[q.By].ask(ctx, q, staff); err != nil {
			return fmt.Errorf("%s: %w", q.Key, err)
		}
	}
	return nil
}

// askingOffice is a user who asks questions about their open bills.
type askingOffice struct {
	app   *App
	actor access.Actor
	today date.Date
	bills map[string][]openbills.Listed // by state
}

// ask asks a question and makes happen what followed. A repeated start skips it.
func (o *askingOffice) ask(ctx context.Context, q demo.Question, staff access.Actor) error {
	asked := cases.Question{RequestKey: q.Key, Topic: q.Topic, Body: q.Body}
	if q.BillState != "" {
		list, known := o.bills[q.BillState]
		if !known {
			var err error
			if list, _, err = o.app.OpenBills.Page(ctx, o.actor, openbills.Filter{States: []string{q.BillState}}, openbills.Place{}, 0,
				50); err != nil {
				return err
			}
			o.bills[q.BillState] = list
		}
		if q.BillAt >= len(list) {
			return nil // too few bills
		}
		asked.Pages = []string{list[q.BillAt].Page}
	}
	c, err := o.app.Cases.At(q.At).Submit(ctx, o.actor, asked)
	if err != nil || c.Version > 1 {
		return err
	}
	for _, s := range q.Steps {
		if date.Of(s.At) >= o.today {
			return nil
		}
		if c, err = o.take(ctx, c, s, staff); err != nil {
			return fmt.Errorf("%s: %w", s.Kind, err)
		}
	}
	return nil
}

func (o *askingOffice) take(ctx context.Context, c cases.Case, s demo.QuestionStep, staff access.Actor) (cases.Case, error) {
	at, seen := o.app.Cases.At(s.At), cases.Seen{Number: c.Number, Version: c.Version}
	w := cases.Written{RequestKey: c.Number + s.At.Format(time.RFC3339), Body: s.Body}
	switch s.Kind {
	case "take":
		return at.Assign(ctx, seen, staff.Person.ID)
	case "ask":
		return at.AskOffice(ctx, staff, seen, w)
	case "answer":
		return at.AnswerCase(ctx, staff, seen, w)
	case "reply":
		return at.Reply(ctx, o.actor, c.Number, w)
	case "yes":
		return at.Helped(ctx, o.actor, seen)
	case "withdraw":
		return at.Withdraw(ctx, o.actor, seen)
	}
	return c, fmt.Errorf("unknown step %s", s.Kind)
}
