import { expect, it } from 'vitest';
import { isolated } from '../../_i18n/isolated.ts';
import { auditEn } from './audit-en.ts';
import { auditRu } from './audit-ru.ts';
import { actionName, actorName, describeEntry } from './audit-words.ts';
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

it('an entry about settings names those that changed, and not what they became', () => {
  const save = {
    action: 'settings.save',
    details: { brandColor: null, timeZone: 'Asia/Tashkent' },
  };
  expect(describeEntry(save, auditEn, en.roles)).toBe(
    'Changed the settings of the payment page: colour of buttons, time zone',
  );
  expect(describeEntry(save, auditRu, ru.roles)).toBe(
    'Настройки страницы оплаты изменены: цвет кнопок, часовой пояс',
  );
  const bare = { action: 'settings.save', details: {} };
  expect(describeEntry(bare, auditEn, en.roles)).toBe('Changed the settings');
});

it('a name that somebody chose keeps its direction to itself on a screen', () => {
  const details = { name: 'x\u202e', prefix: 'gw_sandbox_a' };
  expect(describeEntry({ action: 'token.create', details }, auditEn, en.roles, isolated)).toBe(
    'Created the API token “\u2068x\u202e\u2069” (gw_sandbox_a…)',
  );
});

it('an action that nobody has words for stands by its name', () => {
  expect(describeEntry({ action: 'thing.do', details: {} }, auditEn, en.roles)).toBe('thing.do');
  expect(actionName('thing.do', auditEn)).toBe('thing.do');
});

it('an entry without a detail of its sentence stands by the name of its action', () => {
  const bare = { action: 'token.deactivate', details: { name: 'CI' } };
  expect(describeEntry(bare, auditEn, en.roles)).toBe('Deactivated an API token');
  expect(describeEntry(bare, auditRu, ru.roles)).toBe('Отключение токена API');
});

it('whoever is no person is named in the language, and a person by their address', () => {
  const labels = ['gateway command', 'gateway command (ann)', 'sandbox token', 'a@example.com'];
  const named = (words: typeof auditEn) => labels.map((label) => actorName(label, words));
  expect(named(auditEn)).toEqual([
    'Gateway command',
    'Gateway command (ann)',
    'Sandbox token',
    'a@example.com',
  ]);
  expect(named(auditRu)).toEqual([
    'Команда gateway (консоль)',
    'Команда gateway (консоль) (ann)',
    'Токен песочницы',
    'a@example.com',
  ]);
});

it.each([
  ['English', auditEn],
  ['Russian', auditRu],
])('in %s every action has a name of its own, without a placeholder', (_, words) => {
  const actions = Object.keys(auditEn.actions);
  expect(Object.keys(words.actions)).toEqual(actions);
  expect(Object.keys(words.actionNames)).toEqual(actions);
  const names = actions.map((action) => actionName(action, words));
  expect(new Set(names).size).toBe(actions.length);
  for (const name of names) expect(name).toMatch(/^\p{Lu}[^{}]*\p{L}$/u);
});
