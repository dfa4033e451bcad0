import { expect, it } from 'vitest';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { InvoiceListItem } from '#server/trpc/rows.ts';
import { type Answer, choicesFor, statusFor } from './palette-choices.ts';

const SOURCE = {
  t: translatorOf('en', 'dashboard'),
  environment: 'sandbox',
  locale: 'en',
  places: [
    { href: '/dashboard/sandbox', text: 'Overview' },
    { href: '/dashboard/sandbox/invoices', text: 'Invoices' },
    { href: '/dashboard/sandbox/invoices/new', text: 'New invoice' },
  ],
  timeZone: 'Asia/Tashkent',
  deeds: [
    {
      href: '/dashboard/sandbox/team#invite',
      text: 'Invite a person',
      words: 'colleague сотрудник',
    },
    { href: '?lang=ru', text: 'Русский', words: 'language' },
  ],
  docs: [
    { page: 'Callbacks', heading: '', href: '/docs/callbacks', text: 'Every invoice' },
    { page: 'Callbacks', heading: 'Check the signature', href: '/docs/callbacks#check', text: '' },
  ],
} as const;
const FOUND = {
  id: 'inv_1',
  amountMinor: 1500n,
  currency: 'USD',
  status: 'PAID',
  description: 'Beans',
  merchantTransactionId: 'order 1',
  createdAtMs: Date.UTC(2026, 10, 21, 12),
  cardBrand: 'visa',
  cardLast4: '4242',
} as InvoiceListItem;

const answered = (text: string, found: InvoiceListItem[] = []): Answer => ({
  text,
  found,
  isPartial: false,
  hasFailed: false,
});
const hrefs = (text: string, answer = answered('before')) =>
  choicesFor(text, answer, SOURCE).map((each) => ('href' in each ? each.href : each.does));

it('offers every place before anything is typed, and no search', () => {
  expect(hrefs(' ')).toEqual([...SOURCE.places.map(({ href }) => href), 'signOut']);
});

it('puts what was found first, then places by their name, then the whole search', () => {
  expect(hrefs('INVOICE', answered('INVOICE', [FOUND]))).toEqual([
    '/dashboard/sandbox/invoices/inv_1',
    '/dashboard/sandbox/invoices',
    '/dashboard/sandbox/invoices/new',
    '/dashboard/sandbox/invoices?q=INVOICE',
  ]);
});

it('finds a place by its name in whatever characters', () => {
  expect(hrefs('ＯＶＥＲ\u200bview')[0]).toBe('/dashboard/sandbox');
});

it('finds deeds by their names and by what else they are called, by every word', () => {
  for (const text of ['invite', 'Colleague', 'СОТРУДНИК', 'inv pers']) {
    expect(hrefs(text)).toContain('/dashboard/sandbox/team#invite');
  }
  expect(hrefs('invite language')).not.toContain('/dashboard/sandbox/team#invite');
  expect(hrefs('language')[0]).toBe('?lang=ru');
});

it('finds pages of the docs by titles and headings', () => {
  expect(hrefs('signature')[0]).toBe('/docs/callbacks#check');
  expect(hrefs('callbacks')[0]).toBe('/docs/callbacks');
  expect(hrefs('every')).not.toContain('/docs/callbacks');
});

it('ends the session by its name', () => {
  expect(choicesFor('OUT', answered('OUT'), SOURCE)).toEqual([
    { does: 'signOut', text: 'Sign out' },
  ]);
});

it('leads to the list at once, before the search has answered, by all that was pasted', () => {
  expect(hrefs(' a&b=c ')).toEqual(['/dashboard/sandbox/invoices?q=+a%26b%3Dc+']);
});

it('does not lead to a list that is known to be empty', () => {
  expect(hrefs('order', answered('order'))).toEqual([]);
  expect(hrefs('new', answered('new'))).toEqual(['/dashboard/sandbox/invoices/new']);
  for (const unsure of [{ isPartial: true }, { hasFailed: true }]) {
    expect(hrefs('order', { ...answered('order'), ...unsure })).toHaveLength(1);
  }
});

it('says of an invoice what tells it from another', () => {
  expect(choicesFor('15', answered('15', [FOUND]), SOURCE)[0]).toMatchObject({
    text: '$15.00, Paid',
    note: '21 Nov 2026, 17:00 · Visa ••••\u00a04242 · order 1 · Beans',
  });
  const elsewhere = { ...FOUND, cardLast4: null, accountName: 'Payme' } as InvoiceListItem;
  expect(choicesFor('15', answered('15', [elsewhere]), SOURCE)[0]?.note).toContain('· Payme ·');
});

it('says that nothing was found only where all was searched', () => {
  const t = messagesAt('en', 'dashboard.palette');
  const status = (part: Partial<Answer>, found: InvoiceListItem[] = []) => {
    const answer = { ...answered(' 15 ', found), ...part };
    return statusFor(
      ' 15 ',
      answer,
      choicesFor(' 15 ', answer, SOURCE),
      translatorOf('en', 'dashboard.palette'),
    );
  };
  expect(status({})).toBe(t.nothing);
  expect(status({ isPartial: true })).toBe(t.partial);
  expect(status({ hasFailed: true })).toBe(t.failed);
  expect(status({ text: '1' })).toBe(t.searching);
  expect(status({}, [FOUND])).toBe(t.keys);
  expect(status({ isPartial: true }, [FOUND])).toBe(t.partial);
});
