import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cancelByStaff } from '../../invoices/cancel-by-staff.ts';
import { expireDueInvoices, expireInvoiceNow } from '../../invoices/expire.ts';
import { newId } from '../../lib/ids.ts';
import { claimCapture, openAttempt } from '../../payments/mutations.ts';
import { SandboxAcquirer } from '../../payments/providers/sandbox/sandbox.ts';
import {
  SANDBOX_OUTCOMES,
  type SandboxOutcome,
} from '../../payments/providers/sandbox/test-cards.ts';
import { cardWith, RETURN_URL } from '../payments.ts';
import { API, answerLate, assertStatus, isCapturing, isInProgress, look, recover } from './life.ts';
import { type Delivery, deliver, resend, resendAll, useUp } from './life-callback.ts';
import { CRASH_STAGES, type CrashStage, type Model, nowOf, type Real } from './life-model.ts';
import { answerChallenge, hasTriedOften, LONG_OUTCOMES, pay, tryOften } from './life-pay.ts';
import {
  assertRefunds,
  dieRefunding,
  failRefundLate,
  leftOf,
  REASONS,
  REFUND_DEATHS,
  recoverRefund,
  refund,
  repeatRefund,
} from './life-refunds.ts';

type Step = {
  name: string;
  check?: (model: Readonly<Model>) => boolean;
  run: (model: Model, real: Real) => Promise<void>;
};

class LifeCommand implements fc.AsyncCommand<Model, Real> {
  private readonly step: Step;

  constructor(step: Step) {
    this.step = step;
  }

  check(model: Readonly<Model>): boolean {
    return this.step.check?.(model) ?? true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.step.run(model, real);
    if (model.refunds.length > 0) await assertRefunds(model, real);
  }

  toString(): string {
    return this.step.name;
  }
}

const command = (step: Step) => new LifeCommand(step);

async function cancel(who: 'merchant' | 'staff', model: Model, real: Real): Promise<void> {
  look(model, real);
  const { lane, tenant, invoiceId } = real;
  const given =
    who === 'merchant'
      ? await lane.invoices.cancel(tenant, invoiceId, { actor: API, now: nowOf(real) })
      : await cancelByStaff(lane.database.pool, tenant, invoiceId, {
          actor: { type: 'staff', id: 'usr_model', label: 'model' },
          now: nowOf(real),
        });
  if (model.status === 'PENDING' && isCapturing(model)) {
    assert.equal(given.outcome, 'payment_in_progress');
  } else if (model.status === 'PENDING' || model.status === 'CANCELED') {
    assert.equal(given.outcome, 'canceled');
    model.status = 'CANCELED';
  } else {
    assert.equal(given.outcome, 'final');
    assert.equal(given.outcome === 'final' && given.status, model.status);
  }
}

/** The merchant's test expires the invoice before its time. */
async function expireNow(model: Model, real: Real): Promise<void> {
  const { outcome } = await expireInvoiceNow(real.lane.database.pool, real.tenant, real.invoiceId, {
    actor: API,
    now: nowOf(real),
  });
  if (model.status === 'PENDING' && isCapturing(model)) {
    assert.equal(outcome, 'payment_in_progress');
  } else if (model.status === 'PENDING' || model.status === 'EXPIRED') {
    assert.equal(outcome, 'expired');
    model.status = 'EXPIRED';
  } else assert.equal(outcome, 'final');
}

/** A process opens a payment, gets as far as `stage`, and dies. */
async function crash(stage: CrashStage, model: Model, real: Real): Promise<void> {
  const { pool } = real.lane.database;
  const now = nowOf(real);
  if (now.getTime() > model.endMs) return;
  const id = newId('pay', now.getTime());
  const base = { id, invoiceId: real.invoiceId, provider: 'sandbox' } as const;
  const isOpened = await openAttempt(pool, { ...base, cardBrand: 'visa', cardLast4: '4242' }, now);
  assert.equal(isOpened, !hasTriedOften(model, real));
  if (!isOpened) return;
  model.attemptsMs.push(now.getTime());
  model.challenge = null;
  model.crash = stage;
  if (stage === 'opened') {
    model.lostAttempts += 1;
    return;
  }
  const acquirer = new SandboxAcquirer(pool);
  const request = { idempotencyKey: id, amountMinor: 1500n, currency: 'USD' } as const;
  const said = await acquirer.authorise(
    { ...request, card: cardWith('4242424242424242'), returnUrl: RETURN_URL },
    now,
  );
  if (said.state !== 'approved') throw new Error(said.state);
  if (stage === 'authorised') return;
  assert.equal(await claimCapture(pool, id, said.authorisationId, now), 'capturing');
  if (stage === 'captured') await acquirer.capture({ authorisationId: said.authorisationId }, now);
  if (stage === 'withdrawn') await acquirer.void(said.authorisationId, now);
}

