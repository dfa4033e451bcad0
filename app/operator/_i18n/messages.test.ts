import { expect, it } from 'vitest';
import { isAllowed, isResting, PERMISSIONS, type Permission } from '#server/staff/roles.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

const PAUSED = { role: 'owner', status: 'suspended' } as const;

it('the question before a merchant is suspended says what its staff can do then', () => {
  const RESTING = ['invoice.create', 'team.invite'];
  const all = Object.keys(PERMISSIONS) as Permission[];
  expect(all.filter((each) => isResting(PAUSED, each))).toEqual(RESTING);
  expect(all.filter((each) => !isAllowed(PAUSED, each))).toEqual(RESTING);
  expect(en.merchant.suspendText).toContain('do everything but create invoices and invite people.');
  expect(ru.merchant.suspendText).toContain('делать всё, кроме создания счетов и приглашений.');
});
