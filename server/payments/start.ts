import type { Pool } from 'pg';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import type { Actor, Invoice, InvoiceStatus } from '../invoices/types.ts';
import { newId } from '../lib/ids.ts';
import { type OpenAccount, openAccount } from '../merchants/acquirer-accounts.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { methodsOf } from './accounts/methods.ts';
import { hookUrl, invoiceUrl, returnUrl } from './addresses.ts';
import { advance } from './advance.ts';
import { contextOf, demandRightClock } from './context.ts';
import { listAttempts } from './data.ts';
import { markFailed, openAttempt } from './mutations.ts';
import type { RedirectProvider } from './provider.ts';
import { NotSentError } from './providers/acquirer-client.ts';
import { openAccountProvider } from './providers/registry.ts';
import { type Locale, type StartRequest, writeStartRequest } from './start-request.ts';
import type { PaymentAttempt } from './types.ts';

export type StartOutcome =
  /** The address to which the buyer goes to pay. */
  | { outcome: 'elsewhere'; url: string }
  | { outcome: 'not_found' }
  | { outcome: 'final'; status: Exclude<InvoiceStatus, 'PENDING'> }
  /** Another payment has the invoice. */
  | { outcome: 'in_progress' }
  /** The invoice does not have this method, or has it no longer. */
  | { outcome: 'unavailable' }
  /** The account's receipts go to the buyer's e-mail address, which was not given. */
  | { outcome: 'email_demanded' }
  /** Nothing was begun: the acquirer refused, or could not be reached. Another method may work. */
  | { outcome: 'refused' }
  /** The acquirer may have begun: the buyer may not go elsewhere before that is known. */
  | { outcome: 'unknown' };

type Choice = {
  invoiceId: string;
  accountId: string;
  /** For the buyer's receipt; kept where the account demands it. */
  buyerEmail?: string | null;
};

type Options = { locale: Locale; clock: () => Date; actor: Actor };

/**
 * Begins a payment at a merchant's acquirer and returns where the buyer goes. A second press or tab
 * leads to the same page while that accepts the payment. Where surely nothing was begun, the
 * merchant's other accounts at the same acquirer are tried, each by an attempt of its own: the buyer
 * pays there in the way that they chose.
 *
 * @throws GatewayError `payment_not_begun`, with nothing begun, where this process's clock is wrong
 */
export async function startPayment(
  db: Pool,
  { invoiceId, accountId, buyerEmail = null }: Choice,
  options: Options,
): Promise<StartOutcome> {
  const now = options.clock();
  const invoice = await readInvoiceForBuyer(db, invoiceId, { now });
  if (!invoice) return { outcome: 'not_found' };
  if (invoice.status !== 'PENDING') return { outcome: 'final', status: invoice.status };
  const methods = (await methodsOf(db, invoice)).filter((each) => each.kind === 'account');
  const chosen = methods.find(({ id }) => id === accountId);
  if (!chosen) return { outcome: 'unavailable' };
  if (chosen.asksEmail && buyerEmail === null) return { outcome: 'email_demanded' };
  if (invoice.captureAttemptId !== null) return { outcome: 'in_progress' };
  await demandRightClock(db);
  const others = methods.filter((each) => each !== chosen && each.provider === chosen.provider);
  let started: StartOutcome = { outcome: 'unavailable' };
  for (const { id, asksEmail } of [chosen, ...others]) {
    const account = asksEmail && buyerEmail === null ? null : await openAccount(db, id);
    if (!account) continue;
    const kept = asksEmail ? buyerEmail : null;
    started = await startAt(db, { invoice, account, buyerEmail: kept, options });
    metrics().paymentStarts.inc({ provider: account.provider, outcome: started.outcome });
    if (started.outcome !== 'refused') break;
  }
  return started;
}

type Given = {
  invoice: Invoice;
  account: OpenAccount;
  /** Null where the account demands none. */
  buyerEmail: string | null;
  options: Options;
};

