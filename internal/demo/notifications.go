package demo

// Notification is a demo notification from the system administrator.
type Notification struct {
	Name        string
	Campaign    string
	RequestedBy string
	Page        string   // on the network's site, below /demo/page
	To          []string // usernames
	InDays      int      // days from today when it is sent; 0: now
	Unscheduled bool     // without a date
	Viewed      []string // usernames
}

// Notifications has some in each status, oldest first.
var Notifications = []Notification{
	{
		Name: "New workers' compensation fee schedules for Ohio", Campaign: "Fee schedules", RequestedBy: "Network Development",
		Page: "fee-schedules",
		To:   everyone, Viewed: []string{"prus.demo"},
	},
	{
		Name: "Support closes at 3pm Eastern on Friday", Campaign: "Office hours", RequestedBy: "Customer Service", Page: "office-hours",
		To: everyone,
	},
	{
		Name: "Please confirm your directory entry", Campaign: "Directory", RequestedBy: "Provider Relations", Page: "directory",
		To: []string{"prad.demo", "prus.demo"}, InDays: 7,
	},
	{
		Name: "Holiday hours", Campaign: "Office hours", RequestedBy: "Customer Service", Page: "office-hours",
		To: everyone, Unscheduled: true,
	},
	{Name: "New in the portal", RequestedBy: "Product Management", Unscheduled: true},
}

var everyone = []string{"prad.demo", "prus.demo", "nnus.demo", "road.demo", "rous.demo"}
