import { readReason } from '#server/callbacks/reasons.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { RUSSIAN_CURES } from './delivery-failures-ru.ts';
import type { DocsLanguage } from './docs-language.ts';

/** The reason why an attempt to deliver a callback failed, and its cure. */
export type DeliveryFailure = { reason: string; cure: string };

/** The reasons as the dashboard and the operator's command show them; figures are examples. */
export const DELIVERY_FAILURES: DeliveryFailure[] = [
  {
    reason: 'answered 500, not 200',
    cure: 'Your server had an error or answered with another status, 201 and 204 included. Its own log says which.',
  },
  {
    reason: 'answered 401, not 200',
    cure: 'Your server rejected it; the same goes for 403. If it checks the signature, see [what to look at](/docs/callbacks#when-a-signature-does-not-match). If not, something in front of it requires a sign-in, a token or a CSRF token: callbacks have none, so exempt the callback address.',
  },
  {
    reason: 'answered 500, not 2xx',
    cure: 'The same for an [event](/docs/events), for which any 2xx status is enough.',
  },
  {
    reason: '200, but the answer was empty',
    cure: 'Send the body `{"success": true}`; the status alone is not enough.',
  },
  {
    reason: '200, but the answer was not JSON',
    cure: 'Often an HTML page from a proxy or a sign-in. Look at the answer in the dashboard.',
  },
  {
    reason: '200, but the answer was not JSON, and its Content-Encoding could not be decoded',
    cure: 'Only `gzip` and `deflate` are decoded. Send the answer uncompressed: callbacks do not ask for compression.',
  },
  {
    reason: '200, but the answer was not a JSON object',
    cure: 'Send an object, not a list or a word.',
  },
  {
    reason: '200, but `success` was missing',
    cure: 'Name the field `success`, in lower case, and put it at the top level of the object.',
  },
  {
    reason: '200, but `success` was not true',
    cure: 'Send the boolean `true`: not `"true"`, not `1`. If your server said `false` on purpose, it is asked again.',
  },
  {
    reason: 'redirected (301) to https://shop.example/callback/, which is not followed',
    cure: 'Give the final address as `callback_url`: with https, and with a trailing slash if your server expects one.',
  },
  {
    reason: 'answered 302, a redirect, which is not followed',
    cure: 'Answer with 200 instead. The redirect had no address: most often it is a framework turning away a request that is not signed in.',
  },
  {
    reason: 'no complete answer within 10 s',
    cure: 'Answer first and work later. A firewall that drops packets looks the same.',
  },
  { reason: 'connection refused', cure: 'Nothing listens at that port: start the server.' },
  {
    reason: 'the connection was closed before the answer was complete',
    cure: 'The server, or a proxy in front of it, gave up halfway. Its log says why.',
  },
  {
    reason: 'the name of the host was not found, or does not lead to a public address',
    cure: 'A typo, a name known only inside your network, or a private one such as `localhost`, which is never called from elsewhere: use a public name. `gateway listen` brings callbacks to your own machine.',
  },
  {
    reason: 'the name of the host could not be looked up',
    cure: 'The domain’s name servers did not answer. It will be retried.',
  },
  { reason: 'the host could not be reached', cure: 'There is no route to the address.' },
  {
    reason: 'no secure connection: the certificate or the TLS handshake was not accepted',
    cure: 'The certificate has expired, is for another name, is not signed by a trusted authority, or its chain is incomplete.',
  },
  {
    reason: 'the address is not a public one, and only public ones are called',
    cure: 'Addresses in private networks are never called: use a public one. A gateway on your own machine calls `127.0.0.1` as well; elsewhere `gateway listen` brings callbacks to your machine.',
  },
  {
    reason: 'the port is not one that callbacks are sent to (80, 443, or 1024 and above)',
    cure: 'Listen on one of these ports.',
  },
  {
    reason: 'the address is not a valid http or https URL',
    cure: 'Create invoices with a complete address.',
  },
  {
    reason: 'answer longer than 64 KiB',
    cure: 'Answer with `{"success": true}` and nothing else. Overlong headers and endless interim answers (1xx) count as well.',
  },
  {
    reason: 'the answer is not valid HTTP',
    cure: 'Something other than a web server is listening there, it expects https, or it switched protocols (101) unasked.',
  },
  {
    reason: 'there is no signing secret to sign it with',
    cure: 'Create one under Developers in the dashboard.',
  },
  {
    reason: 'the request failed',
    cure: 'None of the above; the operator’s log has the details.',
  },
];

/** A reason in the dashboard's Russian. */
export function russianReason(reason: string): string {
  const t = translatorOf('ru', 'reasons');
  const read = readReason(reason);
  if (!read) return reason;
  const { code, values } = read;
  if (code !== 'but') return t(code, values);
  return t(code, { ...values, reason: russianReason(String(values.reason)) });
}

/** The reasons and their cures in a language of the docs. */
export function deliveryFailures(language: DocsLanguage): DeliveryFailure[] {
  if (language === 'en') return DELIVERY_FAILURES;
  return DELIVERY_FAILURES.map(({ reason }, index) => ({
    reason: russianReason(reason),
    cure: RUSSIAN_CURES[index] ?? '',
  }));
}