async function startAt(db: Pool, given: Given): Promise<StartOutcome> {
  const { invoice, account, options } = given;
  const provider = openAccountProvider(db, account, options.clock);
  if (provider.kind === 'redirect') return await startAtPage(db, provider, given);
  const { id: invoiceId, amountMinor } = invoice;
  const { locale } = options;
  const returnTo = `${invoiceUrl(invoiceId)}/return`;
  const url = provider.link({ invoiceId, amountMinor, locale, returnUrl: returnTo });
  return { outcome: 'elsewhere', url };
}

/** One press tries the accounts within this time. */
const PRESS_MS = 60_000;

/**
 * The address of an acquirer's page to which this choice has led before and which still accepts the
 * payment: the chosen account's, or another's that took over when the chosen one began nothing.
 */
function openPage(
  attempts: readonly PaymentAttempt[],
  { account, buyerEmail }: Given,
  { provider, now }: { provider: RedirectProvider; now: Date },
): string | null {
  const open = attempts.find(
    (each) =>
      each.status === 'challenge' &&
      each.provider === provider.name &&
      each.challengeUrl !== null &&
      // The receipt of another page goes to the address that it was given.
      (each.startRequest?.buyerEmail ?? null) === buyerEmail,
  );
  if (!open || open.createdAtMs + provider.pageLifeMs / 2 <= now.getTime()) return null;
  const hasTakenOver = attempts.some(({ status, accountId, createdAtMs }) => {
    const sinceMs = open.createdAtMs - createdAtMs;
    return status === 'failed' && accountId === account.id && sinceMs >= 0 && sinceMs < PRESS_MS;
  });
  return open.accountId === account.id || hasTakenOver ? open.challengeUrl : null;
}

async function startAtPage(
  db: Pool,
  provider: RedirectProvider,
  given: Given,
): Promise<StartOutcome> {
  const { invoice, account, options } = given;
  const now = options.clock();
  const url = openPage(await listAttempts(db, invoice.id), given, { provider, now });
  if (url !== null) return { outcome: 'elsewhere', url };
  const id = newId('pay', now.getTime());
  const request = requestOf(given, id, now);
  const begun = {
    id,
    invoiceId: invoice.id,
    provider: provider.name,
    accountId: account.id,
    cardBrand: null,
    cardLast4: null,
    startRequest: writeStartRequest(request),
  };
  const isOpened = await openAttempt(db, begun, now);
  if (!isOpened) return { outcome: 'in_progress' };
  const context = contextOf(db, provider, options);
  try {
    const answer = await provider.start(request, now);
    return whereTo(await advance(context, id, answer));
  } catch (error) {
    log().warn({ err: error, attemptId: id, account: account.id }, 'a payment did not begin');
    if (!(error instanceof NotSentError)) return { outcome: 'unknown' };
    await markFailed(db, id, options.clock());
    return { outcome: 'refused' };
  }
}

function whereTo({ status, challengeUrl }: PaymentAttempt): StartOutcome {
  if (status === 'challenge' && challengeUrl) return { outcome: 'elsewhere', url: challengeUrl };
  return status === 'declined' ? { outcome: 'refused' } : { outcome: 'in_progress' };
}

function requestOf(
  { invoice, account, buyerEmail, options }: Given,
  attemptId: string,
  now: Date,
): StartRequest {
  return {
    attemptId,
    invoiceId: invoice.id,
    amountMinor: invoice.amountMinor,
    currency: invoice.currency,
    description: invoice.description,
    positions: invoice.positions.map(({ title, amountMinor }) => ({
      title,
      amountMinor: BigInt(amountMinor),
    })),
    buyerEmail,
    locale: options.locale,
    returnUrl: returnUrl(invoice.id, attemptId),
    hookUrl: hookUrl(account),
    createdAtMs: now.getTime(),
  };
}
