import { expect, test } from 'vitest';
import type { ClaimedCallback } from '../types.ts';
import { HeldCallbacks } from './held-callbacks.ts';

const claimed = (id: string, merchantId: string, more: Partial<ClaimedCallback>) =>
  ({ id, merchantId, dueAt: `due ${id}`, ...more }) as ClaimedCallback;
const a = claimed('a', 'one', { environment: 'production', attemptCount: 0 });
const b = claimed('b', 'one', { environment: 'production', attemptCount: 1 });
const c = claimed('c', 'two', { environment: 'sandbox', attemptCount: 0 });

test('what is answered is held and not in flight; what is recorded is neither', () => {
  const held = new HeldCallbacks();
  held.add([a, b, c]);
  held.answered(a);
  expect(held.byMerchant()).toEqual([
    ['one', 'two'],
    ['0,1,0,0,0', '0,0,0,1,0'],
    ['a,b', 'c'],
    ['due a,due b', 'due c'],
  ]);
  held.answered(c);
  held.forget(a);
  held.forget(c);
  expect(held.byMerchant()).toEqual([['one'], ['0,1,0,0,0'], ['b'], ['due b']]);
  expect(held.isEmpty).toBe(false);
  held.forget(b);
  expect(held.isEmpty).toBe(true);
});

test('an answer that was refused is held for a while, and no attempt after it cut short', () => {
  const held = new HeldCallbacks();
  held.add([a]);
  held.answered(a);
  held.refused(a, { againMs: 30_000 });
  const nowMs = performance.now();
  expect(held.byMerchant(nowMs + 29_000)[2]).toEqual(['a']);
  expect(held.byMerchant(nowMs + 30_001)[2]).toEqual([]);
  expect(held.isEmpty).toBe(true);
  held.add([a]);
  held.refused(a, { againMs: 0 });
  expect(held.byMerchant()).toEqual([['one'], ['1,0,0,0,0'], ['a'], ['due a']]);
});
