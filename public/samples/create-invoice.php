<?php
// Creates an invoice. PHP 7.4 or newer, for https with openssl.
// export BASE_URL=https://…/api/sandbox
// export MERCHANT_ID=mer_…
// Run: API_TOKEN=… php create-invoice.php
foreach (['BASE_URL', 'MERCHANT_ID', 'API_TOKEN'] as $name) {
    if (!getenv($name)) {
        fwrite(STDERR, "$name is not set\n");
        exit(1);
    }
}
$order = 'order-' . bin2hex(random_bytes(16));
$request = ['http' => [
    'method' => 'POST',
    'timeout' => 10,
    'ignore_errors' => true, // the body of a refusal says what is wrong
    'header' => [
        'Authorization: Bearer ' . getenv('API_TOKEN'),
        'X-Merchant: ' . getenv('MERCHANT_ID'),
        'Content-Type: application/json',
        'Idempotency-Key: ' . $order, // after a lost answer, send the same again
    ],
    'content' => json_encode([
        'merchant_transaction_id' => $order,
        'amount' => 1500, // 15.00 USD
        'currency' => 'USD',
        'description' => 'Two bags of coffee',
        'end_date' => (time() + 3600) * 1000,
        'positions' => [
            ['title' => 'Coffee, 1 kg', 'amount' => 1500, 'currency' => 'USD'],
        ],
        'success_url' => 'https://shop.example/thanks',
        'error_url' => 'https://shop.example/cart',
        'callback_url' => 'https://shop.example/callback',
    ]),
]];
$address = getenv('BASE_URL') . '/invoice/create';
$answer = file_get_contents($address, false, stream_context_create($request));
$invoice = json_decode((string) $answer, true)['data'] ?? null;
if ($invoice === null) {
    fwrite(STDERR, "No invoice: $answer\n");
    exit(1);
}
echo $invoice['invoice_id'], "\n";
echo $invoice['invoice_url'], "\n"; // send the buyer there
