import type { Queryable } from '../db/pool.ts';
import type { Recipient } from './choices.ts';
import { type NewNotice, noticesTo, writeNotices } from './outbox.ts';
import type { NoticeKind, PaymentChoice, ToldInvoice, Watch } from './types.ts';

/** How many events are read at a time. */
const PAGE = 1_000;
/** So many invoices are named in a notice; the others are counted. */
const NAMED = 5;

const KIND_OF = {
  'invoice.paid': 'payment',
  'refund.failed': 'refund_failed',
  'callback.exhausted': 'callback_exhausted',
} as const satisfies Record<string, NoticeKind>;
type ToldType = keyof typeof KIND_OF;

// Nothing is ever inserted before what was read: server/events/list.ts says why.
const EVENTS = `
  SELECT e.position::text, e.number::text, e.type, e.invoice_id FROM events e
  WHERE e.merchant_id = $1::text AND e.environment = $2::environment
    AND (e.position, e.number) > ($3::bigint, $4::bigint)
    AND e.position < pg_snapshot_xmin(pg_current_snapshot())::text::bigint + event_offset()
  ORDER BY e.position, e.number LIMIT ${PAGE}`;

type EventRow = { position: string; number: string; type: string; invoice_id: string };

/** An invoice with the member of staff who made its payment link, where one did. */
type Found = ToldInvoice & { madeBy: string | null };

async function findInvoices(db: Queryable, ids: string[]): Promise<Map<string, Found>> {
  const { rows } = await db.query<Found>({
    name: 'invoices_of_notices',
    text: `SELECT i.id, i.merchant_transaction_id AS reference, i.description,
                  i.amount_minor::text AS "amountMinor", i.currency,
                  coalesce(a.actor_id, l.created_by_id) AS "madeBy"
           FROM invoices i
           LEFT JOIN LATERAL (SELECT actor_id FROM audit_log
             WHERE target_id = i.id AND action = 'invoice.create' ORDER BY id LIMIT 1) a ON true
           LEFT JOIN payment_link_uses u ON u.invoice_id = i.id
           LEFT JOIN payment_links l ON l.id = u.link_id
           WHERE i.id = ANY($1)`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a person wants to hear of this payment. */
export function isWanted(
  choice: PaymentChoice | null,
  userId: string,
  { amountMinor, currency, madeBy }: Pick<Found, 'amountMinor' | 'currency' | 'madeBy'>,
): boolean {
  switch (choice?.scope) {
    case 'own':
      return madeBy === userId;
    case 'above':
      return currency !== choice.currency || BigInt(amountMinor) > (choice.aboveMinor ?? 0n);
    default:
      return true;
  }
}

/** One notice for all events of a kind in one look: a burst is no flood of messages. */
function noticesOf(
  recipient: Recipient,
  type: ToldType,
  { invoices, watch, place }: { invoices: readonly Found[]; watch: Watch; place: string },
): NewNotice[] {
  const what = KIND_OF[type];
  const choice = recipient.choices.find(({ kind }) => kind === what);
  const wanted = invoices.filter((each) =>
    isWanted(choice?.payments ?? null, recipient.userId, each),
  );
  if (wanted.length === 0) return [];
  const named = wanted.slice(0, NAMED).map(({ madeBy: _, ...each }) => each);
  const { merchantId, environment } = watch;
  return noticesTo(recipient, {
    merchantId,
    environment,
    subject: `${what} ${merchantId} ${environment} ${place}`,
    content: { what, count: wanted.length, invoices: named },
  });
}

const isTold = (type: string): type is ToldType => type in KIND_OF;

/**
 * Writes the notices about a page of events after what was told, and keeps how far it reaches.
 *
 * @returns whether there may be more
 */
export async function lookAtEvents(
  db: Queryable,
  watch: Watch,
  recipients: readonly Recipient[],
  now: Date,
): Promise<boolean> {
  const { merchantId, environment, position, number } = watch;
  const { rows } = await db.query<EventRow>({
    name: 'events_of_notices',
    text: EVENTS,
    values: [merchantId, environment, position, number],
  });
  const last = rows.at(-1);
  if (!last) return false;
  const place = `${last.position}.${last.number}`;
  const kinds = new Set(
    recipients.flatMap(({ choices }) =>
      choices.filter(({ channels }) => channels.length > 0).map(({ kind }) => kind),
    ),
  );
  const told = rows.filter(({ type }) => isTold(type) && kinds.has(KIND_OF[type]));
  if (told.length > 0) {
    const found = await findInvoices(db, [...new Set(told.map((each) => each.invoice_id))]);
    const types = (Object.keys(KIND_OF) as ToldType[]).map((type) => {
      const ids = told.filter((each) => each.type === type).map((each) => each.invoice_id);
      return { type, invoices: ids.flatMap((id) => found.get(id) ?? []) };
    });
    const notices = recipients.flatMap((recipient) =>
      types.flatMap(({ type, invoices }) => noticesOf(recipient, type, { invoices, watch, place })),
    );
    await writeNotices(db, notices, now);
  }
  await db.query(
    `UPDATE notice_watches SET position = $3, number = $4
     WHERE merchant_id = $1 AND environment = $2::environment`,
    [merchantId, environment, last.position, last.number],
  );
  return rows.length === PAGE;
}
