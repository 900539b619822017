package demo

import (
	"fmt"
	"slices"
	"time"

	"wcpp/internal/platform/date"
)

// Question is a demo office's question to the network, with what happened to it.
type Question struct {
	Key, By   string // unique key, and username
	Topic     string
	BillState string // of its bill in the office's list of open bills; empty: no bill
	BillAt    int    // position in that list
	Body      string
	At        time.Time
	Steps     []QuestionStep
}

// QuestionStep is what happened to a question at a time.
type QuestionStep struct {
	Kind string // take, ask, answer, reply, yes or withdraw
	Body string
	At   time.Time
}

// asked are the topics that offices ask about, each with an answer.
var asked = []struct{ topic, billState, question, answer string }{
	{"PRICE", "priced", "The allowance is below our contract rate. Which fee schedule did you use?",
		"The bill was priced under the state fee schedule, which is below your contract rate.\n\n" +
			"See the pricing sheet on the bill's page."},
	{"STATUS", "received", "We sent this bill three weeks ago. When will it be priced?",
		"It's waiting for the operative report. Send it, and we'll price the bill within two business days."},
	{"PAYMENT", "short", "The payer paid less than your allowance. Whom do we contact?",
		"The payer made this decision. Call its claims line, and have the pricing sheet at hand."},
	{"DENIAL", "denied", "The denial says that no authorization is on file, but we sent it with the bill.",
		"We received the authorization and sent it to the payer again. It takes about ten days."},
	{"DIRECTORY", "", "Dr. Okafor moved to our second office. Please update the directory.",
		"The directory has the new address now."},
	{"ACCOUNT", "", "We added a Tax ID last week. When can we see its bills?",
		"The Tax ID is active. You'll see its bills after you sign in again."},
	{"OTHER", "", "Do you accept corrected bills by fax?", "No. Send them as an 837 with frequency code 7."},
}

// courses are what happens to questions, and how many business days ago they were asked.
var courses = []struct {
	days  int
	steps []QuestionStep // At is the time after the question, in hours
}{
	{1, nil},
	{7, nil}, // overdue
	{12, steps("take 2", "answer 20", "yes 30")},
	{6, steps("answer 26")},
	{4, steps("take 3", "ask 5")},
	{9, steps("answer 4", "reply 50", "take 52")}, // overdue again
	{16, steps("take 1", "answer 7", "yes 9")},
	{3, steps("withdraw 2")},
	{2, steps("take 4")},
	{18, steps("answer 25", "reply 30", "answer 49", "yes 55")},
	{5, steps("take 2", "ask 6", "reply 24", "answer 27")},
	{14, steps("take 20", "answer 45", "yes 52")},
}

// steps parses steps such as "answer 26".
func steps(list ...string) []QuestionStep {
	parsed := make([]QuestionStep, len(list))
	for i, s := range list {
		var hours int
		if _, err := fmt.Sscanf(s, "%s %d", &parsed[i].Kind, &hours); err != nil {
			panic(err)
		}
		parsed[i].At = time.Time{}.Add(time.Duration(hours) * time.Hour)
	}
	return parsed
}

// questionCount is how many questions offices ask.
const questionCount = 60

// Questions returns the questions of the demo accounts in the weeks before a day, oldest first.
func Questions(today date.Date, zone *time.Location) []Question {
	list := make([]Question, questionCount)
	for n := range list {
		about, course := asked[n%len(asked)], courses[n%len(courses)]
		at := businessDay(today, course.days+n/len(courses)%3, 9+n%8, zone)
		q := Question{Key: fmt.Sprintf("demo-%d", n), By: []string{"prad.demo", "prus.demo", "prad.demo", "nnus.demo"}[n%4],
			Topic: about.topic, BillState: about.billState, BillAt: n / len(asked), Body: about.question, At: at}
		for _, s := range course.steps {
			s.At = at.Add(s.At.Sub(time.Time{}))
			switch s.Kind {
			case "answer":
				s.Body = about.answer
			case "ask":
				s.Body = "Which date of service do you mean?"
			case "reply":
				s.Body = "Thank you. One more thing: does this apply to our other office too?"
			}
			q.Steps = append(q.Steps, s)
		}
		list[n] = q
	}
	slices.SortStableFunc(list, func(a, b Question) int { return a.At.Compare(b.At) })
	return list
}

// businessDay returns an hour of the weekday that is some weekdays before a day.
func businessDay(today date.Date, before, hour int, zone *time.Location) time.Time {
	t := today.Time()
	for before > 0 {
		if t = t.AddDate(0, 0, -1); t.Weekday() != time.Saturday && t.Weekday() != time.Sunday {
			before--
		}
	}
	return time.Date(t.Year(), t.Month(), t.Day(), hour, 17, 0, 0, zone)
}
