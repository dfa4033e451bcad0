<?php
// Creates an invoice. PHP 7.4 or newer with curl. Run: API_TOKEN=… php create-invoice.php
$order = 'order-' . bin2hex(random_bytes(16));
$request = curl_init('{base_url}/invoice/create');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('API_TOKEN'),
        'X-Merchant: {merchant_id}',
        'Content-Type: application/json',
        'Idempotency-Key: ' . $order, // after a lost answer, send the same again
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'merchant_transaction_id' => $order,
        'amount' => 1500, // 15.00 USD
        'currency' => 'USD',
        'description' => 'Two bags of coffee',
        'end_date' => (time() + 3600) * 1000,
        'positions' => [['title' => 'Coffee beans, 1 kg', 'amount' => 1500, 'currency' => 'USD']],
        'success_url' => 'https://shop.example/thanks',
        'error_url' => 'https://shop.example/cart',
        'callback_url' => 'https://shop.example/callback',
    ]),
]);
$answer = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_HTTP_CODE);
if ($status !== 200) {
    exit("$status: $answer\n");
}
$invoice = json_decode($answer, true)['data'];
echo $invoice['invoice_id'], "\n", $invoice['invoice_url'], "\n"; // send the buyer there
