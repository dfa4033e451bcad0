import { expect, test } from 'vitest';
import { REFUND_STEPS, type RefundStep, sources } from './state.ts';
import { REFUND_STATUSES, type RefundStatus } from './types.ts';

const MATRIX: Record<RefundStep, Record<RefundStatus, RefundStatus | null>> = {
  succeed: { PENDING: 'SUCCEEDED', SUCCEEDED: null, FAILED: null },
  fail: { PENDING: 'FAILED', SUCCEEDED: 'FAILED', FAILED: null },
};

test.each(Object.keys(MATRIX) as RefundStep[])('%s from every status', (step) => {
  const { from, to } = REFUND_STEPS[step];
  for (const status of REFUND_STATUSES) {
    const isSource = (from as readonly RefundStatus[]).includes(status);
    expect([status, isSource ? to : null]).toEqual([status, MATRIX[step][status]]);
    expect(sources(step).includes(`'${status}'`)).toBe(isSource);
  }
});
