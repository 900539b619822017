package demo

import "strings"

var (
	femaleNames = strings.Fields(`Abigail Adriana Alice Amara Angela Beatrice Brenda Camila Carmen Celeste Chloe Clara Daniela Denise
		Diana Elena Elise Emma Fatima Gloria Grace Hannah Helen Imani Irene Isabel Jasmine Joanna Julia Karen Leah Lena Linda Lucia
		Maria Marisol Mei Miriam Monica Nadia Naomi Nina Olivia Patricia Priya Rachel Renee Rosa Ruth Sandra Sofia Tamara Teresa
		Valerie Vera Wendy Yolanda Zoe`)
	maleNames = strings.Fields(`Aaron Adam Ahmed Alan Andre Anthony Arjun Benjamin Brian Carl Carlos Cedric Charles Daniel Darius
		David Dennis Diego Edward Eli Emil Ethan Felix Frank Gabriel George Gregory Hassan Henry Hugo Ivan Jamal James Javier Joel
		John Jorge Julian Kenneth Kevin Leon Liam Louis Luis Marcus Martin Mateo Michael Nathan Omar Oscar Paul Peter Rafael
		Raymond Robert Samuel Simon Steven Terrence Thomas Victor Walter Wei William`)
	lastNames = strings.Fields(`Abbott Acosta Adkins Aguilar Alvarez Andersen Archer Ballard Banerjee Barnett Becker Bell Bennett
		Blake Bowman Brandt Brooks Bryant Burke Calderon Campos Carver Castillo Chandler Chen Choi Clarke Cole Contreras Cooper
		Cruz Dalton Davies Delgado Diaz Doyle Duarte Dunn Eaton Ellis Engel Escobar Farrell Fischer Fleming Flores Foster Franco
		Fuentes Gaines Gallagher Garza Gibson Goldberg Gomez Grant Greene Guerrero Haddad Hale Hansen Harper Hayes Hendricks
		Herrera Hoffman Holland Howard Hughes Ibarra Ibrahim Ingram Jacobs Jenkins Jensen Joshi Kaplan Keller Khan Kim Klein
		Kowalski Lambert Larsen Lawson Leonard Lopez Lowe Lucas Maldonado Mason Mcbride Mejia Mendoza Mercer Meyer Miles Molina
		Montgomery Morales Moreno Moss Navarro Newman Nguyen Nolan Novak Obrien Ochoa Olsen Ortega Osborne Pacheco Padilla Park
		Patel Payne Perez Petersen Pham Pierce Porter Quinn Ramirez Reyes Rhodes Rios Robbins Rojas Romero Rossi Rowe Salazar
		Sanders Santos Schmidt Schultz Serrano Sharma Shaw Silva Simmons Snyder Solis Soto Stanton Steele Stone Suarez Sullivan
		Tanner Tate Torres Tran Underwood Valdez Vance Vargas Vega Villa Wagner Walsh Warren Watkins Weaver Weber Welch Whitaker
		Winters Wolfe Wong Woods Yates Young Zamora Zhang Zimmerman`)
	streets = strings.Fields(`Aspen Birch Canal Cedar Cherry Chestnut Church College Division Elm Fairview Franklin Garfield Grove
		Harbor Highland Jefferson Lake Laurel Lincoln Main Maple Meadow Mill Monroe Oak Orchard Park Pine Prospect Ridge River
		School Spring Summit Union Valley Walnut Washington Willow`)
	streetKinds = []string{"St", "Ave", "Rd", "Dr", "Blvd"}
)

// place is a town where practices and claimants are located.
type place struct{ city, state, zip, areaCode string }

var places = map[string][]place{
	"OH": {{"Cleveland", "OH", "44114", "216"}, {"Akron", "OH", "44308", "330"}, {"Toledo", "OH", "43604", "419"},
		{"Lakewood", "OH", "44107", "216"}},
	"PA": {{"Erie", "PA", "16501", "814"}, {"Pittsburgh", "PA", "15222", "412"}, {"Meadville", "PA", "16335", "814"}},
	"NY": {{"Buffalo", "NY", "14202", "716"}, {"Rochester", "NY", "14604", "585"}, {"Jamestown", "NY", "14701", "716"}},
	"CA": {{"Sacramento", "CA", "95814", "916"}, {"Fresno", "CA", "93721", "559"}, {"Stockton", "CA", "95202", "209"}},
	"TX": {{"Austin", "TX", "78701", "512"}, {"Waco", "TX", "76701", "254"}, {"San Antonio", "TX", "78205", "210"}},
	"FL": {{"Tampa", "FL", "33602", "813"}, {"Orlando", "FL", "32801", "407"}, {"Ocala", "FL", "34471", "352"}},
	"IL": {{"Peoria", "IL", "61602", "309"}, {"Rockford", "IL", "61101", "815"}, {"Joliet", "IL", "60432", "815"}},
	"GA": {{"Macon", "GA", "31201", "478"}, {"Savannah", "GA", "31401", "912"}, {"Athens", "GA", "30601", "706"}},
}

// payer is a fictitious insurer. Auto insurers pay for traffic accidents.
type payer struct {
	name, id string
	auto     bool
}

var payers = []payer{
	{"Stonebridge Mutual Insurance", "SBM01", false}, {"Great Harbor Casualty", "GHC02", false},
	{"Pioneer Employers Insurance", "PEI03", false}, {"Keystone Workers Fund", "KWF04", false},
	{"Northfield Indemnity", "NFI05", false}, {"Summit Ridge Casualty", "SRC06", false},
	{"Clearwater Auto Insurance", "CAI07", true}, {"Beacon Road Insurance", "BRI08", true},
}

var employers = []string{
	"Blue Heron Logistics", "Cobalt Steel Fabrication", "Daybreak Bakeries", "Eastgate School District", "Fernwood Senior Living",
	"Granite Peak Construction", "Harvest Table Foods", "Ironwood Furniture", "Juniper Retail Group", "Kestrel Air Services",
	"Lakeshore Transit Authority", "Millbrook Paper", "Northwind Packaging", "Orchard Valley Produce", "Prairie Wind Energy",
	"Quarry Street Hotels", "Redstone Plumbing", "Silverline Warehousing", "Tidewater Shipbuilding", "Union Square Hospitality",
}
