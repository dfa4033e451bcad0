import { expect, it } from 'vitest';
import { readFault, writeFault } from './account-faults.ts';

it.each([
  { code: 'wrong_key', detail: null },
  { code: 'unexpected_answer', detail: '503' },
  { code: 'credentials_refused', detail: 'ERROR: a\nb' },
] as const)('the fault %j is read as it was written', (fault) => {
  expect(readFault(writeFault(fault))).toEqual(fault);
});

it('a sentence that an earlier version stored stays as it is', () => {
  const sentence = 'Click answered 502.';
  expect(readFault(sentence)).toEqual({ code: null, detail: sentence });
  expect(writeFault({ code: null, detail: sentence })).toBe(sentence);
});
