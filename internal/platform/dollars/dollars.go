// Package dollars turns cents, as amounts are kept, into the decimal dollars in
// which the API tells them, and back.
package dollars

import "math"

// Of is an amount in dollars.
func Of(cents int64) float64 { return float64(cents) / 100 }

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
