<?php
// Brings your books level with what happened at the gateway. PHP 8.0 or newer, for
// https with openssl.
// export BASE_URL=https://…/api/sandbox
// export MERCHANT_ID=mer_…
// Run: API_TOKEN=… php catch-up.php
foreach (['BASE_URL', 'MERCHANT_ID', 'API_TOKEN'] as $name) {
    if (!getenv($name)) {
        fwrite(STDERR, "$name is not set\n");
        exit(1);
    }
}

// In place of your database, where the cursor stands beside the books.
const FILE = 'books.json';
$books = is_file(FILE)
    ? json_decode(file_get_contents(FILE), true)
    : ['cursor' => null, 'invoices' => [], 'refunds' => []];

function save(array $books): void
{
    file_put_contents(FILE . '.new', json_encode($books, JSON_PRETTY_PRINT));
    rename(FILE . '.new', FILE);
}

function handle(array $event, array &$books): void
{
    $kind = isset($event['refund_id']) ? 'refunds' : 'invoices';
    $id = $event['refund_id'] ?? $event['invoice_id'];
    // A callback may have told more already.
    if (str_ends_with($event['type'], '.created') && isset($books[$kind][$id])) {
        return;
    }
    $books[$kind][$id] = $event;
}

function readPage(?string $cursor): array
{
    // Leaves out a null.
    $query = http_build_query(['limit' => 1000, 'after' => $cursor]);
    $context = stream_context_create(['http' => [
        'timeout' => 30,
        'ignore_errors' => true, // the body of a refusal says what is wrong
        'header' => [
            'Authorization: Bearer ' . getenv('API_TOKEN'),
            'X-Merchant: ' . getenv('MERCHANT_ID'),
        ],
    ]]);
    $address = getenv('BASE_URL') . "/event/list?$query";
    $answer = file_get_contents($address, false, $context);
    $page = json_decode((string) $answer, true)['data'] ?? null;
    if ($page === null) {
        fwrite(STDERR, "No events: $answer\n");
        exit(1);
    }
    return $page;
}

while (($page = readPage($books['cursor']))['events'] !== []) {
    foreach ($page['events'] as $event) {
        handle($event, $books);
        $id = $event['refund_id'] ?? $event['invoice_id'];
        echo $event['type'], " $id\n";
    }
    $books['cursor'] = $page['next_cursor'];
    // The events and their cursor together: a run that dies loses neither.
    save($books);
}
echo "The books are level.\n";
