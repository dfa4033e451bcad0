import { TRPCClientError } from '@trpc/client';
import { expect, it } from 'vitest';
import { failureText } from './failure-text.ts';

const WORDS = { wrong: 'wrong', conflict: 'conflict', failed: 'failed' };

function refusal(code: string, message: string) {
  const data = { code, httpStatus: 400, faults: null };
  return new TRPCClientError(message, { result: { error: { code: 0, message, data } } });
}

it('says as the server does how long to wait after too many tries', () => {
  const message = 'Too many tries for one day. Try again tomorrow.';
  expect(failureText(refusal('TOO_MANY_REQUESTS', message), WORDS)).toBe(message);
});

it('says by the screen’s own words what else a call was refused for', () => {
  expect(failureText(refusal('BAD_REQUEST', 'Not valid: code.'), WORDS)).toBe('wrong');
  expect(failureText(refusal('CONFLICT', 'Begin again.'), WORDS)).toBe('conflict');
  expect(failureText(refusal('FORBIDDEN', 'No.'), WORDS)).toBe('failed');
  expect(failureText(new Error('boom'), WORDS)).toBe('failed');
});
