import type { Currency } from '../../lib/money.ts';
import type { BookLine } from '../provider.ts';
import type { AttemptStatus } from '../types.ts';

type LineState = BookLine['state'];

/** The statuses of a refund as its row has them. */
export type RefundRowStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED';

/** A payment or refund as it stands in our books. */
export type OurLine = {
  kind: BookLine['kind'];
  id: string;
  /** The acquirer's id of it; null before we know one. */
  acquirerId: string | null;
  invoiceId: string;
  amountMinor: bigint;
  currency: Currency;
  status: AttemptStatus | RefundRowStatus;
  /** What of a payment was given back or is about to be. */
  refundedMinor: bigint;
  feeMinor: bigint | null;
  createdAtMs: number;
  /** Whether the acquirer or we may still be at it: such a line is compared another time. */
  isMoving: boolean;
};

/** One side of a difference. */
export type Side = { amountMinor: bigint; currency: Currency; state: string };

/** A payment or refund on which our books and the acquirer's do not agree. */
export type Difference = {
  kind: BookLine['kind'];
  what: 'missing_there' | 'missing_here' | 'amount' | 'state';
  ourId: string | null;
  acquirerId: string | null;
  invoiceId: string | null;
  /** Null where it is missing. */
  ours: Side | null;
  theirs: Side | null;
  /** When it began, UTC ms: by our clock where we know of it. */
  atMs: number;
};

/** A fee that the acquirer tells and our row does not have. */
export type Fee = { attemptId: string; feeMinor: bigint };

/** Ours of a batch of lines. */
export type Found = {
  /** What the lines name, by our ids or the acquirer's. */
  ours: readonly OurLine[];
  /** The invoices of our payments that the lines name, by the acquirer's ids of the payments. */
  invoices: ReadonlyMap<string, string>;
};

/** The states at the acquirer that agree with each of ours; what it no longer lists has ended. */
const AGREE: Readonly<Record<OurLine['status'], readonly LineState[]>> = {
  authorising: ['open', 'held', 'ended'],
  challenge: ['open', 'held', 'ended'],
  capturing: ['open', 'held', 'succeeded'],
  captured: ['succeeded'],
  voiding: ['open', 'held', 'ended'],
  voided: ['open', 'ended'],
  declined: ['open', 'ended'],
  abandoned: ['open', 'ended'],
  failed: ['open', 'ended'],
  PENDING: ['open', 'held', 'succeeded', 'ended'],
  SUCCEEDED: ['succeeded'],
  FAILED: ['open', 'ended'],
};

const hasMoney = (state: LineState): boolean => state === 'held' || state === 'succeeded';

const ourSide = ({ amountMinor, currency, status }: OurLine): Side => ({
  amountMinor,
  currency,
  state: status,
});

/** How a line of the acquirer's and ours of the same payment or refund differ; null if they agree. */
export function differenceOf(line: BookLine, ours: OurLine): Difference | null {
  if (ours.isMoving) return null;
  const { kind, id: acquirerId, amountMinor, currency, state } = line;
  // Some acquirers list what is left of a payment: less, or one without money.
  const restMinor = ours.amountMinor - ours.refundedMinor;
  const isGivenBack = ours.status === 'captured' && restMinor === 0n && state === 'ended';
  const isSameState = AGREE[ours.status].includes(state) || isGivenBack;
  const isSum = amountMinor === ours.amountMinor || amountMinor === restMinor;
  const isSameSum = isSum && currency === ours.currency;
  if (isSameState && (isSameSum || !hasMoney(state))) return null;
  return {
    kind,
    what: isSameState ? 'amount' : 'state',
    ourId: ours.id,
    acquirerId,
    invoiceId: ours.invoiceId,
    ours: ourSide(ours),
    theirs: { amountMinor, currency, state },
    atMs: ours.createdAtMs,
  };
}

/** Money in the acquirer's books that ours do not know. */
function missingHere(line: BookLine, invoiceId: string | null): Difference {
  const { kind, id, ourId, amountMinor, currency, state, createdAtMs } = line;
  const theirs = { amountMinor, currency, state };
  const what = 'missing_here';
  return { kind, what, ourId, acquirerId: id, invoiceId, ours: null, theirs, atMs: createdAtMs };
}

