import { describe, expect, test } from 'vitest';
import { ATTEMPT_STEPS, type AttemptStep, isAtWork, sources } from './state.ts';
import { ATTEMPT_STATUSES, type AttemptStatus } from './types.ts';

// The table is written out again by hand: a change of a rule must change both.
const ALLOWED: Record<AttemptStatus, Partial<Record<AttemptStep, AttemptStatus[]>>> = {
  authorising: {
    challenge: ['challenge'],
    decline: ['declined', 'abandoned'],
    fail: ['failed'],
    claim: ['capturing', 'voiding'],
  },
  challenge: {
    addUrl: ['challenge'],
    decline: ['declined', 'abandoned'],
    claim: ['capturing', 'voiding'],
    giveUp: ['voiding'],
    drop: ['declined', 'abandoned'],
  },
  capturing: {
    hold: ['capturing'],
    capture: ['captured'],
    release: ['voiding'],
    drop: ['declined', 'abandoned'],
    endHold: ['challenge'],
  },
  captured: {},
  voiding: { void: ['voided', 'abandoned'], voidLate: ['voiding'] },
  voided: { voidLate: ['voiding'] },
  declined: { voidLate: ['voiding'] },
  abandoned: { voidLate: ['voiding'] },
  failed: { voidLate: ['voiding'], withdraw: ['voiding'] },
};

describe('the table of an attempt’s states', () => {
  for (const status of ATTEMPT_STATUSES) {
    for (const step of Object.keys(ATTEMPT_STEPS) as AttemptStep[]) {
      const expected = ALLOWED[status][step] ?? [];
      test(`${status} and ${step} give ${expected.join(' or ') || 'no change'}`, () => {
        const { from, to }: { from: readonly AttemptStatus[]; to: readonly AttemptStatus[] } =
          ATTEMPT_STEPS[step];
        expect(from.includes(status) ? to : []).toEqual(expected);
      });
    }
  }

  test('what is captured never changes again', () => {
    expect(Object.values(ATTEMPT_STEPS).flatMap(({ from }) => from)).not.toContain('captured');
  });

  test('statements get their sources from it', () => {
    expect(sources('claim')).toBe("('authorising', 'challenge')");
  });

  test('another attempt waits for authorising and capturing alone', () => {
    expect(ATTEMPT_STATUSES.filter(isAtWork)).toEqual(['authorising', 'capturing']);
  });
});
