import { describe, expect, test } from 'vitest';
import { DueEvents } from './due-events.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);
const row = (id: string, ms: number) => ({ id, nextAttemptAt: at(ms) });

describe('callbacks', () => {
  test('one event for all that is due, its id made of the first row and its due time', () => {
    const rows = [row('ntf_a', -20), row('ntf_b', -10), row('ntf_c', 0)];
    expect(new DueEvents().ofCallbacks(rows, NOW)).toEqual([
      {
        name: 'gateway/callbacks.due',
        id: `ntf_a:${at(-20).getTime()}`,
        ts: NOW.getTime(),
        data: { dueAt: at(-20).getTime(), count: 3 },
      },
    ]);
  });

  test('an event for each batch that a run takes at once', () => {
    const rows = Array.from({ length: 600 }, (_, index) => row(`ntf_${index}`, -1));
    const events = new DueEvents().ofCallbacks(rows, NOW);
    expect(events.map(({ data }) => data.count)).toEqual([256, 256, 88]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  test('another event for each attempt and each resend of a row', () => {
    const idAt = (ms: number) => new DueEvents().ofCallbacks([row('ntf_a', ms)], NOW)[0]?.id;
    expect(idAt(-2)).not.toBe(idAt(-1));
  });

  test('a retry is announced for the end of its slot, never before it is due', () => {
    const [event] = new DueEvents().ofCallbacks([row('ntf_a', 5_010)], NOW);
    expect(event?.ts).toBe(at(5_250).getTime());
  });

  test('no second event for a slot that Inngest knows of', () => {
    const events = new DueEvents();
    events.remember(events.ofCallbacks([row('ntf_a', 5_010)], NOW), NOW);
    expect(events.ofCallbacks([row('ntf_b', 5_200)], at(100))).toEqual([]);
    expect(events.ofCallbacks([row('ntf_c', 5_300)], at(100))).toHaveLength(1);
  });

  test('an event again when the send of it failed', () => {
    const events = new DueEvents();
    events.ofCallbacks([row('ntf_a', 5_010)], NOW);
    expect(events.ofCallbacks([row('ntf_a', 5_010)], at(500))).toHaveLength(1);
  });
});

describe('ends of invoices', () => {
  test('one event for each slot, with the same id in every worker', () => {
    const slots = [at(250), at(1_000)];
    const events = new DueEvents().ofExpiries(slots);
    expect(events.map(({ ts }) => ts)).toEqual(slots.map((slot) => slot.getTime()));
    expect(new DueEvents().ofExpiries(slots)).toEqual(events);
  });

  test('a slot is announced once', () => {
    const events = new DueEvents();
    events.remember(events.ofExpiries([at(250)]), NOW);
    expect(events.ofExpiries([at(250)])).toEqual([]);
  });

  test('of many slots the nearest are announced, and the others by the next looks', () => {
    const slots = Array.from({ length: 20 }, (_, index) => at(250 * (index + 1)));
    const events = new DueEvents();
    const counts = [1, 2, 3].map(() => {
      const announced = events.ofExpiries(slots);
      events.remember(announced, NOW);
      const [first] = announced;
      return { count: announced.length, firstMs: (first?.ts ?? 0) - NOW.getTime() };
    });
    expect(counts).toEqual([
      { count: 8, firstMs: 250 },
      { count: 8, firstMs: 2_250 },
      { count: 4, firstMs: 4_250 },
    ]);
  });

  test('a slot is announced again, by the same id, when what was taken may be lost', () => {
    const events = new DueEvents();
    const first = events.ofExpiries([at(250)]);
    events.remember(first, NOW);
    events.forget();
    expect(events.ofExpiries([at(250)])).toEqual(first);
  });
});

test('a slot is kept in mind until ten seconds after its end, also where the clock was set back', () => {
  const events = new DueEvents();
  const slots = [at(250), at(30_000), at(60_000)];
  const [first, second, third] = slots.map((slot) => slot.getTime());
  events.remember(events.ofExpiries(slots.slice(1)), NOW);
  events.remember(events.ofExpiries(slots.slice(0, 1)), at(-30_000));
  events.remember(events.ofExpiries([at(90_000)]), NOW);
  const announced = (nowMs: number) => {
    events.remember([], at(nowMs));
    return events.ofExpiries(slots).map(({ ts }) => ts);
  };
  expect(announced(10_250)).toEqual([]);
  expect(announced(10_251)).toEqual([first]);
  expect(announced(40_000)).toEqual([first]);
  expect(announced(70_001)).toEqual([first, second, third]);
});

test('what was kept in mind is gone where the clock is set on by decades, and what is to come is not', () => {
  const events = new DueEvents();
  const decadeMs = 10 * 365 * 86_400_000;
  const slots = [at(-5 * decadeMs), at(250)];
  events.remember(events.ofExpiries(slots), at(-5 * decadeMs - 250));
  // A walk from slot to slot would have six thousand million steps.
  events.remember([], NOW);
  expect(events.ofExpiries(slots).map(({ ts }) => ts)).toEqual([slots[0]?.getTime()]);
});