/** Money in our books of which the acquirer has no line; null for a line of ours without money. */
export function missingThere(ours: OurLine): Difference | null {
  const isMoney = ours.status === 'captured' || ours.status === 'SUCCEEDED';
  if (!isMoney || ours.isMoving) return null;
  const { kind, id, acquirerId, invoiceId, createdAtMs } = ours;
  const side = ourSide(ours);
  const what = 'missing_there';
  return {
    kind,
    what,
    ourId: id,
    acquirerId,
    invoiceId,
    ours: side,
    theirs: null,
    atMs: createdAtMs,
  };
}

const keyOf = (kind: string, id: string) => `${kind} ${id}`;

/** Our line of the acquirer's: the one that it names, and of two payments for one only the known one. */
function matcherOf({ ours }: Found): (line: BookLine) => OurLine | undefined {
  const byId = new Map(ours.map((each) => [keyOf(each.kind, each.id), each]));
  const byTheirs = new Map(
    ours.flatMap((each) =>
      each.acquirerId === null ? [] : [[keyOf(each.kind, each.acquirerId), each] as const],
    ),
  );
  return ({ kind, id, ourId }) => {
    const named = ourId === null ? undefined : byId.get(keyOf(kind, ourId));
    const isIt = named && (named.acquirerId === null || named.acquirerId === id);
    return isIt ? named : byTheirs.get(keyOf(kind, id));
  };
}

export type Counts = { payments: number; refunds: number; differences: number };

/** The readers of both books, and where the findings go. */
export type Books = {
  /** The acquirer's lines, in any order, of a longer time than the span. */
  lines: AsyncIterable<BookLine>;
  /** Ours of some lines, whenever they began. */
  find(lines: readonly BookLine[]): Promise<Found>;
  /** Our lines that began within the span, in batches. */
  ours: AsyncIterable<readonly OurLine[]>;
  /** What began within it is compared, UTC ms; `toMs` exclusive. */
  span: { fromMs: number; toMs: number };
  onDifferences(differences: readonly Difference[]): Promise<void>;
  onFees(fees: readonly Fee[]): Promise<void>;
};

const BATCH = 500;

async function* inBatches<T>(items: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Holds an acquirer's books against ours. Each batch of its lines is held against our rows, then our
 * rows against what was seen of them: only their ids are kept.
 *
 * A line that names no id of ours and none that we know is of another business of the merchant's.
 *
 * @returns how many lines of the acquirer's were ours, and how many differences there are
 */
export async function compareBooks(books: Books): Promise<Counts> {
  const counts: Counts = { payments: 0, refunds: 0, differences: 0 };
  const { fromMs, toMs } = books.span;
  const seen = new Set<string>();
  const tell = async (found: readonly (Difference | null)[]) => {
    const told = found.filter((each) => each !== null);
    const within = told.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    counts.differences += within.length;
    if (within.length > 0) await books.onDifferences(within);
  };
  const readLines = new Set<string>();
  for await (const batch of inBatches(books.lines)) {
    const found = await books.find(batch);
    const match = matcherOf(found);
    const differences: (Difference | null)[] = [];
    const fees: Fee[] = [];
    for (const line of batch) {
      const lineKey = keyOf(line.kind, line.id);
      // A list that grows while it is read shows a line twice.
      if (readLines.has(lineKey)) continue;
      readLines.add(lineKey);
      const ours = match(line);
      const invoiceId = found.invoices.get(line.paymentId) ?? null;
      const isOurs = ours !== undefined || line.ourId !== null || invoiceId !== null;
      if (isOurs) counts[line.kind === 'payment' ? 'payments' : 'refunds'] += 1;
      if (ours) {
        seen.add(keyOf(ours.kind, ours.id));
        differences.push(differenceOf(line, ours));
        const { status, feeMinor } = ours;
        if (status === 'captured' && line.feeMinor !== null && line.feeMinor !== feeMinor) {
          fees.push({ attemptId: ours.id, feeMinor: line.feeMinor });
        }
      } else if (isOurs && hasMoney(line.state)) {
        differences.push(missingHere(line, invoiceId));
      }
    }
    await tell(differences);
    if (fees.length > 0) await books.onFees(fees);
  }
  for await (const batch of books.ours) {
    await tell(batch.filter(({ kind, id }) => !seen.has(keyOf(kind, id))).map(missingThere));
  }
  return counts;
}
