package feeds

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/spreadsheet"
)

// FeedShare is the number of good items out of those counted.
type FeedShare struct {
	Counted int64 `json:"counted"`
	Good    int64 `json:"good"`
}

// FeedQualityDay is a share on a day.
type FeedQualityDay struct {
	Day date.Date `json:"day"`
	FeedShare
}

// Schema explains the comparison.
func (Verdict) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("The last day compared with earlier days. It differs if the share changed by at least 1 percentage point and "+
		"by more than twice the expected random variation. NONE: no earlier data", Worse, Better, Alike, Unknown)
}

// FeedMeasure is the history of one data quality measure.
type FeedMeasure struct {
	Measure string           `json:"measure" doc:"Explained in the description of feedQuality"`
	Days    []FeedQualityDay `json:"days" nullable:"false" doc:"Days with data, oldest first"`
	Before  FeedShare        `json:"before" doc:"Share of the earlier days"`
	Week    FeedShare        `json:"week" doc:"Share of the last 7 days, including today"`
	All     FeedShare        `json:"all" doc:"Share of the last 90 days"`
	Verdict Verdict          `json:"verdict"`
}

// FeedQuality is the data quality over 90 days.
type FeedQuality struct {
	Measures  []FeedMeasure `json:"measures" nullable:"false"`
	From      date.Date     `json:"from"`
	To        date.Date     `json:"to" doc:"Today in the business's time zone"`
	CountedAt *time.Time    `json:"countedAt" nullable:"true" doc:"When the days were last totaled. Null if never"`
	Kinds     []string      `json:"kinds" nullable:"false" doc:"Kinds of files with measures"`
}

// FeedWorst are a day's files with the lowest shares of a measure.
type FeedWorst struct {
	Files []FeedFileShare `json:"files" nullable:"false" doc:"Lowest share first, up to 50"`
	Count int             `json:"count" doc:"Total for all files"`
}

// FeedFileShare is a file's share on a day.
type FeedFileShare struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Kind     string    `json:"kind"`
	SourceID int64     `json:"sourceId" doc:"0 if the source is unknown"`
	BeganAt  time.Time `json:"beganAt"`
	FeedShare
}

func toFeedMeasure(m Measure) FeedMeasure {
	out := FeedMeasure{
		Measure: m.What, Days: make([]FeedQualityDay, len(m.Days)), Before: FeedShare(m.Before), Week: FeedShare(m.Week),
		All: FeedShare(m.All), Verdict: m.Verdict,
	}
	for i, d := range m.Days {
		out.Days[i] = FeedQualityDay{d.Day, FeedShare(d.Share)}
	}
	return out
}

func toFeedFileShare(f ingest.FileMeasured) FeedFileShare {
	return FeedFileShare{ID: f.ID, Name: f.Name, Kind: f.Kind, SourceID: f.SourceID, BeganAt: f.BeganAt.Time,
		FeedShare: FeedShare{f.Counted, f.Good}}
}

// QualityQuery filters the files.
type QualityQuery struct {
	Kind     string `query:"kind" doc:"Kind of files. Empty for all"`
	SourceID int64  `query:"sourceId" doc:"0 for all sources"`
}

func (s *Service) registerQuality(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "feedQuality", Method: http.MethodGet, Path: "/desk/feeds/quality", Summary: "Get data quality by measure",
		Description: "Covers 90 days, as last totaled. Ignores records that were rejected or already known. CLAIM_NUMBER, " +
			"RECEIVED, LINES and NPI count bills that have it, MATCHED payments with a bill on file when they arrived, " +
			"BALANCED payment transaction sets that balance, and EXPLAINED codes with an explanation.",
		Access: "feeds.watch", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *QualityQuery) (*struct{ Body FeedQuality }, error) {
		list, at, err := s.Quality(ctx, Filter(*in))
		today := date.Of(s.now())
		out := FeedQuality{Measures: make([]FeedMeasure, len(list)), From: today.AddDays(1 - qualityDays), To: today,
			CountedAt: at.OrNone(), Kinds: s.importer.MeasuredKinds()}
		for i, m := range list {
			out.Measures[i] = toFeedMeasure(m)
		}
		return &struct{ Body FeedQuality }{out}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "feedQualityFiles", Method: http.MethodGet, Path: "/desk/feeds/quality/files",
		Summary: "List the files of a day with the lowest share of a measure",
		Access:  "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		QualityQuery
		Measure string `query:"measure"`
		Day     string `query:"day" doc:"YYYY-MM-DD"`
	}) (*struct{ Body FeedWorst }, error) {
		day, err := date.Parse(in.Day)
		if err != nil {
			day = ""
		}
		list, count, err := s.ListWorst(ctx, in.Measure, day, Filter(in.QualityQuery))
		out := FeedWorst{Files: make([]FeedFileShare, len(list)), Count: count}
		for i, f := range list {
			out.Files[i] = toFeedFileShare(f)
		}
		return &struct{ Body FeedWorst }{out}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "feedQualityDays", Method: http.MethodGet, Path: "/desk/feeds/quality/days", Summary: "Export the shares of 90 days as CSV",
		Description: "One line per day and measure with data.",
		Access:      "feeds.watch", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, in *QualityQuery) (*huma.StreamResponse, error) {
		list, _, err := s.Quality(ctx, Filter(*in))
		var table bytes.Buffer
		if err = errors.Join(err, writeDays(&table, list)); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "Quality by day.csv", ContentType: spreadsheet.CSV.ContentType()}.SendBytes(table.Bytes()), nil
	})
}

// writeDays writes the measures of each day, in order.
func writeDays(out io.Writer, list []Measure) error {
	type line struct {
		what string
		QualityDay
	}
	var lines []line
	for _, m := range list {
		for _, d := range m.Days {
			lines = append(lines, line{m.What, d})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return strings.Compare(string(a.Day), string(b.Day)) })
	w := csvio.NewWriter(out)
	err := w.Write([]string{"day", "measure", "counted", "good", "percent"})
	for _, l := range lines {
		percent := strconv.FormatFloat(100*float64(l.Good)/float64(l.Counted), 'f', 1, 64)
		err = errors.Join(err, w.Write([]string{string(l.Day), l.what, strconv.FormatInt(l.Counted, 10), strconv.FormatInt(l.Good, 10),
			percent}))
	}
	return errors.Join(err, w.Flush())
}
