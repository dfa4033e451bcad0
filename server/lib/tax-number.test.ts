import { expect, test } from 'vitest';
import { taxNumberFault, taxNumberKind } from './tax-number.ts';

test.each([
  ['301234567', 'inn'],
  ['31501856230012', 'pinfl'],
  // The tax service’s own, and that of a person from its form’s example.
  ['7707329152', 'inn'],
  ['500100732259', 'inn'],
  ['DE 811.569/869', 'other'],
  ['KZ 123456789012', 'other'],
] as const)('%s is a tax number', (number, kind) => {
  expect(taxNumberFault(number)).toBeNull();
  expect(taxNumberKind(number)).toBe(kind);
});

test.each([
  ['30123456', 'digits'],
  ['3012345678901', 'digits'],
  ['7707329153', 'check'],
  ['500100732258', 'check'],
  ['500100732269', 'check'],
  ['<b>1</b>', 'characters'],
  ['KZ 1234567890123456789', 'characters'],
  ['-', 'characters'],
] as const)('%s is none', (number, fault) => {
  expect(taxNumberFault(number)).toBe(fault);
});
