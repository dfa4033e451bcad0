import type { DeclineReason } from '../../types.ts';

/** The behaviour of a test card; also the `outcome` of the sandbox's test endpoint. */
export const SANDBOX_OUTCOMES = [
  'approved',
  'generic_decline',
  'insufficient_funds',
  'lost_card',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
  'challenge_approved',
  'challenge_failed',
  'challenge_abandoned',
  'slow_approved',
] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

export type TestCard = {
  /** Digits only; valid by Luhn, with no issuer. */
  number: string;
  brand: 'visa' | 'mastercard';
  outcome: SandboxOutcome;
};

/** The only card numbers that the sandbox takes: a real one is never accepted there. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', outcome: 'approved' },
  { number: '5555555555554444', brand: 'mastercard', outcome: 'approved' },
  { number: '4000000000000002', brand: 'visa', outcome: 'generic_decline' },
  { number: '4000000000009995', brand: 'visa', outcome: 'insufficient_funds' },
  { number: '4000000000009987', brand: 'visa', outcome: 'lost_card' },
  { number: '4000000000000069', brand: 'visa', outcome: 'expired_card' },
  { number: '4000000000000127', brand: 'visa', outcome: 'incorrect_cvc' },
  { number: '4000000000000119', brand: 'visa', outcome: 'processing_error' },
  { number: '4000000000003220', brand: 'visa', outcome: 'challenge_approved' },
  { number: '4000008400001629', brand: 'visa', outcome: 'challenge_failed' },
  { number: '4000000000003055', brand: 'visa', outcome: 'challenge_abandoned' },
  { number: '4000000000000077', brand: 'visa', outcome: 'slow_approved' },
];

/** How long the slow card's acquirer takes to answer. */
export const SLOW_ANSWER_MS = 40_000;

/** The test card with this number, or undefined. */
export function testCardOf(number: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.number === number);
}

/** The test card with these last digits, which no two of them share; undefined when none has them. */
export function testCardEnding(last4: string): TestCard | undefined {
  return TEST_CARDS.find(({ number }) => number.endsWith(last4));
}

/** The first test card with this outcome. */
export function testCardFor(outcome: SandboxOutcome): TestCard {
  const card = TEST_CARDS.find((candidate) => candidate.outcome === outcome);
  if (!card) throw new Error(`no test card stands for ${outcome}`);
  return card;
}

/** The reason for an immediate decline of a card, or null. */
export function declineReasonOf(outcome: SandboxOutcome): DeclineReason | null {
  switch (outcome) {
    case 'approved':
    case 'slow_approved':
    case 'challenge_approved':
    case 'challenge_failed':
    case 'challenge_abandoned':
      return null;
    default:
      return outcome;
  }
}

/** The buyer's choices on the sandbox's 3-D Secure page. */
export type ChallengeAnswer = 'approve' | 'fail' | 'leave';

/** The fixed end of a card's challenge, or null where the buyer decides. */
export function challengeEndOf(outcome: SandboxOutcome): 'fail' | 'leave' | null {
  switch (outcome) {
    case 'challenge_failed':
      return 'fail';
    case 'challenge_abandoned':
      return 'leave';
    default:
      return null;
  }
}