async function sweep(model: Model, real: Real): Promise<void> {
  await expireDueInvoices(real.lane.database.pool, { now: nowOf(real), limit: 1_000 });
  look(model, real);
}

const isPayable = (model: Readonly<Model>) =>
  model.environment === 'sandbox' && model.status === 'PENDING' && !isInProgress(model);

const payWith = (outcome: SandboxOutcome) =>
  command({ name: `pay(${outcome})`, run: (model, real) => pay(outcome, model, real) });

const wasRefunded = ({ refunds }: Readonly<Model>) => refunds.length > 0;

/** Everything that can happen to the money of a PAID invoice. */
const refundCommands = [
  fc
    .record({
      amountMinor: fc.constantFrom(1n, 300n, 700n, 1499n, null),
      reason: fc.constantFrom(...REASONS),
    })
    .map((wish) =>
      command({
        name: `refund(${wish.amountMinor ?? 'all'}, ${wish.reason})`,
        check: ({ environment }) => environment === 'sandbox',
        run: (model, real) => refund(wish, model, real),
      }),
    ),
  fc.constantFrom(...REFUND_DEATHS).map((stage) =>
    command({
      name: `die refunding(${stage})`,
      check: (model) => leftOf(model) > 0n,
      run: (model, real) => dieRefunding(stage, model, real),
    }),
  ),
  fc.constant(command({ name: 'repeat refund', check: wasRefunded, run: repeatRefund })),
  fc.constantFrom(1_000, 60_000).map((afterMs) =>
    command({
      name: `recover refunds(${afterMs})`,
      check: wasRefunded,
      run: (model, real) => recoverRefund(afterMs, model, real),
    }),
  ),
  fc.constant(
    command({
      name: 'refund fails late',
      check: ({ refunds }) => refunds.some(({ status }) => status === 'SUCCEEDED'),
      run: failRefundLate,
    }),
  ),
];

/** Everything that can happen to an invoice, in any order. */
export const lifeCommands = [
  ...refundCommands,
  fc.constantFrom('approved', ...SANDBOX_OUTCOMES, ...LONG_OUTCOMES).map(payWith),
  fc.constantFrom('approve' as const, 'fail' as const, 'leave' as const).map((given) =>
    command({
      name: `challenge(${given})`,
      check: ({ challenge }) => challenge !== null,
      run: (model, real) => answerChallenge(given, model, real),
    }),
  ),
  fc.constantFrom('merchant' as const, 'staff' as const).map((who) =>
    command({
      name: `cancel by ${who}`,
      run: (model, real) => cancel(who, model, real),
    }),
  ),
  fc.constant(
    command({
      name: 'expire at once',
      check: ({ environment }) => environment === 'sandbox',
      run: expireNow,
    }),
  ),
  fc.constant(
    command({
      name: 'try ten cards',
      // Only after one attempt: ten attempts take time.
      check: (model) => isPayable(model) && model.attemptsMs.length > 0,
      run: tryOften,
    }),
  ),
  fc.constantFrom(...CRASH_STAGES).map((stage) =>
    command({
      name: `crash(${stage})`,
      check: isPayable,
      run: (model, real) => crash(stage, model, real),
    }),
  ),
  fc.constant(
    command({ name: 'answer late', check: ({ slow }) => slow !== null, run: answerLate }),
  ),
  fc.constant(command({ name: 'recover', run: (model, real) => recover(model, real) })),
  fc.constant(
    command({
      name: 'recover early',
      // Before the acquirer has answered, or at that moment.
      check: ({ slow }) => slow?.isOver === false,
      run: (model, real) => recover(model, real, 20_000),
    }),
  ),
  fc.constant(command({ name: 'read', run: assertStatus })),
  fc.constant(command({ name: 'sweep', run: sweep })),
  fc
    .constantFrom(1, 1_000, 5_250, 30_000, 60_000, 20 * 60_000, 59 * 60_000, 60 * 60_000)
    .map((ms) =>
      command({
        name: `wait(${ms})`,
        run: (_model, real) => {
          real.lane.clock.nowMs += ms;
          return Promise.resolve();
        },
      }),
    ),
  fc
    .constantFrom<Delivery>('healthy', 'failing', 'dies before sending', 'dies after sending')
    .map((how) =>
      command({ name: `deliver(${how})`, run: (model, real) => deliver(how, model, real) }),
    ),
  fc.constant(command({ name: 'resend', run: resend })),
  fc.constant(command({ name: 'resend all', run: resendAll })),
  fc.constant(
    command({
      name: 'fail until it is exhausted',
      // Only after a failure: eleven attempts take time.
      check: ({ callback }) => callback?.state === 'pending' && callback.attempts > 0,
      run: useUp,
    }),
  ),
];
