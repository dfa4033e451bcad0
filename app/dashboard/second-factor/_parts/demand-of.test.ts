import { expect, it } from 'vitest';
import { demandOf } from './demand-of.ts';

const merchant = {
  id: 'mer_1',
  name: 'Shop',
  status: 'active' as const,
  timeZone: 'UTC',
  role: 'owner' as const,
  isActing: false,
};
const free = { mustSetUpAsOperator: false, mustSetUpSecondFactor: false, merchant };
const asOperator = { ...free, mustSetUpAsOperator: true };
const atMerchant = { ...free, mustSetUpSecondFactor: true };

it.each([
  [free, '/operator', null],
  [free, '/dashboard', null],
  [asOperator, '/operator', 'gateway'],
  [asOperator, '/operator/merchants?q=x', 'gateway'],
  [asOperator, '/operator?x', 'gateway'],
  [{ ...asOperator, merchant: null }, '/operator', 'gateway'],
  [asOperator, '/dashboard/sandbox', null],
  [atMerchant, '/operator', null],
  [atMerchant, '/dashboard/sandbox', 'merchant'],
  [{ ...atMerchant, mustSetUpAsOperator: true }, '/dashboard', 'merchant'],
  [{ ...atMerchant, mustSetUpAsOperator: true }, '/operator', 'gateway'],
])('%j at %s: %s', (session, path, demand) => {
  expect(demandOf(session, path)).toBe(demand);
});
