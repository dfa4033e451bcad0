import { TRPCClientError } from '@trpc/client';
import { expect, it } from 'vitest';
import { contradictsPage, failureText, isUnanswered, refusedFor, wayOn } from './failure-text.ts';

const WORDS = { wrong: 'wrong', conflict: 'conflict', failed: 'failed' };

function refusal(code: string, message: string) {
  const data = { code, httpStatus: 400, reason: null };
  return new TRPCClientError(message, { result: { error: { code: 0, message, data } } });
}

it('says as the server does how long to wait after too many tries', () => {
  const message = 'Too many attempts today. Try again tomorrow.';
  expect(failureText(refusal('TOO_MANY_REQUESTS', message), WORDS)).toBe(message);
});

it.each([
  ['UNAUTHORIZED', 'Sign in first.', 'sign_in'],
  ['PRECONDITION_FAILED', 'This page shows another merchant. Reload it.', 'reload'],
])(
  'says as the server does that a page is out of date, and how to go on: %s',
  (code, message, way) => {
    expect(failureText(refusal(code, message), WORDS)).toBe(message);
    expect(wayOn(refusal(code, message))).toBe(way);
  },
);

it('says as the server does why somebody may not, unless the screen knows more', () => {
  const message = 'The merchant is suspended.';
  expect(failureText(refusal('FORBIDDEN', message), WORDS)).toBe(message);
  const words = { ...WORDS, forbidden: 'forbidden' };
  expect(failureText(refusal('FORBIDDEN', message), words)).toBe('forbidden');
});

it('tells by its code what a call was refused for', () => {
  const data = { code: 'BAD_REQUEST', httpStatus: 400, reason: 'proof_wrong' };
  const result = { error: { code: 0, message: 'No.', data } };
  expect(refusedFor(new TRPCClientError('No.', { result }))).toBe('proof_wrong');
  expect(refusedFor(new Error('boom'))).toBeNull();
});

it('offers neither where that would not help', () => {
  for (const code of ['BAD_REQUEST', 'CONFLICT', 'FORBIDDEN', 'INTERNAL_SERVER_ERROR']) {
    expect(wayOn(refusal(code, 'No.'))).toBeNull();
  }
  expect(wayOn(new Error('boom'))).toBeNull();
});

it('tells what shows that its page is no longer so from what says nothing of it', () => {
  for (const code of ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND']) {
    expect(contradictsPage(refusal(code, 'No.'))).toBe(true);
  }
  for (const code of ['BAD_REQUEST', 'UNAUTHORIZED', 'PRECONDITION_FAILED']) {
    expect(contradictsPage(refusal(code, 'No.'))).toBe(false);
  }
  expect(contradictsPage(new Error('boom'))).toBe(false);
});

it('tells a refusal, which says what it was, from an answer that never came', () => {
  expect(isUnanswered(refusal('CONFLICT', 'No.'))).toBe(false);
  expect(isUnanswered(TRPCClientError.from(new Error('unreachable')))).toBe(true);
  expect(isUnanswered(new Error('boom'))).toBe(true);
});

it('says by the screen’s own words what else a call was refused for', () => {
  expect(failureText(refusal('BAD_REQUEST', 'Invalid: code.'), WORDS)).toBe('wrong');
  expect(failureText(refusal('CONFLICT', 'Begin again.'), WORDS)).toBe('conflict');
  expect(failureText(new Error('boom'), WORDS)).toBe('failed');
});
