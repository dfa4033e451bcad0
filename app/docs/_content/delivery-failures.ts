/** The reason why an attempt to deliver a callback failed, and its cure. */
export type DeliveryFailure = { reason: string; cure: string };

/** The reasons as the dashboard and the operator's command show them; figures are examples. */
export const DELIVERY_FAILURES: DeliveryFailure[] = [
  {
    reason: 'answered 500, not 200',
    cure: 'Your server had a fault or answered with another status, 201 and 204 included. Its own log says which.',
  },
  {
    reason: 'answered 401, not 200',
    cure: 'Your server refused it, as with 403. If it checks the signature, see [what to look at](/docs/callbacks#when-a-signature-does-not-match). If not, something before it wants a sign-in, a token or a CSRF token: a callback brings none, so leave its address out of that.',
  },
  {
    reason: 'answered 500, not 2xx',
    cure: 'The same for an [event](/docs/events), of which any status of 2xx is enough.',
  },
  {
    reason: '200, but the answer was empty',
    cure: 'Send the body `{"success": true}`; the status alone is not enough.',
  },
  {
    reason: '200, but the answer was not JSON',
    cure: 'Often a page of HTML from a proxy or a sign-in. Look at the answer in the dashboard.',
  },
  {
    reason: '200, but the answer was not JSON, and its Content-Encoding could not be decoded',
    cure: 'Of compressed answers those in `gzip` and `deflate` are read. Send it plain: callbacks ask for no compression.',
  },
  {
    reason: '200, but the answer was not a JSON object',
    cure: 'Send an object, not a list or a word.',
  },
  {
    reason: '200, but `success` was missing',
    cure: 'Name the field `success`, in lower case, and put it into the outermost object.',
  },
  {
    reason: '200, but `success` was not true',
    cure: 'Send the boolean `true`: not `"true"`, not `1`. If your server said `false` on purpose, it is asked again.',
  },
  {
    reason: 'redirected (301) to https://shop.example/callback/, which is not followed',
    cure: 'Give the final address as `callback_url`: with https, and with the slash at the end if your server wants one.',
  },
  {
    reason: 'answered 302, a redirect, which is not followed',
    cure: 'Answer with 200 instead. It named no address to go to: a framework that sends whoever is not signed in away, most often.',
  },
  {
    reason: 'no complete answer within 10 s',
    cure: 'Answer first and work later. A firewall that drops packets looks the same.',
  },
  { reason: 'connection refused', cure: 'Nothing listens at that port: start the server.' },
  {
    reason: 'the connection was closed before the answer was complete',
    cure: 'The server, or a proxy before it, gave up in the middle. Its log says why.',
  },
  {
    reason: 'the name of the host was not found, or does not lead to a public address',
    cure: 'A typing error, a name that only your own network knows, or one of a private network, such as `localhost`, which is never called from elsewhere: give a public one. `gateway listen` brings callbacks to your own machine.',
  },
  {
    reason: 'the name of the host could not be looked up',
    cure: 'The name servers of the domain did not answer. It is tried again.',
  },
  { reason: 'the host could not be reached', cure: 'There is no route to the address.' },
  {
    reason: 'no secure connection: the certificate or the TLS handshake was not accepted',
    cure: 'The certificate has expired, is for another name, is signed by nobody known, or its chain is not complete.',
  },
  {
    reason: 'the address is not a public one, and only public ones are called',
    cure: 'Addresses of private networks are never called: give a public one. A gateway on your own machine calls `127.0.0.1` as well; elsewhere `gateway listen` brings callbacks to your machine.',
  },
  {
    reason: 'the port is not one that callbacks are sent to (80, 443, or 1024 and above)',
    cure: 'Listen on one of these ports.',
  },
  {
    reason: 'the address is not a valid http or https URL',
    cure: 'Create invoices with a whole address.',
  },
  {
    reason: 'answer longer than 64 KiB',
    cure: 'Answer with `{"success": true}` and nothing else. Headers that long, and interim answers (1xx) without end, count as well.',
  },
  {
    reason: 'the answer is not valid HTTP',
    cure: 'Something other than a web server listens there, it wants https, or it changed protocols (101) unasked.',
  },
  {
    reason: 'there is no signing secret to sign it with',
    cure: 'Make one under Developers in the dashboard.',
  },
  {
    reason: 'the request failed',
    cure: 'None of the above; the operator’s log has the details.',
  },
];
