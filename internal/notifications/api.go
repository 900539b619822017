package notifications

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/validate"
)

// NotificationRow is a notification as administrators see it.
type NotificationRow struct {
	WcpNotificationID int64     `json:"wcp_notification_id"`
	Name              string    `json:"name"`
	SendDt            date.Date `json:"sendDt" format:"date" nullable:"true" doc:"Sent at 8:00 AM on this day"`
	Status            Status    `json:"status" enum:"DRAFT,READY,SCHEDULED,SENT"`
	SendEmail         string    `json:"sendEmail" enum:"NO"`
	Campaign          string    `json:"campaign"`
	RequestedBy       string    `json:"requestedBy"`
	CreateDt          string    `json:"createDt" format:"date-time"`
	LastUpdate        string    `json:"lastUpdate" format:"date-time"`
	LastUpdateBy      string    `json:"lastUpdateBy" doc:"Username; system if it was sent"`
	UserNotList       string    `json:"userNotList" doc:"Recipient user IDs, separated by commas"`
	Link              string    `json:"link"`
}

func toRow(n Notification) NotificationRow {
	return NotificationRow{
		WcpNotificationID: n.ID, Name: n.Name, SendDt: n.SendDate, Status: n.Status, SendEmail: "NO", Campaign: n.Campaign,
		RequestedBy: n.RequestedBy, CreateDt: formatInstant(n.CreatedAt), LastUpdate: formatInstant(n.UpdatedAt), LastUpdateBy: n.UpdatedBy,
		UserNotList: n.Recipients, Link: n.Link,
	}
}

const instantLayout = "2006-01-02T15:04:05.000000Z"

func formatInstant(i db.Instant) string { return i.Format(instantLayout) }

// NotificationChange is a notification to save. Other fields from the screen are ignored,
// because the server derives the status.
type NotificationChange struct {
	Name        string    `json:"name,omitempty" doc:"Up to 64 characters; without it, the notification stays a draft"`
	SendDt      date.Date `json:"sendDt,omitempty" nullable:"true" doc:"YYYY-MM-DD or a timestamp, for its date; can't be in the past"`
	Campaign    string    `json:"campaign,omitempty" doc:"Up to 64 characters"`
	RequestedBy string    `json:"requestedBy,omitempty" doc:"Up to 22 characters"`
	UserNotList string    `json:"userNotList,omitempty" doc:"User IDs, separated by commas"`
	Link        string    `json:"link,omitempty" doc:"http or https"`
}

func (c NotificationChange) notification() Notification {
	return Notification{Name: c.Name, SendDate: c.SendDt, Campaign: c.Campaign, RequestedBy: c.RequestedBy, Recipients: c.UserNotList,
		Link: c.Link}
}

// revision returns a change of an existing notification, with the version that was read.
func (c NotificationChange) revision(id int64, lastUpdate string) (Notification, error) {
	n := c.notification()
	n.ID = id
	if err := n.UpdatedAt.Scan(lastUpdate); lastUpdate != "" && err != nil {
		return n, problem.WithMessage(problem.Invalid, "lastUpdate must be a timestamp.")
	}
	return n, nil
}

// NotificationRevision is a change of an existing notification.
type NotificationRevision struct {
	NotificationChange
	WcpNotificationID int64  `json:"wcp_notification_id"`
	Status            Status `json:"status,omitempty" doc:"READY without a date unpublishes a sent notification; otherwise ignored"`
	LastUpdate        string `json:"lastUpdate,omitempty" format:"date-time" doc:"Version from the last read; rejected if outdated"`
}

// Announcement is a notification to save, for an audience or for individually selected
// recipients.
type Announcement struct {
	NotificationChange
	WcpNotificationID int64     `json:"wcp_notification_id,omitempty" doc:"Missing for a new one"`
	LastUpdate        string    `json:"lastUpdate,omitempty" format:"date-time" doc:"Version from the last read; rejected if outdated"`
	Audience          *Audience `json:"audience,omitempty" doc:"Audience, resolved when sent; if missing, userNotList has the recipients"`
}

// AnnouncementRow contains what the list of notifications omits: the audience, and the number of
// recipients of a sent notification.
type AnnouncementRow struct {
	WcpNotificationID int64     `json:"wcp_notification_id"`
	Audience          *Audience `json:"audience,omitempty" doc:"Missing if recipients were selected individually"`
	SentTo            *int64    `json:"sentTo" nullable:"true" doc:"Number of recipients, after it's sent"`
}

