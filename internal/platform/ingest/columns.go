package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
)

// The functions in this file return column setters.

// Text accepts text of up to longest characters.
func Text[T any, S ~string](field func(*T) *S, longest int) func(*T, string) error {
	return func(row *T, value string) error {
		if utf8.RuneCountInString(value) > longest {
			return fmt.Errorf("has more than %d characters", longest)
		}
		*field(row) = S(value)
		return nil
	}
}

// Date accepts a date in the form YYYY-MM-DD or MM/DD/YYYY, with or without a time.
func Date[T any](field func(*T) *date.Date) func(*T, string) error {
	return func(row *T, value string) (err error) {
		if *field(row), err = date.ParseTyped(value); err != nil {
			return errors.New("must be a date (YYYY-MM-DD or MM/DD/YYYY)")
		}
		if *field(row) < date.Earliest {
			return date.ErrTooEarly
		}
		return nil
	}
}

// Money accepts an amount of zero or more and stores cents.
func Money[T any](field func(*T) *int64) func(*T, string) error {
	return func(row *T, value string) (err error) {
		if *field(row), err = parseTypedCents(value); err == nil && *field(row) < 0 {
			err = errors.New("must be 0 or more")
		}
		return err
	}
}

// OptionalMoney accepts an amount of zero or more and stores cents, or nil if it is empty.
func OptionalMoney[T any](field func(*T) **int64) func(*T, string) error {
	return func(row *T, value string) error {
		amount := new(int64)
		*field(row) = amount
		return Money(func(*T) *int64 { return amount })(row, value)
	}
}

// Number accepts a number of 1 or more.
func Number[T any, N int | int64](field func(*T) *N) func(*T, string) error {
	return func(row *T, value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 || n > 99999999999 {
			return errors.New("must be a number between 1 and 99999999999")
		}
		*field(row) = N(n)
		return nil
	}
}

// Flag accepts Y or N.
func Flag[T any](field func(*T) *bool) func(*T, string) error {
	return func(row *T, value string) error {
		switch strings.ToUpper(value) {
		case "Y":
			*field(row) = true
		case "N":
			*field(row) = false
		default:
			return errors.New("must be Y or N")
		}
		return nil
	}
}

// TIN accepts a tax ID with or without hyphens and stores nine digits.
func TIN[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		tin, ok := ParseTaxID(value)
		if !ok {
			return errors.New("must be a 9-digit tax ID")
		}
		*field(row) = tin
		return nil
	}
}

// warning is a problem that doesn't reject the row.
type warning string

func (w warning) Error() string { return string(w) }

// NPI accepts a National Provider Identifier. A wrong check digit only causes a warning.
func NPI[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		if len(value) > 80 {
			return errors.New("has more than 80 characters")
		}
		*field(row) = value
		if !identifiers.IsNPI(value) {
			return warning("has an invalid NPI check digit")
		}
		return nil
	}
}

// OneOf accepts a code from a list, in any case.
func OneOf[T any, S ~string](field func(*T) *S, codes ...string) func(*T, string) error {
	return func(row *T, value string) error {
		code := strings.ToUpper(value)
		if !slices.Contains(codes, code) {
			return fmt.Errorf("must be one of %s", strings.Join(codes, ", "))
		}
		*field(row) = S(code)
		return nil
	}
}

// Phone accepts a phone number and stores its digits.
func Phone[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		number := strings.NewReplacer("(", "", ")", "", "-", "", " ", "", ".", "").Replace(value)
		if len(number) < 10 || len(number) > 15 || !isDigits(number) {
			return errors.New("must be a phone number of 10 to 15 digits")
		}
		*field(row) = number
		return nil
	}
}

// Digits accepts a number of up to most digits, as text.
func Digits[T any](field func(*T) *string, most int) func(*T, string) error {
	return func(row *T, value string) error {
		if len(value) > most || !isDigits(value) {
			return fmt.Errorf("must be a number of up to %d digits", most)
		}
		*field(row) = value
		return nil
	}
}

// ZIP accepts a ZIP code of 5 or 9 digits, with or without a hyphen.
func ZIP[T any](field func(*T) *string) func(*T, string) error {
	return func(row *T, value string) error {
		value = strings.ReplaceAll(value, "-", "")
		if len(value) != 5 && len(value) != 9 || !isDigits(value) {
			return errors.New("must be a ZIP code of 5 or 9 digits")
		}
		*field(row) = value
		return nil
	}
}

// CheckPeriod requires that a row's end_date isn't before its effective_date.
func CheckPeriod(begin, end date.Date) error {
	if end != "" && end < begin {
		return errors.New("end_date is before effective_date")
	}
	return nil
}
