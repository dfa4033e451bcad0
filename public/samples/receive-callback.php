<?php
// Receives callbacks. PHP 7.4 or newer.
// Run: WEBHOOK_SECRET=whsec_… php -S 0.0.0.0:4000 receive-callback.php
const TOLERANCE_S = 300;

// Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over the body's raw bytes.
function is_genuine($key, $id, $timestamp, $signatures, $raw_body): bool
{
    if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_S) {
        return false;
    }
    $digest = hash_hmac('sha256', "$id.$timestamp.$raw_body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    // Two signatures during a rotation of the secret: one of them must be right.
    foreach (explode(' ', $signatures) as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}

$secret = preg_replace('/^\s*whsec_/', '', (string) getenv('WEBHOOK_SECRET'));
$key = base64_decode($secret, true);
if (!$key) { // anybody can sign with an empty key
    error_log('WEBHOOK_SECRET is empty or no base64');
    http_response_code(500);
    exit;
}
$raw_body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
if (!is_genuine($key, $id, $timestamp, $signatures, $raw_body)) {
    http_response_code(401);
    exit;
}
$invoice = json_decode($raw_body, true);
// Handle each webhook-id once; compare amount and currency with your order;
// release the goods only on status 2 (PAID).
error_log("$id {$invoice['merchant_transaction_id']} {$invoice['status']}");
header('Content-Type: application/json');
echo '{"success": true}';
