import type { StandInRefund } from '#server/testing/acquirers/books.ts';
import { refundBooksDisagree } from '#server/testing/refunds.ts';
import type { FaultyGateway } from '../gateway.ts';
import type { Finding } from '../report.ts';
import type { Paid } from './paid.ts';

type Row = {
  id: string;
  invoice_id: string;
  amount: string;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  is_ours: boolean;
  reference: string | null;
  created: number;
  succeeded: number;
  failed: number;
};

const REFUNDS = `
  SELECT r.id, r.invoice_id, r.amount_minor::text AS amount, r.status::text, r.reference,
    r.refund_transaction_id IS NOT NULL AS is_ours,
    count(*) FILTER (WHERE e.type = 'refund.created')::int AS created,
    count(*) FILTER (WHERE e.type = 'refund.succeeded')::int AS succeeded,
    count(*) FILTER (WHERE e.type = 'refund.failed')::int AS failed
  FROM refunds r LEFT JOIN events e ON e.refund_id = r.id
  WHERE r.invoice_id = ANY ($1) GROUP BY r.id ORDER BY r.id`;

type Sum = { id: string; captured: string; refunded: string };

const SUMS = `
  SELECT id, amount_minor::text AS captured, refunded_minor::text AS refunded
  FROM invoices WHERE id = ANY ($1) AND status = 'PAID'`;

/** Both sides of the paid invoices' refunds. */
export type Books = { rows: Row[]; sums: Sum[]; there: StandInRefund[] };

/** Reads our refunds, and those of the stand-ins' payments. */
export async function readBooks(gateway: FaultyGateway, paid: readonly Paid[]): Promise<Books> {
  const ids = paid.map(({ invoiceId }) => invoiceId);
  const rows = await gateway.query<Row>(REFUNDS, [ids]);
  const sums = await gateway.query<Sum>(SUMS, [ids]);
  const payments = new Set(paid.flatMap(({ at }) => at?.payment.id ?? []));
  const desks = new Set(paid.flatMap(({ at }) => at?.desk ?? []));
  const there = [...desks].flatMap((desk) => desk.books());
  return { rows, sums, there: there.filter(({ paymentId }) => payments.has(paymentId)) };
}

/** Whether a refund there can be this one here; where it has a name, by its name. */
const isSame = (line: StandInRefund, row: Row): boolean =>
  line.ourId !== null
    ? line.ourId === row.id
    : line.id === null || row.reference === null || line.id === row.reference;

/**
 * Pairs the refunds that gave money back there with ours that SUCCEEDED, one to one.
 *
 * @returns what is left over on either side
 */
function leftOver(paid: readonly Paid[], { rows, there }: Books) {
  const paymentOf = new Map(paid.map(({ invoiceId, at }) => [invoiceId, at?.payment.id]));
  const ours = rows.filter(
    ({ status, invoice_id: id }) => status === 'SUCCEEDED' && paymentOf.get(id) !== undefined,
  );
  const unknown = there
    .filter(({ state }) => state === 'succeeded')
    .filter((line) => {
      const at = ours.findIndex(
        (row) =>
          paymentOf.get(row.invoice_id) === line.paymentId &&
          row.amount === String(line.amountMinor) &&
          isSame(line, row),
      );
      if (at >= 0) ours.splice(at, 1);
      return at < 0;
    });
  return { unknown: unknown.map(({ paymentId }) => paymentId), missing: ours.map(({ id }) => id) };
}

/** What is given back there beyond what was paid. */
const overpaid = (paid: readonly Paid[], { there }: Books): string[] =>
  paid.flatMap(({ invoiceId, at }) => {
    const back = there
      .filter(({ paymentId, state }) => paymentId === at?.payment.id && state === 'succeeded')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    return at && back > at.payment.amountMinor ? [invoiceId] : [];
  });

/** Holds both sides against each other. `late` are our refunds that failed after they succeeded. */
export async function judge(
  gateway: FaultyGateway,
  {
    paid,
    late,
    fitting,
  }: { paid: readonly Paid[]; late: Set<string>; fitting: Map<string, number> },
): Promise<Finding[]> {
  const books = await readBooks(gateway, paid);
  const { rows, sums } = books;
  const sumOf = (id: string, of = rows) =>
    of
      .filter((row) => row.invoice_id === id && row.status !== 'FAILED')
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const { unknown, missing } = leftOver(paid, books);
  const idsOf = (broken: (row: Row) => boolean) => rows.filter(broken).map(({ id }) => id);
  const invoicesOf = (broken: (sum: Sum) => boolean) => sums.filter(broken).map(({ id }) => id);
  const disagree = await gateway.withDatabase(refundBooksDisagree);
  const isKnown = new Set([...rows, ...sums].map(({ id }) => id));
  const partsOf = (id: string, amount: string) =>
    rows.filter((row) => row.invoice_id === id && row.amount === amount).length;
  const crowds = paid.filter(({ invoiceId, amountMinor }) => {
    const fits = fitting.get(invoiceId);
    return fits && partsOf(invoiceId, String(Math.floor(amountMinor / fits))) !== fits;
  });
  const broken: [string, string[]][] = [
    ['every invoice has stayed PAID', sums.length === paid.length ? [] : ['']],
    ['every refund has come to an end', idsOf(({ status }) => status === 'PENDING')],
    [
      'what is refunded of an invoice is the sum of its refunds that have not failed',
      invoicesOf(({ id, refunded }) => sumOf(id) !== BigInt(refunded)),
    ],
    [
      'no invoice is refunded beyond what was captured, here or there',
      [
        ...invoicesOf(({ captured, refunded }) => BigInt(refunded) > BigInt(captured)),
        ...overpaid(paid, books),
      ],
    ],
    ['every refund that succeeded is in the acquirer’s ledger once, of its amount', missing],
    ['the acquirers’ ledgers have no refund that is unknown here, and none twice', unknown],
    ['the sandbox’s ledger and refunds agree', disagree.filter((id) => isKnown.has(id))],
    ['of fifty parts at once as many passed as fit', crowds.map(({ invoiceId }) => invoiceId)],
    [
      'what failed could be refunded again: every invoice is given back to the last unit',
      invoicesOf(({ captured, refunded }) => captured !== refunded),
    ],
    [
      'each refund’s beginning and end are in the event log once',
      idsOf(
        ({ id, status, created, succeeded, failed }) =>
          created !== 1 ||
          failed !== (status === 'FAILED' ? 1 : 0) ||
          succeeded !== (status === 'SUCCEEDED' || late.has(id) ? 1 : 0),
      ),
    ],
  ];
  return broken.map(([sentence, ids]) => {
    if (ids.length > 0) {
      process.stdout.write(`  ${sentence}: ${ids.length} not, ${ids.slice(0, 3).join(' ')}\n`);
    }
    return [sentence, ids.length === 0];
  });
}
