// Package money turns cents, as amounts are kept, into the decimal dollars in
// which the API tells them, and back.
package money

import (
	"fmt"
	"math"
	"strconv"
)

// Of is an amount in dollars.
func Of(cents int64) float64 { return float64(cents) / 100 }

// Text is an amount as tables have it: 1234.56.
func Text(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return sign + strconv.FormatInt(cents/100, 10) + fmt.Sprintf(".%02d", cents%100)
}

// TextOrNone is one that may be unknown: the empty text.
func TextOrNone(cents *int64) string {
	if cents == nil {
		return ""
	}
	return Text(*cents)
}

// OrNone is an amount that may be unknown: nil.
func OrNone(cents *int64) *float64 {
	if cents == nil {
		return nil
	}
	d := Of(*cents)
	return &d
}

// Cents are those of an amount that may be unknown, to the nearest one.
func Cents(dollars *float64) *int64 {
	if dollars == nil {
		return nil
	}
	n := int64(math.Round(*dollars * 100))
	return &n
}
