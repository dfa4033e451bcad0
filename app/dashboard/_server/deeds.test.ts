import { expect, it } from 'vitest';
import { localesOf, translatorOf } from '#server/i18n/translator.ts';
import { ROLES, type Role } from '#server/merchants/types.ts';
import { permissionsOf } from '#server/staff/roles.ts';
import { deedsOf } from './deeds.ts';

function deedsFor(role: Role, status: 'active' | 'suspended' = 'active'): string[] {
  const language = { t: translatorOf('en', 'dashboard'), locale: 'en' } as const;
  const locales = localesOf('dashboard');
  return deedsOf('sandbox', permissionsOf({ role, status }), { ...language, locales })
    .filter(({ href }) => !href.startsWith('?lang='))
    .map(({ text }) => text);
}

const OF_ALL = ['Set up a second factor', 'Change your password', 'Choose notifications'];

it('offers each role only what it may do', () => {
  expect(deedsFor('owner')).toHaveLength(13);
  expect(deedsFor('viewer')).toEqual([...OF_ALL, 'Export invoices', 'Yesterday’s register']);
  expect(deedsFor('cashier')).toEqual([...OF_ALL, 'New reusable link']);
  expect(deedsFor('admin')).toContain('Invite someone');
  expect(deedsFor('developer')).toContain('Rotate the signing secret');
  for (const role of ROLES) {
    expect(deedsFor(role).includes('Invite someone')).toBe(['owner', 'admin'].includes(role));
  }
});

it('offers no change while the merchant is suspended', () => {
  expect(deedsFor('owner', 'suspended')).not.toContain('Rotate the signing secret');
});

it('leads to the other languages, by their own names', () => {
  const language = {
    t: translatorOf('ru', 'dashboard'),
    locale: 'ru',
    locales: localesOf('dashboard'),
  } as const;
  const deeds = deedsOf('sandbox', [], language);
  expect(deeds.map(({ href }) => href)).toContain('?lang=en');
  expect(deeds.map(({ href }) => href)).not.toContain('?lang=ru');
});
