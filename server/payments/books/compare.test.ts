import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookLine } from '../provider.ts';
import { compareBooks, type Difference, type Fee, type OurLine } from './compare.ts';

const SPAN = { fromMs: 1_000, toMs: 2_000 };

/** A payment as both books have it. */
type Pair = { ours: OurLine; line: BookLine };

const SEEDS = [
  'none',
  'missing there',
  'missing here',
  'twice there',
  'amount',
  'currency',
  'state',
  'still moving',
  'of another business',
  'ended both',
] as const;
type Seed = (typeof SEEDS)[number];

function pairOf(kind: BookLine['kind'], nth: number, amountMinor: bigint): Pair {
  const ours: OurLine = {
    kind,
    id: `our-${kind}-${nth}`,
    acquirerId: `their-${kind}-${nth}`,
    invoiceId: `inv-${nth}`,
    amountMinor,
    currency: 'USD',
    status: kind === 'payment' ? 'captured' : 'SUCCEEDED',
    refundedMinor: 0n,
    feeMinor: null,
    createdAtMs: 1_000 + (nth % 1_000),
    isMoving: false,
  };
  const line: BookLine = {
    kind,
    id: `their-${kind}-${nth}`,
    paymentId: `their-payment-${nth}`,
    ourId: ours.id,
    amountMinor,
    currency: 'USD',
    state: 'succeeded',
    createdAtMs: ours.createdAtMs,
    feeMinor: null,
  };
  return { ours, line };
}

/** Both books with a fault, and what of it is to be found. */
function seeded(seed: Seed, { ours, line }: Pair) {
  const both = { ours: [ours], lines: [line] };
  const found = (what: Difference['what'], acquirerId = line.id) => [
    { what, kind: line.kind, acquirerId },
  ];
  switch (seed) {
    case 'none':
      return { ...both, found: [] };
    case 'missing there':
      return { ours: [ours], lines: [], found: found('missing_there') };
    case 'missing here':
      return { ours: [], lines: [line], found: found('missing_here') };
    case 'twice there': {
      const again = { ...line, id: `${line.id}-again` };
      return { ours: [ours], lines: [again, line], found: found('missing_here', again.id) };
    }
    case 'amount':
      return {
        ours: [ours],
        lines: [{ ...line, amountMinor: line.amountMinor + 1n }],
        found: found('amount'),
      };
    case 'currency':
      return {
        ours: [ours],
        lines: [{ ...line, currency: 'EUR' as const }],
        found: found('amount'),
      };
    case 'state':
      return { ours: [ours], lines: [{ ...line, state: 'ended' as const }], found: found('state') };
    case 'still moving':
      return {
        ours: [{ ...ours, isMoving: true }],
        lines: [{ ...line, state: 'ended' as const }],
        found: [],
      };
    case 'of another business': {
      const id = `foreign-${line.id}`;
      return { ...both, lines: [line, { ...line, id, paymentId: id, ourId: null }], found: [] };
    }
    case 'ended both': {
      const status = line.kind === 'payment' ? ('voided' as const) : ('FAILED' as const);
      return {
        ours: [{ ...ours, status }],
        lines: [{ ...line, amountMinor: 0n, state: 'ended' as const }],
        found: [],
      };
    }
  }
}

async function* inTurn<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

async function compare(
  { ours, lines }: { ours: readonly OurLine[]; lines: readonly BookLine[] },
  span = SPAN,
) {
  const differences: Difference[] = [];
  const fees: Fee[] = [];
  const counts = await compareBooks({
    lines: inTurn(lines),
    find: (batch) => {
      const ids = new Set(batch.flatMap(({ ourId, id }) => [ourId, id]));
      const named = ours.filter(({ id, acquirerId }) => ids.has(id) || ids.has(acquirerId));
      const payments = ours.filter(({ kind }) => kind === 'payment');
      const invoices = new Map(payments.map((each) => [each.acquirerId ?? '', each.invoiceId]));
      return Promise.resolve({ ours: named, invoices });
    },
    ours: inTurn([
      ours.filter(({ createdAtMs }) => createdAtMs >= span.fromMs && createdAtMs < span.toMs),
    ]),
    span,
    onDifferences: async (found) => void differences.push(...found),
    onFees: async (found) => void fees.push(...found),
  });
  return { counts, differences, fees };
}

