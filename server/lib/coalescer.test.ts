import { expect, test, vi } from 'vitest';
import { Coalescer, type CoalescerLimits } from './coalescer.ts';
import type { GatewayError } from './errors.ts';

type Call = { rows: number[]; end(error?: Error): void };

/** Answers a row with its double once the test ends its statement. Owners: odd and even rows. */
function watched(
  limits?: Partial<CoalescerLimits>,
  isRowsFault = () => false,
  clockMs?: () => number,
  owners = 2,
) {
  const calls: Call[] = [];
  const statement = (rows: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      const doubled = rows.map((row) => row * 2);
      const end = (error?: Error) => (error ? reject(error) : resolve(doubled));
      calls.push({ rows: [...rows], end });
    });
  const coalescer = new Coalescer<number, number>({
    name: 'double',
    one: async (row) => (await statement([row]))[0] ?? Number.NaN,
    many: (rows) => statement(rows),
    isRowsFault,
    isSameOwner: (one, other) => one % owners === other % owners,
    bytesOf: (row) => row,
    limits,
    clockMs,
  });
  return { calls, coalescer };
}

/** Lets everything happen that need not wait. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('a lone caller is sent in the same turn, callers of one turn together', async () => {
  const { calls, coalescer } = watched();
  const alone = coalescer.submit(1);
  await turns();
  const together = [coalescer.submit(2), coalescer.submit(3)];
  await turns();
  expect(calls.map(({ rows }) => rows)).toEqual([[1], [2, 3]]);
  for (const call of calls) call.end();
  expect(await alone).toBe(2);
  expect(await Promise.all(together)).toEqual([4, 6]);
});

test('while two statements are in flight callers wait, and the next takes all of them', async () => {
  const { calls, coalescer } = watched();
  for (const row of [1, 2, 3, 4, 5]) {
    void coalescer.submit(row);
    await turns();
  }
  expect(calls.map(({ rows }) => rows)).toEqual([[1], [2]]);
  calls[1]?.end();
  await turns();
  expect(calls.map(({ rows }) => rows)).toEqual([[1], [2], [3, 4, 5]]);
});

test('a statement is bounded in rows and in bytes, but takes one row however long', async () => {
  const { calls, coalescer } = watched({ rowsInStatement: 3, bytesInStatement: 100 });
  for (const row of [1, 1, 1, 1, 99, 1, 500, 1]) void coalescer.submit(row);
  for (let index = 0; index < 6; index++) {
    await turns();
    calls[index]?.end();
  }
  expect(calls.map(({ rows }) => rows)).toEqual([[1, 1, 1], [1, 99], [1], [500], [1]]);
});

test('who comes when too many wait is refused at once, and later ones are taken again', async () => {
  const { calls, coalescer } = watched({ rowsWaiting: 2 });
  const taken = [coalescer.submit(1), coalescer.submit(2)];
  const refusal = await coalescer.submit(3).catch((error: GatewayError) => error.code);
  expect(refusal).toBe('busy');
  await turns();
  calls[0]?.end();
  expect(await Promise.all(taken)).toEqual([2, 4]);
  const later = coalescer.submit(4);
  await turns();
  calls[1]?.end();
  expect(await later).toBe(8);
});

test('no owner has more places than are free, so that whoever comes new finds one', async () => {
  const { calls, coalescer } = watched({ rowsWaiting: 8 });
  const submitted = [1, 3, 5, 7, 9, 2, 4, 6];
  const answers = Promise.allSettled(submitted.map((row) => coalescer.submit(row)));
  await turns();
  calls[0]?.end();
  const refused = (await answers).flatMap(({ status }, index) =>
    status === 'rejected' ? [submitted[index]] : [],
  );
  expect([calls[0]?.rows, refused]).toEqual([
    [1, 3, 5, 7, 2, 4],
    [9, 6],
  ]);
  const later = coalescer.submit(9);
  await turns();
  calls[1]?.end();
  expect(await later).toBe(18);
});

test('an owner has half of the places beside at most, and the others find some', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { calls, coalescer } = watched({ aloneMs: 100, statementsBeside: 4 });
  const held: Promise<number>[] = [];
  for (const row of [1, 3, 5, 7]) {
    held.push(coalescer.submit(row));
    await turns();
    vi.advanceTimersByTime(100);
    await turns();
  }
  const sent = () => calls.map(({ rows }) => rows);
  expect(sent()).toEqual([[1], [3]]);
  const other = coalescer.submit(2);
  await turns();
  calls.at(-1)?.end();
  expect(await other).toBe(4);
  // Each parked row takes the place of a statement that has ended.
  for (const row of [5, 7]) {
    calls.at(row === 5 ? 0 : -1)?.end();
    await turns();
    expect(sent().at(-1)).toEqual([row]);
  }
  for (const call of calls) call.end();
  expect(await Promise.all(held)).toEqual([2, 6, 10, 14]);
  const later = coalescer.submit(9);
  await turns();
  calls.at(-1)?.end();
  expect(await later).toBe(18);
  vi.useRealTimers();
});

test('who has waited too long is refused, and no statement takes their row', async () => {
  let nowMs = 0;
  const limits = { statementsInFlight: 1, waitingMs: 10_000 };
  const { calls, coalescer } = watched(limits, undefined, () => nowMs);
  const silent = coalescer.submit(1);
  await turns();
  const early = Promise.allSettled([2, 3].map((row) => coalescer.submit(row)));
  nowMs = 1;
  const inTime = coalescer.submit(4);
  nowMs = 10_001;
  calls[0]?.end(new Error('no answer came'));
  await expect(silent).rejects.toThrow('no answer came');
  expect(await early).toMatchObject([
    { status: 'rejected', reason: { kind: 'unavailable' } },
    { status: 'rejected', reason: { kind: 'unavailable' } },
  ]);
  await turns();
  expect(calls.map(({ rows }) => rows)).toEqual([[1], [4]]);
  calls[1]?.end();
  expect(await inTime).toBe(8);
});

test('who would be tried alone too late is refused', async () => {
  let nowMs = 0;
  const { calls, coalescer } = watched(
    { waitingMs: 10_000 },
    () => true,
    () => nowMs,
  );
  const answers = Promise.allSettled([1, 2].map((row) => coalescer.submit(row)));
  await turns();
  calls[0]?.end(new Error('one of them is bad'));
  await turns();
  nowMs = 10_001;
  calls[1]?.end();
  expect(await answers).toMatchObject([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: { kind: 'unavailable' } },
  ]);
  await turns();
  expect(calls.map(({ rows }) => rows)).toEqual([[1, 2], [1]]);
});

test('rows of a statement that was undone are tried one by one; each gets its own end', async () => {
  const { calls, coalescer } = watched({}, () => true);
  const answers = Promise.allSettled([1, 2, 3].map((row) => coalescer.submit(row)));
  await turns();
  calls[0]?.end(new Error('one of them is bad'));
  for (const index of [1, 2, 3]) {
    await turns();
    calls[index]?.end(index === 2 ? new Error('row 2 is bad') : undefined);
  }
  expect(calls.map(({ rows }) => rows)).toEqual([[1, 2, 3], [1], [2], [3]]);
  expect((await answers).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('one that takes long alone is left to itself, but no more than may be', async () => {
  const limits = { aloneMs: 0, statementsInFlight: 1, statementsBeside: 2 };
  const { calls, coalescer } = watched(limits, () => true, undefined, 4);
  const answers = [1, 2, 3, 4].map((row) => coalescer.submit(row));
  await turns();
  calls[0]?.end(new Error('somebody holds some of them'));
  const sent = () => calls.map(({ rows }) => rows);
  await expect.poll(() => sent()).toEqual([[1, 2, 3, 4], [1], [2], [3]]);
  // This is long enough for a fourth statement to begin if the third were left to itself too.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toHaveLength(4);
  for (const index of [3, 1, 2]) calls[index]?.end();
  await expect.poll(() => sent()[4]).toEqual([4]);
  calls[4]?.end();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);
});

test('two that take long alone hold up no other', async () => {
  const { calls, coalescer } = watched({ aloneMs: 0 });
  const held = [];
  for (const row of [1, 2]) {
    held.push(coalescer.submit(row));
    await turns();
  }
  const later = coalescer.submit(3);
  await expect.poll(() => calls.map(({ rows }) => rows)).toEqual([[1], [2], [3]]);
  for (const call of calls) call.end();
  expect(await Promise.all([...held, later])).toEqual([2, 4, 6]);
});

test('any other failure is the answer to all, and nothing is tried again', async () => {
  const { calls, coalescer } = watched();
  const answers = Promise.allSettled([1, 2].map((row) => coalescer.submit(row)));
  await turns();
  calls[0]?.end(new Error('connection lost'));
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turns();
  expect(calls).toHaveLength(1);
});

test('a caller may ask again within its answer', async () => {
  const { calls, coalescer } = watched();
  const asked = coalescer.submit(1).then((answer) => coalescer.submit(answer));
  const other = coalescer.submit(5);
  await turns();
  calls[0]?.end();
  expect(await other).toBe(10);
  await turns();
  expect(calls[1]?.rows).toEqual([2]);
  calls[1]?.end();
  expect(await asked).toBe(4);
});
