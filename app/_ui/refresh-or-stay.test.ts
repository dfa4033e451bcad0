import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refreshOrStay } from './refresh-or-stay.ts';
import { renderAnew } from './render-anew.ts';

// The journeys meet this answer: Next's own to an action that the server does not know.
const { UnrecognizedActionError } = vi.hoisted(() => ({
  UnrecognizedActionError: class extends Error {},
}));
vi.mock(import('next/navigation'), async (original) => ({
  ...(await original()),
  unstable_isUnrecognizedActionError: (error: unknown) => error instanceof UnrecognizedActionError,
}));

// The test has neither a page's script nor its server.
vi.mock('./render-anew.ts', () => ({ renderAnew: vi.fn() }));

const replaceState = vi.fn();
const reload = vi.fn();
const refresh = () => refreshOrStay(reload);

/** The next call stays under way until the test ends it. */
function held() {
  const ends = { well: (): void => undefined, badly: (_: Error): void => undefined };
  const ended = new Promise<void>((resolve, reject) => {
    ends.well = resolve;
    ends.badly = reject;
  });
  vi.mocked(renderAnew).mockReturnValueOnce(ended);
  return ends;
}

beforeEach(() => {
  vi.useFakeTimers();
  const href = 'http://gate.example/';
  vi.stubGlobal('location', { hash: '', pathname: '/', search: '', href });
  vi.stubGlobal('history', { replaceState });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  replaceState.mockReset();
  vi.mocked(renderAnew).mockReset();
  reload.mockReset();
});

it('asks for nothing while it waits for an answer, and again after it', async () => {
  const answer = held();
  const first = refresh();
  for (const _ of [1, 2, 3]) await refresh();
  expect(renderAnew).toHaveBeenCalledTimes(1);
  answer.well();
  await first;
  expect(renderAnew).toHaveBeenCalledTimes(1);
  await refresh();
  expect(renderAnew).toHaveBeenCalledTimes(2);
});

it('gives an answer up after ten seconds, has Next drop it, and lets a late one end no other', async () => {
  const [lost, next] = [held(), held()];
  const first = refresh();
  vi.advanceTimersByTime(9_999);
  await refresh();
  expect(renderAnew).toHaveBeenCalledTimes(1);
  expect(replaceState).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(replaceState.mock.calls).toEqual([[null, '', 'http://gate.example/']]);
  const second = refresh();
  expect(renderAnew).toHaveBeenCalledTimes(2);
  lost.well();
  await first;
  await refresh();
  expect(renderAnew).toHaveBeenCalledTimes(2);
  next.well();
  await second;
  vi.advanceTimersByTime(60_000);
  expect(replaceState).toHaveBeenCalledTimes(1);
});

it('stays where the call fails, and loads the page of a gateway that was updated', async () => {
  for (const error of [new TypeError('Failed to fetch'), new UnrecognizedActionError('older')]) {
    const answer = held();
    const refreshing = refresh();
    expect(reload).not.toHaveBeenCalled();
    answer.badly(error);
    await refreshing;
  }
  expect(reload).toHaveBeenCalledTimes(1);
  await refresh();
  expect(renderAnew).toHaveBeenCalledTimes(3);
});
