import { expect, it } from 'vitest';
import { localesOf, messagesAt } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { isolated } from '../../_i18n/isolated.ts';
import { actionName, actorName, describeEntry } from './audit-words.ts';

const change = {
  action: 'member.role',
  details: { email: 'a@example.com', from: 'support', to: 'viewer' },
};

it('an entry is a sentence with its details', () => {
  expect(describeEntry(change, 'en')).toBe(
    'Changed the role of a@example.com from Support to Viewer',
  );
  expect(describeEntry(change, 'ru')).toBe('Роль a@example.com: Поддержка → Наблюдатель');
});

it('an entry about settings names those that changed, and not what they became', () => {
  const save = {
    action: 'settings.save',
    details: { brandColor: null, timeZone: 'Asia/Tashkent' },
  };
  expect(describeEntry(save, 'en')).toBe('Changed the settings: button colour, time zone');
  expect(describeEntry(save, 'ru')).toBe('Изменены настройки: цвет кнопок, часовой пояс');
  const bare = { action: 'settings.save', details: {} };
  expect(describeEntry(bare, 'en')).toBe('Changed the settings');
});

it('a name that somebody chose keeps its direction to itself on a screen', () => {
  const details = { name: 'x\u202e', prefix: 'gw_sandbox_a' };
  expect(describeEntry({ action: 'token.create', details }, 'en', isolated)).toBe(
    'Created the API token “\u2068x\u202e\u2069” (gw_sandbox_a…)',
  );
});

it('an action that nobody has words for stands by its name', () => {
  expect(describeEntry({ action: 'thing.do', details: {} }, 'en')).toBe('thing.do');
  expect(actionName('thing.do', 'en')).toBe('thing.do');
});

it('an entry without a detail of its sentence stands by the name of its action', () => {
  const bare = { action: 'token.deactivate', details: { name: 'CI' } };
  expect(describeEntry(bare, 'en')).toBe('Deactivated an API token');
  expect(describeEntry(bare, 'ru')).toBe('Отключение токена API');
});

it('whoever is no person is named in the language, and a person by their address', () => {
  const labels = ['gateway command', 'gateway command (ann)', 'sandbox token', 'a@example.com'];
  const named = (locale: Locale) => labels.map((label) => actorName(label, locale));
  expect(named('en')).toEqual([
    'Gateway command',
    'Gateway command (ann)',
    'Sandbox token',
    'a@example.com',
  ]);
  expect(named('ru')).toEqual([
    'Команда gateway (консоль)',
    'Команда gateway (консоль) (ann)',
    'Токен песочницы',
    'a@example.com',
  ]);
});

type Group = { [name: string]: string | Group };

/** Each action that has words, by its full name. */
function actionsOf(group: Group, before = ''): string[] {
  return Object.entries(group).flatMap(([name, words]) =>
    typeof words === 'string' ? before + name : actionsOf(words, `${before}${name}.`),
  );
}

it.each(localesOf('dashboard'))('in %s every action has a name of its own', (locale) => {
  const actions = actionsOf(messagesAt(locale, 'dashboard.audit.actions'));
  expect(actionsOf(messagesAt(locale, 'dashboard.audit.actionNames'))).toEqual(actions);
  const names = actions.map((action) => actionName(action, locale));
  expect(new Set(names).size).toBe(actions.length);
  for (const name of names) expect(name).toMatch(/^\p{Lu}[^{}]*\p{L}$/u);
});
