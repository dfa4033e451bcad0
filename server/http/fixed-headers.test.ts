import { expect, test } from 'vitest';
import { headersFor } from './fixed-headers.ts';

const YEAR = 'max-age=31536000';

test.each<[string, boolean, string | undefined]>([
  ['https://pay.example', false, YEAR],
  ['https://pay.example', true, `${YEAR}; includeSubDomains`],
  ['http://pay.example', true, undefined],
  // All else that somebody tries on their own machine is on this host, too.
  ['https://localhost:3443', true, undefined],
])('answers of %s keep browsers on https, subdomains %s: %s', (publicUrl, covers, transport) => {
  const headers = headersFor({ publicUrl, hstsCoversSubdomains: covers });
  expect(headers['strict-transport-security']).toBe(transport);
  expect(headers['x-content-type-options']).toBe('nosniff');
});
