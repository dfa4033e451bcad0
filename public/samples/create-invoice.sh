# Creates an invoice.
# export BASE_URL=https://…/api/sandbox
# export MERCHANT_ID=mer_…
# Run: API_TOKEN=… sh create-invoice.sh
: "${BASE_URL:?is not set}" "${MERCHANT_ID:?is not set}" "${API_TOKEN:?is not set}"
order="order-$(date +%s)-$$"
curl --silent --show-error "$BASE_URL/invoice/create" \
  -H "Authorization: Bearer $API_TOKEN" \
  -H "X-Merchant: $MERCHANT_ID" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $order" \
  --data-binary @- <<END
{
  "merchant_transaction_id": "$order",
  "amount": 1500,
  "currency": "USD",
  "description": "Two bags of coffee",
  "end_date": $(( ($(date +%s) + 3600) * 1000 )),
  "positions": [
    { "title": "Coffee beans, 1 kg", "amount": 1500, "currency": "USD" }
  ],
  "success_url": "https://shop.example/thanks",
  "error_url": "https://shop.example/cart",
  "callback_url": "https://shop.example/callback"
}
END
