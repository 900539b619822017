// Package money converts between stored cents and the decimal dollars of the API.
package money

import (
	"fmt"
	"math"
	"strconv"
)

// Of returns an amount in dollars.
func Of(cents int64) float64 { return float64(cents) / 100 }

// Text returns an amount for tables: 1234.56.
func Text(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return sign + strconv.FormatInt(cents/100, 10) + fmt.Sprintf(".%02d", cents%100)
}

// TextOrNone returns an amount for tables, or an empty string if it is unknown.
func TextOrNone(cents *int64) string {
	if cents == nil {
		return ""
	}
	return Text(*cents)
}

// OrNone returns an amount in dollars, or nil if it is unknown.
func OrNone(cents *int64) *float64 {
	if cents == nil {
		return nil
	}
	d := Of(*cents)
	return &d
}

// Cents rounds an amount in dollars to cents, or returns nil if it is unknown.
func Cents(dollars *float64) *int64 {
	if dollars == nil {
		return nil
	}
	n := int64(math.Round(*dollars * 100))
	return &n
}
