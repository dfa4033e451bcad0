import { expect, it } from 'vitest';
import { isAllowed, permissionsOf } from './roles.ts';

it('a cashier makes links and sees invoices, and nothing else of the business', () => {
  expect(permissionsOf({ role: 'cashier', status: 'active' })).toEqual([
    'account.self',
    'notices.choose',
    'views.keep',
    'invoice.read',
    'invoice.create',
  ]);
});

it('support makes payment links; an operator who acts with support’s permissions makes none', () => {
  const support = { role: 'support', status: 'active' } as const;
  expect(isAllowed(support, 'invoice.create')).toBe(true);
  const acting = { ...support, isActing: true };
  expect(isAllowed(acting, 'invoice.create')).toBe(false);
  expect(isAllowed(acting, 'invoice.cancel')).toBe(true);
});
