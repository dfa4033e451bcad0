'use server';

import { refresh } from 'next/cache';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getPool } from '#server/db/pool.ts';
import { vouchedPeer } from '#server/http/peer-address.ts';
import { readInvoiceForBuyer } from '#server/invoices/data.ts';
import type { Actor } from '#server/invoices/types.ts';
import { buyerEmailOf } from '#server/lib/buyer-email.ts';
import { log } from '#server/observability/log.ts';
import { listAttempts } from '#server/payments/data.ts';
import { type PayOutcome, payInvoice } from '#server/payments/pay.ts';
import { testCardsOf } from '#server/payments/providers/registry.ts';
import { answerSandboxChallenge } from '#server/payments/providers/sandbox/sandbox-challenge.ts';
import { isAtWork } from '#server/payments/state.ts';
import type { Card } from '#server/payments/types.ts';
import { requestIdOf } from '#server/rest/request-id.ts';
import { settings } from '#server/settings/settings.ts';
import { checkCard } from './form/card-rules.ts';
import { emptiedAfter, type PayFormState, SECRETS } from './form/form-state.ts';
import { isAttemptId, isInvoiceId, rememberEmail, WAIT_MS } from './loader.ts';
import { buyerLocale } from './locale.ts';
import { wayToChallenge } from './way-to-challenge.ts';

const MINUTE_MS = 60_000;

/** A form's field, cut at a length that nobody reaches by accident. */
function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.slice(0, 400) : '';
}

/** The invoice of a form; a form without one ends on the page for an unknown payment. */
function invoiceIdOf(form: FormData): string {
  const invoiceId = field(form, 'invoiceId');
  // `notFound()` in an action would show the site's page, not this one.
  return isInvoiceId(invoiceId) ? invoiceId : redirect('/pay/unknown');
}

type Request = { scripted: boolean; actor: Actor; address: string };

async function currentRequest(): Promise<Request> {
  const list = await headers();
  return {
    // Next's own script sends this; a plain form post does not.
    scripted: list.has('next-action'),
    actor: { type: 'buyer', requestId: requestIdOf(list.get('x-request-id')) },
    address: vouchedPeer(list),
  };
}

/**
 * The notice after a failure: an attempt is written before the acquirer is called, so nothing can
 * have been charged if no attempt could have reached it.
 */
async function noticeAfterFailure(
  invoiceId: string,
  sinceMs: number,
): Promise<'notStarted' | 'unclear' | null> {
  try {
    const attempts = await listAttempts(getPool(), invoiceId);
    if (attempts.some(({ status }) => isAtWork(status))) return null;
    return attempts.some(({ createdAtMs }) => createdAtMs >= sinceMs) ? null : 'notStarted';
  } catch (error) {
    log().error({ err: error, invoiceId }, 'no way to tell what became of a payment');
    return 'unclear';
  }
}

type Attempted = PayOutcome | { outcome: 'real_card' } | { outcome: 'trouble'; sinceMs: number };

async function attempt(
  invoiceId: string,
  card: Card,
  buyer: Pick<Request, 'actor' | 'address'>,
): Promise<Attempted> {
  const db = getPool();
  const sinceMs = Date.now();
  try {
    const invoice = await readInvoiceForBuyer(db, invoiceId, { now: new Date(sinceMs) });
    // The check comes before any card data is stored, even the last digits.
    const testCards = invoice && testCardsOf(invoice.environment);
    if (testCards && !testCards.some(({ number }) => number === card.number)) {
      return { outcome: 'real_card' };
    }
    return await payInvoice(db, invoiceId, card, {
      ...buyer,
      clock: () => new Date(),
      waitMs: WAIT_MS,
      onLateError: (error) => log().error({ err: error, invoiceId }, 'a payment was interrupted'),
    });
  } catch (error) {
    log().error({ err: error, invoiceId }, 'a payment could not be made');
    return { outcome: 'trouble', sinceMs };
  }
}

/** Without it the payment goes on: the confirmation can be had from the page. */
async function rememberTyped(invoiceId: string, email: string): Promise<void> {
  try {
    await rememberEmail(invoiceId, buyerEmailOf(email), await buyerLocale(invoiceId));
  } catch (error) {
    log().error({ err: error, invoiceId }, 'a buyer’s address could not be kept');
  }
}

/**
 * Pays with the card in the form.
 *
 * It ends in a redirect (303) without JavaScript, so that a reload never pays twice; only if
 * nothing was tried does the answer to the post itself render the page. The card leaves this
 * function only towards the acquirer: no URL, cookie or state carries it.
 */
export async function pay(previous: PayFormState, form: FormData): Promise<PayFormState> {
  const invoiceId = invoiceIdOf(form);
  const name = field(form, 'nameOnCard');
  const email = field(form, 'email');
  const answer = (rest: Partial<PayFormState>): PayFormState => ({
    serial: previous.serial + 1,
    name,
    email,
    faults: {},
    notice: null,
    emptied: SECRETS,
    ...rest,
  });
  const { scripted, ...buyer } = await currentRequest();

  const checked = checkCard(
    {
      number: field(form, 'cardNumber'),
      expiry: field(form, 'expiryDate'),
      securityCode: field(form, 'securityCode'),
      name,
      email,
    },
    new Date(),
  );
  // The buyer corrects the fault in place.
  if ('faults' in checked) return answer({ faults: checked.faults, emptied: [] });

  if (form.has('email')) await rememberTyped(invoiceId, email);
  const tried = await attempt(invoiceId, checked.card, buyer);
  if (tried.outcome === 'real_card') return answer({ faults: { number: 'number_test' } });
  if (tried.outcome === 'trouble') {
    const notice = await noticeAfterFailure(invoiceId, tried.sinceMs);
    // An attempt that has not begun requires no new typing.
    if (notice === 'notStarted') return answer({ notice, emptied: [] });
    if (notice) return answer({ notice });
  }
  if (tried.outcome === 'attempted' && tried.attempt.status === 'challenge') {
    redirect(wayToChallenge(tried.attempt, { scripted, publicUrl: settings().publicUrl }));
  }
  if (tried.outcome === 'throttled') {
    const waitMin = Math.ceil(tried.waitMs / MINUTE_MS);
    return answer({ notice: 'throttled', waitMin, emptied: [] });
  }
  if (!scripted) redirect(`/pay/${invoiceId}`);
  refresh();
  if (tried.outcome === 'attempted') {
    return answer({ emptied: emptiedAfter(tried.attempt.declineReason) });
  }
  return answer({ notice: tried.outcome === 'in_progress' ? 'in_progress' : null });
}

/** The buyer's choice on the sandbox's 3-D Secure page. */
export async function confirm(form: FormData): Promise<void> {
  const invoiceId = invoiceIdOf(form);
  const { actor } = await currentRequest();
  const answer = field(form, 'answer');
  const known = answer === 'approve' || answer === 'fail' || answer === 'leave';
  const attemptId = field(form, 'attemptId');
  if (known && isAttemptId(attemptId)) {
    const challenge = { invoiceId, attemptId, answer } as const;
    try {
      await answerSandboxChallenge(getPool(), challenge, { clock: () => new Date(), actor });
    } catch (error) {
      // The next page shows the rows' state; recovery finishes the rest.
      log().error({ err: error, invoiceId }, 'a challenge could not be answered');
    }
  }
  redirect(`/pay/${invoiceId}`);
}
