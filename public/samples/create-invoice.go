// Creates an invoice. Go 1.18 or newer.
// export BASE_URL=https://…/api/sandbox
// export MERCHANT_ID=mer_…
// Run: API_TOKEN=… go run create-invoice.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	for _, name := range []string{"BASE_URL", "MERCHANT_ID", "API_TOKEN"} {
		if os.Getenv(name) == "" {
			log.Fatal(name + " is not set")
		}
	}
	order := fmt.Sprintf("order-%d", time.Now().UnixNano())
	body, err := json.Marshal(map[string]any{
		"merchant_transaction_id": order,
		"amount":                  1500, // 15.00 USD
		"currency":                "USD",
		"description":             "Two bags of coffee",
		"end_date":                time.Now().Add(time.Hour).UnixMilli(),
		"positions": []map[string]any{
			{"title": "Coffee beans, 1 kg", "amount": 1500, "currency": "USD"},
		},
		"success_url":  "https://shop.example/thanks",
		"error_url":    "https://shop.example/cart",
		"callback_url": "https://shop.example/callback",
	})
	if err != nil {
		log.Fatal(err)
	}
	address := os.Getenv("BASE_URL") + "/invoice/create"
	request, err := http.NewRequest("POST", address, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_TOKEN"))
	request.Header.Set("X-Merchant", os.Getenv("MERCHANT_ID"))
	request.Header.Set("Content-Type", "application/json")
	// After a lost answer, send the same again.
	request.Header.Set("Idempotency-Key", order)
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		log.Fatalf("%d: %s", response.StatusCode, text)
	}
	var answer struct {
		Data struct {
			InvoiceID  string `json:"invoice_id"`
			InvoiceURL string `json:"invoice_url"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Data.InvoiceID)
	fmt.Println(answer.Data.InvoiceURL) // send the buyer there
}