const keyOf = ({ kind, what, acquirerId }: Pick<Difference, 'kind' | 'what' | 'acquirerId'>) =>
  `${kind} ${what} ${acquirerId}`;

test('each seeded difference is found, and none other, in whatever order the books are read', async () => {
  const books = fc
    .array(
      fc.tuple(
        fc.constantFrom(...SEEDS),
        fc.constantFrom('payment' as const, 'refund' as const),
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
      ),
      { maxLength: 60 },
    )
    .chain((seeds) => {
      const parts = seeds.map(([seed, kind, amount], nth) =>
        seeded(seed, pairOf(kind, nth, amount)),
      );
      const lines = parts.flatMap((each) => each.lines);
      return fc.record({
        ours: fc.constant(parts.flatMap((each) => each.ours)),
        lines: fc.shuffledSubarray(lines, { minLength: lines.length }),
        found: fc.constant(parts.flatMap((each) => each.found)),
      });
    });
  await fc.assert(
    fc.asyncProperty(books, async ({ ours, lines, found }) => {
      const { differences, counts } = await compare({ ours, lines });
      expect(differences.map(keyOf).sort()).toEqual(found.map(keyOf).sort());
      expect(counts.differences).toBe(found.length);
      expect(counts.payments + counts.refunds).toBe(
        lines.filter(({ id }) => !id.startsWith('foreign')).length,
      );
    }),
  );
});

test('a line that is listed twice counts once', async () => {
  const { line } = pairOf('payment', 1, 5n);
  const { counts } = await compare({ ours: [], lines: [line, line] });
  expect(counts).toEqual({ payments: 1, refunds: 0, differences: 1 });
});

test('a refund of our payment that was made in the acquirer’s cabinet is missing here', async () => {
  const { ours } = pairOf('payment', 1, 5n);
  const { line } = pairOf('refund', 1, 5n);
  const payment = pairOf('payment', 1, 5n).line;
  const { differences } = await compare({
    ours: [ours],
    lines: [payment, { ...line, ourId: null }],
  });
  expect(differences).toMatchObject([
    { kind: 'refund', what: 'missing_here', invoiceId: 'inv-1', ours: null },
  ]);
});

test('a payment of which something was given back may be listed with the rest, or without money', async () => {
  const { ours, line } = pairOf('payment', 1, 5n);
  const found = async (refundedMinor: bigint, there: Partial<BookLine>) => {
    const lines = [{ ...line, ...there }];
    const { differences } = await compare({ ours: [{ ...ours, refundedMinor }], lines });
    return differences.map(({ what }) => what);
  };
  expect(await found(2n, { amountMinor: 3n })).toEqual([]);
  expect(await found(2n, { amountMinor: 5n })).toEqual([]);
  expect(await found(2n, { amountMinor: 4n })).toEqual(['amount']);
  expect(await found(5n, { state: 'ended' })).toEqual([]);
  expect(await found(2n, { state: 'ended' })).toEqual(['state']);
});

test('what began outside the span only answers for what began within it', async () => {
  const { ours, line } = pairOf('payment', 1, 5n);
  const late = [{ ...line, createdAtMs: SPAN.toMs + 500 }];
  expect((await compare({ ours: [ours], lines: late })).differences).toEqual([]);
  expect((await compare({ ours: [], lines: late })).differences).toEqual([]);
});

test('a fee that is told later is handed on, and one that is known is not', async () => {
  const { ours, line } = pairOf('payment', 1, 500n);
  const lines = [{ ...line, feeMinor: 15n }];
  expect((await compare({ ours: [ours], lines })).fees).toEqual([
    { attemptId: ours.id, feeMinor: 15n },
  ]);
  expect((await compare({ ours: [{ ...ours, feeMinor: 15n }], lines })).fees).toEqual([]);
});
