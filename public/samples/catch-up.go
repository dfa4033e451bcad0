// Brings your books level with what happened at the gateway. Go 1.18 or newer.
// export BASE_URL=https://…/api/sandbox
// export MERCHANT_ID=mer_…
// Run: API_TOKEN=… go run catch-up.go
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

type Event struct {
	Type      string          `json:"type"`
	InvoiceID string          `json:"invoice_id"`
	RefundID  string          `json:"refund_id,omitempty"`
	Data      json.RawMessage `json:"data"`
}

type Books struct {
	Cursor   string           `json:"cursor"`
	Invoices map[string]Event `json:"invoices"`
	Refunds  map[string]Event `json:"refunds"`
}

// In place of your database, where the cursor stands beside the books.
const file = "books.json"

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func open() Books {
	books := Books{Invoices: map[string]Event{}, Refunds: map[string]Event{}}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return books
	}
	check(err)
	check(json.Unmarshal(text, &books))
	return books
}

func (books *Books) save() {
	text, err := json.MarshalIndent(books, "", "  ")
	check(err)
	check(os.WriteFile(file+".new", text, 0o600))
	check(os.Rename(file+".new", file))
}

func (books *Books) handle(event Event) string {
	entries, id := books.Invoices, event.InvoiceID
	if event.RefundID != "" {
		entries, id = books.Refunds, event.RefundID
	}
	isFirst := strings.HasSuffix(event.Type, ".created")
	// A callback may have told more already.
	if _, isKnown := entries[id]; !isFirst || !isKnown {
		entries[id] = event
	}
	return id
}

func readPage(cursor string) (events []Event, next string) {
	query := url.Values{"limit": {"1000"}}
	if cursor != "" {
		query.Set("after", cursor)
	}
	address := os.Getenv("BASE_URL") + "/event/list?" + query.Encode()
	request, err := http.NewRequest("GET", address, nil)
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_TOKEN"))
	request.Header.Set("X-Merchant", os.Getenv("MERCHANT_ID"))
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		log.Fatalf("%d: %s", response.StatusCode, text)
	}
	var answer struct {
		Data struct {
			Events     []Event `json:"events"`
			NextCursor string  `json:"next_cursor"`
		} `json:"data"`
	}
	check(json.Unmarshal(text, &answer))
	return answer.Data.Events, answer.Data.NextCursor
}

func main() {
	for _, name := range []string{"BASE_URL", "MERCHANT_ID", "API_TOKEN"} {
		if os.Getenv(name) == "" {
			log.Fatal(name + " is not set")
		}
	}
	books := open()
	for {
		events, next := readPage(books.Cursor)
		if len(events) == 0 {
			break
		}
		for _, event := range events {
			fmt.Println(event.Type, books.handle(event))
		}
		books.Cursor = next
		// The events and their cursor together: a run that dies loses neither.
		books.save()
	}
	fmt.Println("The books are level.")
}