func toAnnouncementRow(a Announced) (AnnouncementRow, error) {
	row := AnnouncementRow{WcpNotificationID: a.ID, SentTo: a.SentTo}
	if a.Audience == "" {
		return row, nil
	}
	audience, err := parseAudience(a.Audience)
	row.Audience = &audience
	return row, err
}

// AudienceCount is the current size of an audience.
type AudienceCount struct {
	Count    int64 `json:"count" doc:"Users who match now"`
	Excluded int64 `json:"excluded" doc:"Users who match but are excluded"`
}

// UserNotification is a notification in the bell menu.
type UserNotification struct {
	WcpNotificationID     int64  `json:"wcp_notification_id"`
	Name                  string `json:"name"`
	NotificationLink      string `json:"notification_link"`
	NotificationUserDwnld string `json:"notification_user_dwnld" enum:"Y,N" doc:"Y once viewed"`
}

func toUserNotification(c Copy) UserNotification {
	n := UserNotification{WcpNotificationID: c.NotificationID, Name: c.Name, NotificationLink: c.Link, NotificationUserDwnld: "N"}
	if !c.ViewedAt.IsZero() {
		n.NotificationUserDwnld = "Y"
	}
	return n
}

// maxBody allows a notification that names every user.
const maxBody = 4 << 20

type saved struct{ Body NotificationRow }

// wireNames are the names that the screens use for the fields of a notification.
var wireNames = validate.Names{"requested_by": "requestedBy", "send_date": "sendDt", fieldRecipients: "userNotList",
	"types": "audience.types", "statuses": "audience.statuses", "groups": "audience.groups", "tins": "audience.tins",
	"states": "audience.states", "excluded": "audience.excluded"}

func newSaved(n Notification, err error) (*saved, error) {
	return &saved{toRow(n)}, wireNames.Wire(err)
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.For(s.settings.NotificationKeepDays, "WCPP_NOTIFICATION_KEEP_DAYS", "Sent notifications", "notifications",
			"notification_recipients",
			"user_notifications"),
	}}
}

// Register adds the notification endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerAdministration(api)
	s.registerAnnouncements(api)
	s.registerOwn(api)
}

// registerAdministration adds the endpoints for authors of notifications.
func (s *Service) registerAdministration(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "notifications", Method: http.MethodGet, Path: "/notifications/list", Summary: "List all notifications, newest first",
		Description: "Up to 1,000. X-Limited-To is set if there are more.",
		Access:      "notifications.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.LimitedList[NotificationRow], error) {
		list, err := s.List(ctx)
		return httpapi.NewLimitedList(maxListed, list, toRow), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "createNotification", Method: http.MethodPut, Path: "/notifications/create", Summary: "Create a notification",
		Description: "Returns it as stored. An identical one within a minute is the same notification. A complete one dated today is " +
			"sent at 8:00 AM, or right away after that.",
		Access: "notifications.manage", Effect: httpapi.Write, MaxBytes: maxBody,
	}, func(ctx context.Context, in *struct{ Body NotificationChange }) (*saved, error) {
		return newSaved(s.Create(ctx, access.From(ctx), in.Body.notification()))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "updateNotification", Method: http.MethodPut, Path: "/notifications/update",
		Summary:     "Update a notification, or unpublish a sent one",
		Description: "Returns it as stored. Returns 409 for a sent notification, unless it's unpublished.",
		Access:      "notifications.manage", Effect: httpapi.Write, MaxBytes: maxBody,
	}, func(ctx context.Context, in *struct{ Body NotificationRevision }) (*saved, error) {
		n, err := in.Body.revision(in.Body.WcpNotificationID, in.Body.LastUpdate)
		if err != nil {
			return nil, err
		}
		return newSaved(s.Update(ctx, access.From(ctx), n, in.Body.Status))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deleteNotification", Method: http.MethodDelete, Path: "/notifications/delete/{id}", Summary: "Delete an unsent notification",
		Access: "notifications.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *identified) (*struct{}, error) {
		return nil, s.Delete(ctx, access.From(ctx), in.ID)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "recallNotification", Method: http.MethodDelete, Path: "/notifications/deleteUser/{id}",
		Summary:     "Withdraw a notification from its recipients",
		Description: "Unpublishes a sent notification. Safe to repeat.",
		Access:      "notifications.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *identified) (*struct{}, error) {
		return nil, s.Recall(ctx, access.From(ctx), in.ID)
	})
}

