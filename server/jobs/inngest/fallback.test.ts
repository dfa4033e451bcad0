import { expect, test } from 'vitest';
import { Fallback } from './fallback.ts';
import { FUNCTION_IDS, SWEEP_IDS } from './inngest.ts';

const SECOND_MS = 1_000;

/** A fallback, and an Inngest that runs the functions in `ran`. */
function setUp() {
  const count = { started: 0, stopped: 0 };
  const runs = new Map<string, string>();
  const fallback = new Fallback(() => {
    count.started += 1;
    return {
      state: () => 'embedded' as const,
      stop: async () => {
        count.stopped += 1;
      },
    };
  });
  const seen = (atS: number) => fallback.sawRuns(new Map(runs), atS * SECOND_MS);
  seen(0);
  return {
    fallback,
    count,
    seen,
    /** The functions have run when it looks at that second. */
    ran: (ids: readonly string[], atS: number) => {
      for (const id of ids) runs.set(id, String(Number(runs.get(id) ?? 0) + 1));
      seen(atS);
    },
  };
}

test('begins with the first send that fails and ends when each function has run since', () => {
  const { fallback, count, seen, ran } = setUp();
  ran(FUNCTION_IDS, 1);
  fallback.sendFailed();
  fallback.sendFailed();
  seen(2);
  for (const [index, id] of FUNCTION_IDS.entries()) {
    expect(fallback.isActive).toBe(true);
    ran([id], 3 + index);
  }
  expect(fallback.isActive).toBe(false);
  expect(count).toEqual({ started: 1, stopped: 1 });
});

test('what ran before a send that failed says nothing', () => {
  const { fallback, seen, ran } = setUp();
  fallback.sendFailed();
  seen(1);
  ran(FUNCTION_IDS.slice(1), 2);
  fallback.sendFailed();
  seen(3);
  ran(FUNCTION_IDS.slice(0, 1), 4);
  expect(fallback.isActive).toBe(true);
  ran(FUNCTION_IDS, 5);
  expect(fallback.isActive).toBe(false);
});

test('goes on for as long as only sweeps, or only functions of events, run', () => {
  const events = FUNCTION_IDS.filter((id) => !SWEEP_IDS.includes(id));
  for (const ids of [SWEEP_IDS, events]) {
    const { fallback, seen, ran } = setUp();
    fallback.workWaits(0);
    seen(1);
    for (let atS = 60; atS < 7_200; atS += 60) ran(ids, atS);
    expect(fallback.isActive).toBe(true);
  }
});

test('begins when a single sweep has not run for two and a half minutes', () => {
  for (const left of SWEEP_IDS) {
    const others = SWEEP_IDS.filter((id) => id !== left);
    const { fallback, ran } = setUp();
    for (const atS of [60, 120, 150]) ran(others, atS);
    expect(fallback.isActive).toBe(false);
    ran(others, 151);
    expect(fallback.isActive).toBe(true);
  }
});

test('never begins while each sweep comes, also after a pause of the looks', () => {
  const { ran, count } = setUp();
  for (const atS of [60, 120, 180, 3_600, 3_660]) ran(SWEEP_IDS, atS);
  expect(count.started).toBe(0);
});

test('when work is left lying, runs do not end it before half a minute', () => {
  const { fallback, seen, ran } = setUp();
  fallback.workWaits(0);
  seen(1);
  ran(FUNCTION_IDS, 29);
  expect(fallback.isActive).toBe(true);
  seen(30);
  expect(fallback.isActive).toBe(false);
});

test('lasts twice as long when work is left lying again', () => {
  const { fallback, seen, ran } = setUp();
  fallback.workWaits(0);
  seen(1);
  ran(FUNCTION_IDS, 30);
  fallback.workWaits(45 * SECOND_MS);
  seen(46);
  ran(FUNCTION_IDS, 45 + 59);
  expect(fallback.isActive).toBe(true);
  seen(45 + 60);
  expect(fallback.isActive).toBe(false);
});

test('lasts for half a minute again when ten minutes were well', () => {
  const { fallback, seen, ran } = setUp();
  fallback.workWaits(0);
  seen(1);
  ran(FUNCTION_IDS, 30);
  for (let atS = 60; atS < 660; atS += 60) ran(SWEEP_IDS, atS);
  fallback.workWaits(631 * SECOND_MS);
  seen(632);
  ran(FUNCTION_IDS, 631 + 30);
  expect(fallback.isActive).toBe(false);
});

test('ends no sooner than sweeps come again that ran only at its beginning', () => {
  const { fallback, seen, ran } = setUp();
  fallback.workWaits(0);
  seen(1);
  ran(FUNCTION_IDS, 2);
  seen(25);
  expect(fallback.isActive).toBe(true);
  // The looks paused meanwhile.
  seen(200);
  expect(fallback.isActive).toBe(true);
  ran(SWEEP_IDS, 201);
  expect(fallback.isActive).toBe(false);
});

test('stopping ends what runs, and a send that fails afterwards begins nothing', async () => {
  const { fallback, count } = setUp();
  fallback.sendFailed();
  await fallback.stop();
  fallback.sendFailed();
  expect(count).toEqual({ started: 1, stopped: 1 });
});
