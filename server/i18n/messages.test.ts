import { readdirSync, readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { DOCS_LANGUAGES } from '#app/docs/_content/docs-language.ts';
import { LOCALES, type Locale } from '../lib/locales.ts';
import english from './messages/en.json';
import {
  localesOf,
  messagesAt,
  pickMessages,
  type Surface,
  spokenLocale,
  translatorOf,
} from './translator.ts';

type Words = string | { [name: string]: Words };
type Leaf = [path: string, text: string];

function leaves(words: Words, path: string): Leaf[] {
  if (typeof words === 'string') return [[path, words]];
  return Object.entries(words).flatMap(([name, each]) => leaves(each, `${path}.${name}`));
}

const SURFACES = Object.keys(english) as Surface[];
const ENGLISH = new Map(SURFACES.flatMap((surface) => leaves(english[surface], surface)));

type Found = { places: Set<string>; plurals: string[][] };

/** A text's values and tags, and the forms of its plurals. */
function contentOf(text: string): Found {
  const found: Found = { places: new Set(), plurals: [] };
  const visit = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      found.places.add(element.type === TYPE.tag ? `<${element.value}>` : element.value);
      if (element.type === TYPE.tag) visit(element.children);
      if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
      if (element.type === TYPE.plural) found.plurals.push(Object.keys(element.options));
      for (const option of Object.values(element.options)) visit(option.value);
    }
  };
  visit(parse(text));
  return found;
}

const spoken = LOCALES.flatMap((locale) =>
  SURFACES.filter((surface) => localesOf(surface).includes(locale)).map(
    (surface) => [surface, locale] as const,
  ),
);

describe.each(spoken)('the words of %s in %s', (surface, locale) => {
  const texts = leaves(messagesAt(locale, surface), surface);

  test('are those that English has', () => {
    const englishKeys = [...ENGLISH.keys()].filter((path) => path.startsWith(`${surface}.`));
    expect(texts.map(([path]) => path).sort()).toEqual(englishKeys.sort());
  });

  test('say something, with the values and tags that the English ones have', () => {
    for (const [path, text] of texts) {
      expect(text.trim(), path).not.toBe('');
      const wanted = contentOf(ENGLISH.get(path) ?? '').places;
      expect([...contentOf(text).places].sort(), path).toEqual([...wanted].sort());
    }
  });

  test('count with every form that the language has', () => {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    for (const [path, text] of texts) {
      for (const forms of contentOf(text).plurals) {
        const named = forms.filter((form) => !form.startsWith('='));
        expect(named.sort(), path).toEqual([...pluralCategories].sort());
      }
    }
  });
});

/** Groups whose keys are codes outside the source: a reason, a status. */
const BY_CODE = [
  'acquirers.disputes.reasons',
  'acquirers.disputes.statuses',
  'acquirers.faults',
  'acquirers.fields',
  'acquirers.form.kinds',
  'acquirers.hookPlaces',
  'acquirers.timeline',
  'mail.changes',
  'mail.roles',
  'mail.notices',
  'failures',
  'reasons',
  'overview.byDay',
  'overview.causes',
  'overview.firstSteps',
  'overview.reasons',
  'overview.steps',
  'register.kinds',
  'docs.cards.meanings',
  'docs.samples.names',
  'dashboard.audit.actionNames',
  'dashboard.audit.actions',
  'dashboard.audit.fields',
  'dashboard.callbackStates',
  'dashboard.codeStep',
  'dashboard.developers.outcomes',
  'dashboard.developers.overlaps',
  'dashboard.developers.scopes',
  'dashboard.developers.uses',
  'dashboard.eventTypes',
  'dashboard.forgot',
  'dashboard.notifications.kinds',
  'dashboard.notifications.scopes',
  'dashboard.invoice.actors',
  'dashboard.invoice.attempts',
  'dashboard.invoice.changedTo',
  'dashboard.invoice.declines',
  'dashboard.link.ways',
  'dashboard.links.faults',
  'dashboard.invoices.nexts',
  'dashboard.invoices.starts',
  'dashboard.invoices.tables',
  'dashboard.links.fields',
  'dashboard.links.states',
  'dashboard.receiptEmail.kinds',
  'dashboard.receiptEmail.states',
  'dashboard.refund.done',
  'dashboard.refund.states',
  'dashboard.refund.steps',
  'dashboard.roles',
  'dashboard.signInMore',
  'dashboard.team.roleTexts',
  'operator.overview.attemptStates',
  'operator.overview.drivers',
  'operator.troubles.gateway',
  'operator.troubles.kinds',
  'pay.faults',
  'pay.notices',
  'pay.declined.reasons',
  'pay.link.faults',
  'pay.sandbox.outcomes',
  'pay.time.milestones',
];

