import { expect, test } from 'vitest';
import { wayToChallenge } from './way-to-challenge.ts';

const OURS = 'https://pay.example/pay/inv_1/challenge?attempt=pay_1';
const BANK = 'https://bank.example/3ds';

test.each([
  ['our own page', OURS, true, '/pay/inv_1/challenge?attempt=pay_1'],
  ['our own page, without script', OURS, false, '/pay/inv_1/challenge?attempt=pay_1'],
  ['the bank', BANK, true, BANK],
  ['the page with the link to the bank, without script', BANK, false, '/pay/inv_1'],
  ['the page, where nobody knows the way', null, true, '/pay/inv_1'],
])('to %s', (_, challengeUrl, scripted, way) => {
  const attempt = { invoiceId: 'inv_1', challengeUrl };
  expect(wayToChallenge(attempt, { scripted, publicUrl: 'https://pay.example' })).toBe(way);
});
