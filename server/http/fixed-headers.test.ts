import { expect, test } from 'vitest';
import { headersFor } from './fixed-headers.ts';

const YEAR = 'max-age=31536000';

test.each<[string, boolean, string | undefined]>([
  ['https://pay.example', false, YEAR],
  ['https://pay.example', true, `${YEAR}; includeSubDomains`],
  ['http://pay.example', true, undefined],
  // Other servers under test on this machine share the host.
  ['https://localhost:3443', true, undefined],
])('answers of %s keep browsers on https, subdomains %s: %s', (publicUrl, covers, transport) => {
  const headers = headersFor({ publicUrl, hstsCoversSubdomains: covers });
  expect(headers['strict-transport-security']).toBe(transport);
  expect(headers['x-content-type-options']).toBe('nosniff');
});
