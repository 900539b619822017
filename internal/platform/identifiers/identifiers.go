// Package identifiers checks external identifiers: National Provider Identifiers and state
// codes.
package identifiers

import (
	"slices"
	"strings"
)

// IsNPI reports whether a National Provider Identifier has ten digits and passes the Luhn
// check of ISO 7812 with the prefix 80840.
func IsNPI(npi string) bool {
	if len(npi) != 10 || strings.Trim(npi, "0123456789") != "" {
		return false
	}
	sum := 24 // checksum of the prefix 80840
	for i := range 10 {
		d := int(npi[i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// States are the postal codes of states, territories, and the District of Columbia.
var States = strings.Fields(`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV
	NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI`)

// stateNames has the same order as States.
var stateNames = strings.Split("Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|District of "+
	"Columbia|Florida|Georgia|"+
	"Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|"+
	"Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|"+
	"North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|"+
	"Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|American Samoa|Guam|"+
	"Northern Mariana Islands|Puerto Rico|U.S. Virgin Islands", "|")

// StateName returns the name of a state by its code, or s itself if it isn't a state code.
func StateName(code string) string {
	if i := slices.Index(States, code); i >= 0 {
		return stateNames[i]
	}
	return code
}

// IsState reports whether the text is a state code.
func IsState(s string) bool { return slices.Contains(States, s) }
