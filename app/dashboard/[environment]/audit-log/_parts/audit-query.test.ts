import { expect, it } from 'vitest';
import { readAuditQuery, toAuditFilter } from './audit-query.ts';

const CHOICES = { people: [{ id: 'usr_1', name: 'a@example.com' }], actions: ['member.role'] };

it.each([
  ['usr_1', 'usr_1'],
  ['gateway', 'gateway'],
  ['usr_2', ''],
  ['a@example.com', ''],
])('of the person “%s” it keeps “%s”', (given, kept) => {
  expect(readAuditQuery({ person: given }, CHOICES).person).toBe(kept);
});

it.each([
  ['member.role', 'member.role'],
  ['member', ''],
  ['gateway', ''],
])('of the action “%s” it keeps “%s”', (given, kept) => {
  expect(readAuditQuery({ action: given }, CHOICES).action).toBe(kept);
});

it('takes two days in either order', () => {
  const turned = { from: '2026-11-02', to: '2026-02-01' };
  expect(readAuditQuery(turned, CHOICES)).toMatchObject({ from: '2026-02-01', to: '2026-11-02' });
});

it('a day that there is not counts as none', () => {
  const days = { from: '2026-02-31', to: '2026-02-28' };
  expect(readAuditQuery(days, CHOICES)).toMatchObject({ from: '', to: '2026-02-28' });
});

it('a day lasts in the viewer’s zone until the next one begins', () => {
  const days = { from: '2026-11-20', to: '2026-11-21' };
  expect(toAuditFilter(readAuditQuery(days, CHOICES), 'Asia/Tashkent')).toMatchObject({
    fromMs: Date.parse('2026-11-19T19:00:00.000Z'),
    untilMs: Date.parse('2026-11-21T19:00:00.000Z'),
  });
});
