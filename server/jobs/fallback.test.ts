import { expect, test } from 'vitest';
import { Fallback } from './fallback.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

function fallbackWithCount() {
  const count = { started: 0, stopped: 0 };
  const fallback = new Fallback(() => {
    count.started += 1;
    return {
      state: () => 'embedded' as const,
      stop: async () => {
        count.stopped += 1;
      },
    };
  });
  return { fallback, count };
}

test('begins with the first send that fails and ends 15 s after the first that works', () => {
  const { fallback, count } = fallbackWithCount();
  fallback.sendFailed();
  fallback.sendFailed();
  expect(fallback.isActive).toBe(true);
  fallback.sendWorked(at(1));
  fallback.sendWorked(at(15));
  expect(fallback.isActive).toBe(true);
  fallback.sendWorked(at(16));
  expect(fallback.isActive).toBe(false);
  expect(count).toEqual({ started: 1, stopped: 1 });
});

test('when work is left lying, sends that work do not end it before half a minute', () => {
  const { fallback } = fallbackWithCount();
  fallback.workWaits(NOW);
  fallback.sendWorked(at(29));
  expect(fallback.isActive).toBe(true);
  fallback.sendWorked(at(30));
  expect(fallback.isActive).toBe(false);
});

test('runs twice as long when work is left lying again', () => {
  const { fallback } = fallbackWithCount();
  fallback.workWaits(NOW);
  fallback.sendWorked(at(30));
  fallback.workWaits(at(45));
  fallback.sendWorked(at(45 + 59));
  expect(fallback.isActive).toBe(true);
  fallback.sendWorked(at(45 + 60));
  expect(fallback.isActive).toBe(false);
});

test('runs for half a minute again when ten minutes were well', () => {
  const { fallback } = fallbackWithCount();
  fallback.workWaits(NOW);
  fallback.sendWorked(at(30));
  fallback.workWaits(at(30 + 601));
  fallback.sendWorked(at(30 + 601 + 30));
  expect(fallback.isActive).toBe(false);
});

test('stopping ends what runs, and a send that fails afterwards begins nothing', async () => {
  const { fallback, count } = fallbackWithCount();
  fallback.sendFailed();
  await fallback.stop();
  fallback.sendFailed();
  expect(count).toEqual({ started: 1, stopped: 1 });
});
