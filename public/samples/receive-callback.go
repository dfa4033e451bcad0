// Receives callbacks. Go 1.18 or newer.
// Run: WEBHOOK_SECRET=whsec_… go run receive-callback.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceS = 300

// Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over the body's raw bytes.
func isGenuine(key []byte, header http.Header, rawBody []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - sentAt
	if err != nil || age > toleranceS || age < -toleranceS {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), timestamp)
	mac.Write(rawBody)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Two signatures during a rotation of the secret: one of them must be right.
	for _, each := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(each), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	given := strings.TrimSpace(os.Getenv("WEBHOOK_SECRET"))
	secret := strings.TrimPrefix(given, "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || len(key) == 0 { // anybody can sign with an empty key
		log.Fatal("WEBHOOK_SECRET is empty or no base64")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !isGenuine(key, r.Header, rawBody) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var invoice struct {
			Order  string `json:"merchant_transaction_id"`
			Status int    `json:"status"`
		}
		if err := json.Unmarshal(rawBody, &invoice); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// Handle each webhook-id once; compare amount and currency with your
		// order; release the goods only on status 2 (PAID).
		id := r.Header.Get("webhook-id")
		fmt.Println(id, invoice.Order, invoice.Status)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"success": true}`)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