test('every word is asked for somewhere, in a file that names its group as well', () => {
  const sources = ['app', 'server']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|_i18n\/|db\/generated/.test(file))
    .concat('proxy.ts')
    .map((file) => readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*/g, ''));
  const named = new Map<string, Set<number>>();
  for (const [file, text] of sources.entries()) {
    for (const word of new Set(text.match(/[\w-]+/g))) {
      named.set(word, (named.get(word) ?? new Set()).add(file));
    }
  }
  const unused = [...ENGLISH.keys()].filter((path) => {
    if (BY_CODE.some((group) => path.startsWith(`${group}.`))) return false;
    const [name = '', group = ''] = path.split('.').slice(1).reverse();
    const files = group === '' ? named.get(name) : named.get(group);
    return ![...(named.get(name) ?? [])].some((file) => files?.has(file));
  });
  expect(unused).toEqual([]);
});

test.each(SURFACES)(
  '%s speaks every language, and to buyers in both scripts of Uzbek',
  (surface) => {
    const isForBuyers = surface === 'pay' || surface === 'site';
    // The documentation tells readers of Uzbek, in their own words, which languages it has.
    const ofStaff = surface === 'docs' ? DOCS_LANGUAGES : ['en', 'ru', 'uz'];
    expect(localesOf(surface)).toEqual(isForBuyers ? LOCALES : ofStaff);
    const spokenByUzbeks = surface === 'docs' ? 'en' : 'uz';
    expect(spokenLocale('uz-Cyrl', surface)).toBe(isForBuyers ? 'uz-Cyrl' : spokenByUzbeks);
  },
);

test('Uzbek is written with its own letters, not with an apostrophe', () => {
  for (const surface of SURFACES.filter((each) => localesOf(each).includes('uz'))) {
    for (const [path, text] of leaves(messagesAt('uz', surface), surface)) {
      const written = text.replaceAll(/'[{}]'|`success`/g, '');
      expect(written, path).not.toMatch(/['’‘`]/);
    }
  }
});

test('a part in the browser gets the groups that are named and no others', () => {
  expect(pickMessages('ru', ['site.updated', 'script.screen', 'site.error'])).toEqual({
    locale: 'ru',
    messages: {
      site: { updated: messagesAt('ru', 'site.updated'), error: messagesAt('ru', 'site.error') },
      script: { screen: messagesAt('ru', 'script.screen') },
    },
  });
});

test('a word without its value is a fault, not a sentence with a gap', () => {
  expect(() => translatorOf('en', 'site')('otherSite')).toThrow(/origin/);
});

describe('the payment page', () => {
  test.each(['ru', 'uz', 'uz-Cyrl'] as const)('has nothing left in English: %s', (locale) => {
    const texts = leaves(messagesAt(locale, 'pay'), 'pay');
    expect(texts.filter(([path, text]) => ENGLISH.get(path) === text)).toEqual([]);
  });

  test.each(LOCALES)(
    'puts no quotation marks around a shop’s name, which may have its own: %s',
    (locale) => {
      const texts = leaves(messagesAt(locale, 'pay'), 'pay').map(([, text]) => text);
      expect(texts.filter((text) => /[«„“"]\{merchant\}/.test(text))).toEqual([]);
    },
  );

  test('counts items by the rules of the language', () => {
    const items = (locale: Locale) =>
      [1, 2, 5, 21, 112].map((count) =>
        translatorOf(locale, 'pay.summary')('positions', { count }),
      );
    expect(items('en')).toEqual(['1 item', '2 items', '5 items', '21 items', '112 items']);
    expect(items('ru')).toEqual([
      '1 позиция',
      '2 позиции',
      '5 позиций',
      '21 позиция',
      '112 позиций',
    ]);
  });

  test('counts seconds by the rules of the language', () => {
    const endings = (locale: Locale) =>
      [0, 1, 2, 5, 21].map((seconds) =>
        translatorOf(locale, 'pay.returns')('redirecting', { seconds })
          .split(' ')
          .slice(-2)
          .join(' '),
      );
    expect(endings('en')).toEqual([
      '0 seconds',
      '1 second',
      '2 seconds',
      '5 seconds',
      '21 seconds',
    ]);
    expect(endings('ru')).toEqual(['0 секунд', '1 секунду', '2 секунды', '5 секунд', '21 секунду']);
    expect(endings('uz')).toEqual(['0', '1', '2', '5', '21'].map((count) => `${count} soniya`));
    expect(endings('uz-Cyrl')[0]).toBe('0 сония');
  });
});
