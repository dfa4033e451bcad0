import { expect, test } from 'vitest';
import { challengeUrlOf } from './advance.ts';

const RETURN = 'http://localhost:3000/pay/inv_1/return?attempt=pay_1';

test.each([
  ['https://acs.bank.example/3ds?id=1', 'https://acs.bank.example/3ds?id=1'],
  ['challenge?attempt=pay_1', 'http://localhost:3000/pay/inv_1/challenge?attempt=pay_1'],
  ['http://acs.bank.example/3ds', null],
  ['//acs.bank.example/3ds', null],
  ['http://localhost:3001/3ds', 'http://localhost:3001/3ds'],
  ['javascript:alert(1)', null],
  ['data:text/html,1', null],
  ['https://', null],
])('%s: %s', (url, address) => {
  expect(challengeUrlOf(url, RETURN)).toBe(address);
});

test('what is relative stays on https where we are', () => {
  const address = challengeUrlOf('//acs.bank.example/3ds', RETURN.replace('http:', 'https:'));
  expect(address).toBe('https://acs.bank.example/3ds');
});

test('a gateway that others reach sends nobody to their own machine', () => {
  expect(challengeUrlOf('http://localhost:3001/3ds', 'https://pay.example/pay/inv_1/return')).toBe(
    null,
  );
});
