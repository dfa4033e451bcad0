import type Stripe from 'stripe';
import { withTimeout } from '../../../lib/timeout.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import type { HookActions, HookAnswer, HookRequest, SeenDispute } from '../../provider.ts';
import type { OurMetadata, StripeApi } from './api.ts';
import { currencyOf } from './books.ts';
import { seenRefundOf } from './refunds.ts';
import { isSigned } from './signature.ts';

/** Stripe waits longer for an answer; its call then comes again. */
const ANSWER_MS = 15_000;

const REFUND_EVENTS = /^(refund\.|charge\.refunded$)/;
const PAYMENT_EVENTS = /^(checkout\.session|payment_intent)\./;
const CLOSED_DISPUTES = ['won', 'lost', 'warning_closed', 'prevented'];

type Options = { account: OpenAccount; api: StripeApi };

/** The part of an event that is read. */
type Event = {
  type: string;
  livemode: boolean;
  data: { object: { id: string; metadata?: OurMetadata | null; payment_intent?: unknown } };
};

/**
 * Answers a webhook. What its event is about is asked for; the event itself is not believed.
 *
 * @throws when the question fails or takes too long: Stripe has to come again
 */
export async function answerWebhook(
  request: HookRequest,
  actions: HookActions,
  { now, ...options }: Options & { now: Date },
): Promise<HookAnswer> {
  const { credentials, environment } = options.account;
  const { webhook_secret: secret = '' } = credentials;
  if (!isSigned(request.body, request.header('stripe-signature'), { secret, now })) {
    return answer(400, 'wrong_signature');
  }
  const event = JSON.parse(Buffer.from(request.body).toString('utf8')) as Event;
  if (event.livemode !== (environment === 'production')) return answer(400, 'wrong_environment');
  return await withTimeout(ANSWER_MS, follow(event, actions, options));
}

/** The text is for the merchant, who reads it in Stripe's list of deliveries. */
function answer(status: number, fault: HookAnswer['fault'] = null): HookAnswer {
  const text = fault ?? (status === 200 ? 'ok' : 'come again');
  return { status, contentType: 'text/plain; charset=utf-8', body: text, fault };
}

async function follow(
  event: Event,
  { resume, takeRefund, takeDispute }: HookActions,
  { account, api }: Options,
): Promise<HookAnswer> {
  const { type, data } = event;
  if (type.startsWith('charge.dispute.')) {
    const dispute = disputeOf(await api.readDispute(data.object.id));
    if (dispute) await takeDispute(dispute);
    return answer(200);
  }
  if (REFUND_EVENTS.test(type)) {
    for await (const refund of refundsOf(event, api)) {
      const seen = seenRefundOf(refund);
      if (seen) await takeRefund(seen);
    }
    return answer(200);
  }
  if (!PAYMENT_EVENTS.test(type)) return answer(200);
  const { attempt_id: attemptId, account_id: accountId } = data.object.metadata ?? {};
  // The merchant's account at Stripe may have other shops, and other accounts here.
  if (attemptId === undefined || accountId !== account.id) return answer(200);
  const attempt = await resume({ attemptId });
  // It is ours but not there yet: Stripe comes again.
  return attempt ? answer(200) : answer(503);
}

/** The refund that an event is about, or all refunds of its charge. */
async function* refundsOf(
  { type, data: { object } }: Event,
  api: StripeApi,
): AsyncIterable<Stripe.Refund> {
  if (type !== 'charge.refunded') yield await api.readRefund(object.id);
  else if (typeof object.payment_intent === 'string') yield* api.refundsOf(object.payment_intent);
}

/** A dispute of one of our payments, which all have an intent; null for any other. */
function disputeOf(dispute: Stripe.Dispute): SeenDispute | null {
  const { id, payment_intent: intent, amount, reason, status } = dispute;
  const currency = currencyOf(dispute.currency);
  if (typeof intent !== 'string' || !currency) return null;
  const isClosed = CLOSED_DISPUTES.includes(status);
  const amountMinor = BigInt(amount);
  return { id, transactionId: intent, amountMinor, currency, reason, status, isClosed };
}
