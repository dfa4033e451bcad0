import type { Queryable } from '../db/pool.ts';
import { epochMs } from '../invoices/columns.ts';
import type { InvoiceStatus } from '../invoices/types.ts';
import type { Currency } from '../lib/money.ts';
import type { Environment, Tenant } from '../merchants/types.ts';
import type { LinkField, LinkState, PaymentLink } from './types.ts';

type Row = {
  id: string;
  code: string;
  merchant_id: string;
  environment: Environment;
  title: string;
  description: string | null;
  currency: Currency;
  amount_minor: string | null;
  least_minor: string | null;
  greatest_minor: string | null;
  max_quantity: number;
  asks_note: LinkField;
  asks_email: LinkField;
  asks_phone: LinkField;
  uses_limit: number | null;
  ends_at_ms: number | null;
  is_on: boolean;
  created_at_ms: number;
  state: LinkState;
};

/** The invoices of the link `l` that are paid or can be. */
export const LIVE_USES = `(
  SELECT count(*)::int FROM payment_link_uses u JOIN invoices i ON i.id = u.invoice_id
  WHERE u.link_id = l.id AND i.status IN ('PENDING', 'PAID'))`;

// Uses are counted only where the column says that the limit is reached.
const COLUMNS = `l.id, l.code, l.merchant_id, l.environment, l.title, l.description, l.currency,
  l.amount_minor::text, l.least_minor::text, l.greatest_minor::text, l.max_quantity,
  l.asks_note, l.asks_email, l.asks_phone, l.uses_limit, ${epochMs('l.ends_at')} AS ends_at_ms,
  l.is_on, ${epochMs('l.created_at')} AS created_at_ms,
  CASE WHEN NOT l.is_on OR m.status <> 'active' THEN 'off'
       WHEN l.ends_at <= $1::timestamptz THEN 'ended'
       WHEN l.uses < l.uses_limit OR l.uses_limit IS NULL THEN 'open'
       WHEN ${LIVE_USES} >= l.uses_limit THEN 'sold_out'
       ELSE 'open' END AS state`;
const FROM = 'payment_links l JOIN merchants m ON m.id = l.merchant_id';

function toLink(row: Row): PaymentLink {
  const { amount_minor, least_minor, greatest_minor } = row;
  return {
    id: row.id,
    code: row.code,
    merchantId: row.merchant_id,
    environment: row.environment,
    title: row.title,
    description: row.description,
    currency: row.currency,
    price:
      amount_minor === null
        ? { leastMinor: BigInt(least_minor ?? 0), greatestMinor: BigInt(greatest_minor ?? 0) }
        : { amountMinor: BigInt(amount_minor) },
    maxQuantity: row.max_quantity,
    asksNote: row.asks_note,
    asksEmail: row.asks_email,
    asksPhone: row.asks_phone,
    usesLimit: row.uses_limit,
    endsAtMs: row.ends_at_ms,
    isOn: row.is_on,
    createdAtMs: row.created_at_ms,
    state: row.state,
  };
}

/** A link by its code alone: whoever knows it may order there. */
export async function readLinkForBuyer(
  db: Queryable,
  code: string,
  now: Date,
): Promise<PaymentLink | null> {
  const { rows } = await db.query<Row>({
    name: 'link_by_code',
    text: `SELECT ${COLUMNS} FROM ${FROM} WHERE l.code = $2::text`,
    values: [now.toISOString(), code],
  });
  return rows[0] ? toLink(rows[0]) : null;
}

/** What became of a link's uses. */
export type LinkFigures = {
  /** Invoices that are paid or can be. */
  uses: number;
  paid: number;
  /** The sum of the paid ones, before refunds. */
  paidMinor: bigint;
};

export type LinkOfStaff = PaymentLink & LinkFigures;

type FiguresRow = Row & { live: number; paid: number; paid_minor: string };

// The uses of one link are read by its index, and each invoice by its key.
const FIGURES = `LEFT JOIN LATERAL (
    SELECT count(*)::int AS live, count(*) FILTER (WHERE i.status = 'PAID')::int AS paid,
           coalesce(sum(i.amount_minor) FILTER (WHERE i.status = 'PAID'), 0)::text AS paid_minor
    FROM payment_link_uses u JOIN invoices i ON i.id = u.invoice_id
    WHERE u.link_id = l.id AND i.status IN ('PENDING', 'PAID')) f ON true`;

