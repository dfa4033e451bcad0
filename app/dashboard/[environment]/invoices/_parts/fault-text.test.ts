import { expect, it } from 'vitest';
import { type Translator, translatorOf } from '#server/i18n/translator.ts';
import { FAULT_TYPES } from '#server/wire/validation.ts';
import { faultText } from './fault-text.ts';

const FIELDS = ['amount', 'description', 'positions.0.title', 'callback_url'];
const all = (words: Translator<'dashboard.create'>) =>
  FIELDS.flatMap((field) =>
    FAULT_TYPES.map((type) => faultText({ field, type, most: 255 }, words)),
  );

it('has a word of its own language for every fault that the server can find', () => {
  for (const text of all(translatorOf('ru', 'dashboard.create')))
    expect(text).toMatch(/^[А-ЯЁ][а-яё]/);
  for (const text of all(translatorOf('en', 'dashboard.create')))
    expect(text).toMatch(/^[A-Z][a-z]*\b[^А-Яа-я]*$/);
});

it('says how long a text may be, and which fault of an address it is', () => {
  const t = translatorOf('ru', 'dashboard.create');
  const long = faultText({ field: 'description', type: 'string_too_long', most: 1024 }, t);
  expect(long).toBe('Не больше 1024 символов');
  const withPassword = { field: 'callback_url', type: 'value_error', most: null } as const;
  expect(faultText(withPassword, t)).toBe(t('noPassword'));
});
