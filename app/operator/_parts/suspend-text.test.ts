import { expect, it } from 'vitest';
import { messagesAt } from '#server/i18n/translator.ts';
import { isAllowed, isResting, PERMISSIONS, type Permission } from '#server/staff/roles.ts';

const PAUSED = { role: 'owner', status: 'suspended' } as const;

it('the question before a merchant is suspended says what its staff can do then', () => {
  const RESTING = [
    'notices.choose',
    'views.keep',
    'invoice.create',
    'register.email',
    'attention.acknowledge',
    'refunds.write',
    'callback.resend',
    'receipt.resend',
    'callback.test',
    'token.manage',
    'secret.manage',
    'events.manage',
    'team.invite',
    'settings.manage',
    'acquirer.manage',
  ];
  const all = Object.keys(PERMISSIONS) as Permission[];
  expect(all.filter((each) => isResting(PAUSED, each))).toEqual(RESTING);
  expect(all.filter((each) => !isAllowed(PAUSED, each))).toEqual(RESTING);
  expect(messagesAt('en', 'operator.merchant').suspendText).toContain(
    'but not create, send or change anything else.',
  );
  expect(messagesAt('ru', 'operator.merchant').suspendText).toContain(
    'но не создавать, отправлять или менять что-либо ещё.',
  );
});