function toLinkOfStaff(row: FiguresRow): LinkOfStaff {
  const { live: uses, paid } = row;
  return { ...toLink(row), uses, paid, paidMinor: BigInt(row.paid_minor) };
}

/** A list beyond this many would be no list for people. */
const MOST_LISTED = 200;

/** The tenant's newest links, with their figures. */
export async function listLinks(db: Queryable, tenant: Tenant, now: Date): Promise<LinkOfStaff[]> {
  const { rows } = await db.query<FiguresRow>({
    name: 'links_of_tenant',
    text: `SELECT ${COLUMNS}, f.live, f.paid, f.paid_minor FROM ${FROM} ${FIGURES}
           WHERE l.merchant_id = $2::text AND l.environment = $3::environment
           ORDER BY l.id DESC LIMIT ${MOST_LISTED}`,
    values: [now.toISOString(), tenant.merchantId, tenant.environment],
  });
  return rows.map(toLinkOfStaff);
}

/** One of the tenant's links, with its figures; null for any other id. */
export async function readLink(
  db: Queryable,
  tenant: Tenant,
  id: string,
  now: Date,
): Promise<LinkOfStaff | null> {
  const { rows } = await db.query<FiguresRow>({
    name: 'link_of_tenant',
    text: `SELECT ${COLUMNS}, f.live, f.paid, f.paid_minor FROM ${FROM} ${FIGURES}
           WHERE l.id = $4::text AND l.merchant_id = $2::text AND l.environment = $3::environment`,
    values: [now.toISOString(), tenant.merchantId, tenant.environment, id],
  });
  return rows[0] ? toLinkOfStaff(rows[0]) : null;
}

/** What a buyer typed at the link that an invoice came from. */
export type LinkUse = {
  linkId: string;
  linkTitle: string;
  quantity: number;
  note: string | null;
  email: string | null;
  phone: string | null;
};

/** The link that an invoice of the tenant came from; null for one that came from none. */
export async function readLinkUse(
  db: Queryable,
  tenant: Tenant,
  invoiceId: string,
): Promise<LinkUse | null> {
  const { rows } = await db.query<LinkUse>({
    name: 'link_use',
    text: `SELECT l.id AS "linkId", l.title AS "linkTitle", u.quantity, u.note, u.email, u.phone
           FROM payment_link_uses u JOIN payment_links l ON l.id = u.link_id
           WHERE u.invoice_id = $1::text AND l.merchant_id = $2::text
             AND l.environment = $3::environment`,
    values: [invoiceId, tenant.merchantId, tenant.environment],
  });
  return rows[0] ?? null;
}

/** An invoice that a link made, and what its buyer typed. */
export type LinkOrderItem = {
  invoiceId: string;
  status: InvoiceStatus;
  amountMinor: bigint;
  createdAtMs: number;
  quantity: number;
  note: string | null;
  email: string | null;
  phone: string | null;
};

const MOST_ORDERS = 50;

/** The newest invoices of one of the tenant's links. */
export async function listUses(
  db: Queryable,
  tenant: Tenant,
  linkId: string,
): Promise<LinkOrderItem[]> {
  const { rows } = await db.query<Omit<LinkOrderItem, 'amountMinor'> & { amountMinor: string }>({
    name: 'uses_of_link',
    text: `SELECT u.invoice_id AS "invoiceId", i.status, i.amount_minor::text AS "amountMinor",
             ${epochMs('i.created_at')} AS "createdAtMs", u.quantity, u.note, u.email, u.phone
           FROM payment_link_uses u JOIN payment_links l ON l.id = u.link_id
           JOIN invoices i ON i.id = u.invoice_id
           WHERE u.link_id = $1::text AND l.merchant_id = $2::text
             AND l.environment = $3::environment
           ORDER BY u.invoice_id DESC LIMIT ${MOST_ORDERS}`,
    values: [linkId, tenant.merchantId, tenant.environment],
  });
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
}
