/** A command that creates an invoice with the merchant's own values; the token is put in by hand. */
export function quickStart({
  baseUrl,
  merchantId,
}: {
  baseUrl: string;
  merchantId: string;
}): string {
  return [
    `curl -s ${baseUrl}/invoice/create \\`,
    `  -H "Authorization: Bearer $API_TOKEN" \\`,
    `  -H 'X-Merchant: ${merchantId}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    '  --data-binary @- <<END',
    '{ "amount": 1500, "currency": "USD", "description": "First order",',
    '  "end_date": $(( ($(date +%s) + 3600) * 1000 )),',
    '  "positions": [{"title": "Coffee beans", "amount": 1500, "currency": "USD"}],',
    '  "merchant_transaction_id": "order-$(date +%s%N)",',
    '  "success_url": "https://example.com/thanks", "error_url": "https://example.com/cart",',
    '  "callback_url": "https://example.com/callback" }',
    'END',
  ].join('\n');
}