// registerAnnouncements adds the endpoints for notifications to an audience.
func (s *Service) registerAnnouncements(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "announcements", Method: http.MethodGet, Path: "/notifications/announcements",
		Summary: "List notification audiences and recipient counts, newest first, up to 1,000",
		Access:  "announcements.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[AnnouncementRow], error) {
		list, err := s.ListAnnouncements(ctx)
		out := &httpapi.List[AnnouncementRow]{Body: make([]AnnouncementRow, len(list))}
		for i, a := range list {
			if out.Body[i], err = toAnnouncementRow(a); err != nil {
				return nil, err
			}
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "countAudience", Method: http.MethodPost, Path: "/notifications/audience", Summary: "Count current recipients",
		Description: "Returns 400 for unknown groups, TINs and users.",
		Access:      "announcements.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body Audience }) (*struct{ Body AudienceCount }, error) {
		meant, err := s.Count(ctx, in.Body)
		return &struct{ Body AudienceCount }{AudienceCount(meant)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "announce", Method: http.MethodPut, Path: "/notifications/announcement",
		Summary:     "Create or update a notification for an audience or selected recipients",
		Description: "Returns it as stored. Recipients are resolved when it's sent. Returns 409 for a sent notification.",
		Access:      "announcements.manage", Effect: httpapi.Write, MaxBytes: maxBody,
	}, func(ctx context.Context, in *struct{ Body Announcement }) (*saved, error) {
		n, err := in.Body.revision(in.Body.WcpNotificationID, in.Body.LastUpdate)
		if err != nil {
			return nil, err
		}
		return newSaved(s.Announce(ctx, access.From(ctx), n, in.Body.Audience))
	})
}

// registerOwn adds the endpoints of the bell menu.
func (s *Service) registerOwn(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userNotifications", Method: http.MethodGet, Path: "/notifications/user/{userId}",
		Summary:     "List your notifications, newest first",
		Description: "Up to 500. X-Limited-To is set if there are more.",
		Access:      "notifications.own", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *OwnInput) (*httpapi.LimitedList[UserNotification], error) {
		if err := in.check(ctx); err != nil {
			return nil, err
		}
		list, err := s.ListForUser(ctx, in.UserID)
		return httpapi.NewLimitedList(maxCopies, list, toUserNotification), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "viewNotification", Method: http.MethodPatch, Path: "/notifications/viewed/{userId}",
		Summary: "Mark one or all of your notifications as viewed",
		Access:  "notifications.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		OwnInput
		Body *struct {
			WcpNotificationID int64 `json:"wcp_notification_id,omitempty" minimum:"1" doc:"All if missing"`
		} `required:"false"`
	}) (*struct{}, error) {
		if err := in.check(ctx); err != nil {
			return nil, err
		}
		var id int64
		if in.Body != nil {
			id = in.Body.WcpNotificationID
		}
		return nil, s.MarkViewed(ctx, access.From(ctx), id)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "notificationEvents", Method: http.MethodGet, Path: "/notifications/events/{userId}",
		Summary: "Subscribe to changes in the notification menu",
		Description: "A stream of events (text/event-stream): 'changed' at its start, and whenever notifications or fee schedules of " +
			"the acting user changed. It ends after five minutes, for the reader to come back.",
		Access: "notifications.own", Effect: httpapi.Read, Stream: true, Background: true,
	}, func(ctx context.Context, in *OwnInput) (*huma.StreamResponse, error) {
		if err := in.check(ctx); err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) { s.stream(hc, in.UserID) }}, nil
	})
}

type identified struct {
	ID int64 `path:"id"`
}

// OwnInput is exported because Huma fills embedded fields only of exported types.
type OwnInput struct {
	UserID int64 `path:"userId" doc:"Must be the acting user"`
}

func (o OwnInput) check(ctx context.Context) error {
	if o.UserID != access.From(ctx).Acting().ID {
		return access.RefuseID(o.UserID)
	}
	return nil
}
