import { UnrecognizedActionError } from 'next/dist/client/components/unrecognized-action-error.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refreshOrStay } from './refresh-or-stay.ts';
import { renderAnew } from './render-anew.ts';

// A page's script and its server: neither is here.
vi.mock('./render-anew.ts', () => ({ renderAnew: vi.fn() }));

let nowMs = 0;
const reload = vi.fn();
const refresh = () => refreshOrStay(reload);

/** The next call is under way until it is told how it ends. */
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
  nowMs += 3_600_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.stubGlobal('location', { hash: '', pathname: '/', search: '' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
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

it('gives an answer up after a minute, and lets a late one end no other', async () => {
  const [lost, next] = [held(), held()];
  const first = refresh();
  nowMs += 59_999;
  await refresh();
  expect(renderAnew).toHaveBeenCalledTimes(1);
  nowMs += 1;
  const second = refresh();
  expect(renderAnew).toHaveBeenCalledTimes(2);
  lost.well();
  await first;
  await refresh();
  expect(renderAnew).toHaveBeenCalledTimes(2);
  next.well();
  await second;
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
