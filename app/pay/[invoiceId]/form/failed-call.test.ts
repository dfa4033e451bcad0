import { redirect } from 'next/navigation';
import { expect, test, vi } from 'vitest';
import { NoAnswerError } from '#server/lib/timeout.ts';
import { noticeOfFailedCall } from './failed-call.ts';

// The test gives Next's own answer to an unknown action, as the journeys meet it.
const { UnrecognizedActionError } = vi.hoisted(() => ({
  UnrecognizedActionError: class extends Error {},
}));
vi.mock(import('next/navigation'), async (original) => ({
  ...(await original()),
  unstable_isUnrecognizedActionError: (error: unknown) => error instanceof UnrecognizedActionError,
}));

test.each([
  ['a connection that was lost', new TypeError('Failed to fetch'), 'lost'],
  ['an action of an older page', new UnrecognizedActionError('no such action'), 'outdated'],
  ['an answer that is not the action’s', new Error('unexpected response'), 'unclear'],
  ['a call that nobody answers', new NoAnswerError('late'), 'unclear'],
  ['what is no error at all', 'gone', 'unclear'],
])('%s is told as what it is', (_what, error, notice) => {
  expect(noticeOfFailedCall(error)).toBe(notice);
});

test('a redirect goes on its way', () => {
  const isOnItsWay = () => {
    try {
      redirect('/pay/inv_1');
    } catch (error) {
      noticeOfFailedCall(error);
    }
  };
  expect(isOnItsWay).toThrow('NEXT_REDIRECT');
});
