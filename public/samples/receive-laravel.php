<?php
// routes/api.php of Laravel 10 or newer, where no CSRF token is asked for.
// From Laravel 11 on, `php artisan install:api` makes that file.
// The path is then /api/callback. In .env: WEBHOOK_SECRET=whsec_…
// In config/services.php: 'gateway' => ['secret' => env('WEBHOOK_SECRET')],
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Facades\Route;

Route::post('/callback', function (Request $request) {
    $raw_body = $request->getContent(); // the bytes that came, not $request->all()
    $id = $request->header('webhook-id', '');
    $timestamp = $request->header('webhook-timestamp', '');
    // Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over its raw bytes.
    $secret = (string) config('services.gateway.secret');
    $key = base64_decode(preg_replace('/^\s*whsec_/', '', $secret), true);
    // Anybody can sign with an empty key.
    throw_unless($key, 'WEBHOOK_SECRET is empty or no base64');
    $digest = hash_hmac('sha256', "$id.$timestamp.$raw_body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    // Two signatures during a rotation of the secret: one of them must be right.
    $signatures = explode(' ', $request->header('webhook-signature', ''));
    $is_signed = collect($signatures)
        ->contains(fn ($each) => hash_equals($expected, $each));
    $is_recent = preg_match('/^\d{1,12}$/D', $timestamp)
        && abs(time() - (int) $timestamp) <= 300;
    if (!$is_signed || !$is_recent) {
        return response()->noContent(401);
    }
    $invoice = json_decode($raw_body, true);
    // Handle each webhook-id once; compare amount and currency with your order;
    // release the goods only on status 2 (PAID).
    Log::info("$id {$invoice['merchant_transaction_id']} {$invoice['status']}");
    return response()->json(['success' => true]);
});
