import { expect, it } from 'vitest';
import { auditEn } from './audit-en.ts';
import { auditRu } from './audit-ru.ts';
import { actionName, describeEntry } from './audit-words.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

const change = {
  action: 'member.role',
  details: { email: 'a@example.com', from: 'support', to: 'viewer' },
};

it('an entry is a sentence with its details', () => {
  expect(describeEntry(change, auditEn, en.roles)).toBe(
    'Changed the role of a@example.com from Support to Viewer',
  );
  expect(describeEntry(change, auditRu, ru.roles)).toBe(
    'Роль a@example.com: Поддержка → Наблюдатель',
  );
});

it('an action that nobody has words for stands by its name', () => {
  expect(describeEntry({ action: 'thing.do', details: {} }, auditEn, en.roles)).toBe('thing.do');
  expect(actionName('thing.do', auditEn)).toBe('thing.do');
});

it('both languages know the same actions, and no filter shows a placeholder', () => {
  expect(Object.keys(auditRu.actions)).toEqual(Object.keys(auditEn.actions));
  for (const action of Object.keys(auditEn.actions)) {
    for (const words of [auditEn, auditRu]) {
      expect(actionName(action, words)).toMatch(/^[^{}]*[^\s{}(“«:,]$/);
    }
  }
});
