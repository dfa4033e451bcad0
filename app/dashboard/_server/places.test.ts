import { expect, it, vi } from 'vitest';
import { ROLES, type Role } from '#server/merchants/types.ts';
import { permissionsOf } from '#server/staff/roles.ts';
import { placesOf } from './places.ts';

vi.mock('#app/_i18n/request-locale.ts', () => ({ surfaceLocale: async () => 'en' }));

/** The links of this role's places in the sandbox, below its overview. */
async function hrefsOf(role: Role, isOperator = false): Promise<string[]> {
  const permissions = permissionsOf({ role, status: 'active' });
  const { screens, more } = await placesOf('sandbox', { isOperator }, { permissions });
  return [...screens, ...more].map(({ href }) => href.replace('/dashboard/sandbox', ''));
}

it.each([
  ['/audit-log', ['owner', 'admin', 'finance']],
  ['/invoices/new', ['owner', 'admin', 'developer', 'support', 'cashier']],
  ['/developers#token-name', ['owner', 'admin', 'developer']],
  ['/callbacks/test', ['owner', 'admin', 'developer']],
  ['/developers/requests', ['owner', 'admin', 'developer', 'finance', 'support']],
  ['/payment-methods', ROLES.filter((role) => role !== 'cashier')],
  ['/payment-methods/connect', ['owner', 'admin']],
  ['/invoices', ROLES],
  ['/links', ROLES],
  ['/docs', ROLES],
])('%s is shown to whom it opens: %j', async (href, roles) => {
  const shown: Role[] = [];
  for (const role of ROLES) if ((await hrefsOf(role)).includes(href)) shown.push(role);
  expect(shown.toSorted()).toEqual(roles.toSorted());
});

it('the operator’s pages are shown to operators', async () => {
  expect(await hrefsOf('owner')).not.toContain('/operator');
  expect(await hrefsOf('viewer', true)).toContain('/operator');
});
