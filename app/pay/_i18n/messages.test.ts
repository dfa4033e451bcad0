import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOCALES, type Locale } from '#server/lib/locales.ts';
import { SANDBOX_OUTCOMES } from '#server/payments/providers/sandbox/test-cards.ts';
import { DECLINE_REASONS } from '#server/payments/types.ts';
import { CARD_FAULTS } from '../[invoiceId]/form/card-rules.ts';
import { payMessages } from './messages.ts';

type Leaf = [path: string, text: string];

/** All texts with their paths; functions are called with marked words. */
function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const words = Array.from({ length: value.length }, (_, index) => `«${index}»`);
    return [[path, String(value(...words))]];
  }
  return Object.entries(value as object).flatMap(([key, each]) => leaves(each, `${path}.${key}`));
}

describe.each(LOCALES)('in %s', (locale) => {
  const t = payMessages(locale);

  test('every text says something and uses all that it is given', () => {
    const english = new Map(leaves(payMessages('en')));
    for (const [path, text] of leaves(t)) {
      expect(text.trim(), path).not.toBe('');
      // A shop's name may have quotation marks of its own.
      expect(text, path).not.toMatch(/««|»»/);
      const words = (each: string) => [...each.matchAll(/«\d»/g)].map(String).sort();
      expect(words(text), path).toEqual(words(english.get(path) ?? ''));
    }
  });

  test('there are words for every decline, fault and test card', () => {
    for (const reason of DECLINE_REASONS) expect(t.declined.reasons[reason]).toBeTruthy();
    for (const fault of CARD_FAULTS) expect(t.faults[fault]).toBeTruthy();
    for (const outcome of SANDBOX_OUTCOMES) expect(t.sandbox.outcomes[outcome]).toBeTruthy();
  });
});

test('every text is named by a page, beside its group', () => {
  const pages = readdirSync('app/pay', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/_i18n|\.test\./.test(file))
    .map((file) =>
      readFileSync(`app/pay/${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
    );
  // Named by codes; most of those have their words above.
  const byCode = /^\.(faults|notices|declined\.reasons|sandbox\.outcomes|time\.milestones)\./;
  const unnamed = leaves(payMessages('en'))
    .map(([path]) => path)
    .filter((path) => !byCode.test(path))
    .filter((path) => {
      const names = path
        .split('.')
        .slice(-2)
        .map((name) => new RegExp(`\\b${name}\\b`));
      return !pages.some((page) => names.every((name) => name.test(page)));
    });
  expect(unnamed).toEqual([]);
});

test.each(['ru', 'uz'] as const)('nothing was left in English: %s', (locale) => {
  const english = new Map(leaves(payMessages('en')));
  const same = leaves(payMessages(locale)).filter(([path, text]) => english.get(path) === text);
  expect(same).toEqual([]);
});

test('Uzbek is written with its own letter, not with an apostrophe', () => {
  for (const [path, text] of leaves(payMessages('uz'))) expect(text, path).not.toMatch(/['’‘`]/);
});

test('items are counted by the rules of the language', () => {
  const counts = [1, 2, 5, 21, 112];
  expect(counts.map(payMessages('en').summary.positions)).toEqual([
    '1 item',
    '2 items',
    '5 items',
    '21 items',
    '112 items',
  ]);
  expect(counts.map(payMessages('ru').summary.positions)).toEqual([
    '1 позиция',
    '2 позиции',
    '5 позиций',
    '21 позиция',
    '112 позиций',
  ]);
});

test('seconds are counted by the rules of the language', () => {
  const counts = [0, 1, 2, 5, 21];
  const endings = (locale: Locale) =>
    counts.map((count) => payMessages(locale).returns.redirecting(count).split(' ').slice(-2));
  expect(endings('en').map((words) => words.join(' '))).toEqual([
    '0 seconds',
    '1 second',
    '2 seconds',
    '5 seconds',
    '21 seconds',
  ]);
  expect(endings('ru').map((words) => words.join(' '))).toEqual([
    '0 секунд',
    '1 секунду',
    '2 секунды',
    '5 секунд',
    '21 секунду',
  ]);
  expect(endings('uz').map(([, word]) => word)).toEqual(counts.map(() => 'soniya'));
});
