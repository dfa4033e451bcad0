import { expect, test } from 'vitest';
import { invitationEmail } from './email-templates.ts';

test.each([
  ['Ромашка', 'Приглашение в команду магазина «Ромашка»'],
  ['ООО «Ромашка»', 'Приглашение в команду магазина ООО «Ромашка»'],
  ['Shop "A"', 'Приглашение в команду магазина Shop "A"'],
])('a Russian e-mail puts %s into quotes once', (merchantName, subject) => {
  const invitation = { invitedBy: 'a@example.com', role: 'viewer', url: 'http://a' } as const;
  const expiresAt = new Date('2026-11-27T00:00:00Z');
  const message = invitationEmail('ru', { merchantName, expiresAt, ...invitation });
  expect(message.subject).toBe(subject);
});
