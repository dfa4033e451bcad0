import { OPEN, sqlList } from '#server/payments/state.ts';
import { booksDisagree } from '#server/testing/payments.ts';
import type { FaultyGateway } from '../gateway.ts';
import type { Arrivals } from '../receiver.ts';
import type { Finding } from '../report.ts';
import type { Acquirer } from './stand-ins.ts';

const CODES: Record<string, number> = { PAID: 2, EXPIRED: 3, CANCELED: 4 };

type Row = {
  id: string;
  status: string;
  amount: string;
  extra_data: string | null;
  is_held: boolean;
  open_attempts: number;
  open_transactions: number;
  card_captures: number;
  callbacks: number;
};

const INVOICES = `
  SELECT i.id, i.status::text, i.amount_minor::text AS amount, i.extra_data,
    i.capture_attempt_id IS NOT NULL AND i.status <> 'PAID' AS is_held,
    (SELECT count(*)::int FROM payment_attempts p
     WHERE p.invoice_id = i.id AND p.status IN ${sqlList(OPEN)}) AS open_attempts,
    (SELECT count(*)::int FROM acquirer_transactions t
     WHERE t.invoice_id = i.id AND t.state = 'created') AS open_transactions,
    (SELECT count(*)::int FROM payment_attempts p
     JOIN sandbox_authorisations a ON a.idempotency_key = p.id
     JOIN sandbox_ledger_entries e ON e.authorisation_id = a.id AND e.kind = 'capture'
     WHERE p.invoice_id = i.id) AS card_captures,
    (SELECT count(*)::int FROM callbacks c WHERE c.invoice_id = i.id) AS callbacks
  FROM invoices i WHERE i.id = ANY ($1) ORDER BY i.id`;

type Seen = { ids: readonly string[]; acquirers: Acquirer[]; arrivals: Map<string, Arrivals> };

export type Ledgers = {
  /** By finding: the invoices that break it. */
  broken: Map<string, string[]>;
  captures: number;
  cardCaptures: number;
  /** Payments that ended without money: refused, given back or never made. */
  ended: number;
  told: number;
  /** Callbacks that a receiver accepted more than once. */
  repeats: number;
};

const isTold = ({ status }: Row, arrived: Arrivals | undefined): boolean =>
  arrived !== undefined &&
  arrived.accepted > 0 &&
  arrived.webhookIds.size === 1 &&
  arrived.statuses.size === 1 &&
  arrived.statuses.has(CODES[status] ?? -1);

/** Holds the ledgers of the stand-ins and of the sandbox against our rows and the callbacks. */
export async function compareLedgers(gateway: FaultyGateway, seen: Seen): Promise<Ledgers> {
  const { ids, acquirers, arrivals } = seen;
  const rows = await gateway.query<Row>(INVOICES, [ids]);
  const cardBooks = new Set(await gateway.withDatabase(booksDisagree));
  const payments = acquirers.flatMap((each) => each.books());
  const of = (id: string, state: string) =>
    payments.filter((each) => each.invoiceId === id && each.state === state);
  const capturesOf = ({ id, card_captures }: Row) => of(id, 'succeeded').length + card_captures;
  const breaks = (rule: (row: Row) => boolean) => rows.filter(rule).map(({ id }) => id);
  const broken = new Map([
    ['every invoice is final', breaks(({ status }) => status === 'PENDING')],
    [
      'no capture at an acquirer without PAID here',
      breaks((row) => row.status !== 'PAID' && capturesOf(row) > 0),
    ],
    [
      'no PAID here without exactly one capture',
      breaks((row) => row.status === 'PAID' && capturesOf(row) !== 1),
    ],
    [
      'each capture is of the invoice’s amount, by the payment that the merchant was told of',
      breaks(({ id, amount, extra_data }) =>
        of(id, 'succeeded').some(
          (each) =>
            String(each.amountMinor) !== amount ||
            JSON.parse(extra_data ?? '{}').transaction_id !== each.id,
        ),
      ),
    ],
    ['the sandbox’s ledger and invoices agree', ids.filter((id) => cardBooks.has(id))],
    ['no acquirer holds money', breaks(({ id }) => of(id, 'held').length > 0)],
    [
      'no invoice is reserved, and no payment is under way',
      breaks((row) => row.is_held || row.open_attempts + row.open_transactions > 0),
    ],
    [
      'each merchant was told once of each invoice, by one id, repeats included',
      breaks((row) => row.callbacks !== 1 || !isTold(row, arrivals.get(row.id))),
    ],
  ]);
  const arrived = ids.flatMap((id) => arrivals.get(id) ?? []);
  const count = (state: string) => payments.filter((each) => each.state === state).length;
  return {
    broken,
    captures: count('succeeded'),
    cardCaptures: rows.reduce((sum, row) => sum + row.card_captures, 0),
    ended: count('ended'),
    told: arrived.filter(({ accepted }) => accepted > 0).length,
    repeats: arrived.reduce((sum, { accepted }) => sum + Math.max(0, accepted - 1), 0),
  };
}

/** Prints the payments of a few invoices that break a finding: what became of them is gone later. */
export async function printUnsettled(gateway: FaultyGateway, { broken }: Ledgers): Promise<void> {
  const ids = [...new Set([...broken.values()].flat())].slice(0, 3);
  const rows = await gateway.query<{ payment: string }>(
    `SELECT concat_ws(' ', i.id, i.status, p.id, p.provider, p.status, 'since', p.updated_at::text,
       'next look', p.recover_at::text) AS payment
     FROM invoices i JOIN payment_attempts p ON p.invoice_id = i.id
     WHERE i.id = ANY ($1) ORDER BY i.id, p.created_at`,
    [ids],
  );
  for (const { payment } of rows) process.stdout.write(`  ${payment}\n`);
}

/** Each sentence with whether it holds; what breaks it is printed, a few ids of each. */
export function toFindings({ broken }: Ledgers): Finding[] {
  return [...broken].map(([sentence, ids]) => {
    if (ids.length > 0) {
      process.stdout.write(`  ${sentence}: ${ids.length} not, ${ids.slice(0, 3).join(' ')}\n`);
    }
    return [sentence, ids.length === 0];
  });
}
