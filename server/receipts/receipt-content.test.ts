import { expect, test } from 'vitest';
import type { PaymentAttempt } from '#server/payments/types.ts';
import { type ReceiptData, receiptOf } from './receipt-content.ts';

type Invoice = ReceiptData['invoice'];

const attempt = (id: string, rest: Partial<PaymentAttempt>) =>
  ({
    id,
    status: 'captured',
    authorisationId: null,
    accountId: null,
    cardBrand: 'visa',
    ...rest,
  }) as PaymentAttempt;

/** A paid invoice of 15.00 in two positions, whose payment was not the last try; `rest` differs. */
const loaded = (rest: Partial<Invoice> = {}) =>
  ({
    invoice: {
      id: 'inv_1',
      environment: 'production',
      status: 'PAID',
      captureAttemptId: 'pay_captured',
      amountMinor: 1_500n,
      currency: 'USD',
      description: 'Two tickets',
      merchantTransactionId: 'order-1',
      positions: [
        { title: 'Stalls', amountMinor: 1_000, currency: 'USD' },
        { title: 'Balcony', amountMinor: 500, currency: 'USD' },
      ],
      statusChangedAtMs: Date.parse('2026-11-21T12:00:00.000Z'),
      ...rest,
    },
    refunds: [],
    merchant: { name: 'Theatre', timeZone: 'Asia/Tashkent', seller: {} },
    fiscalUrl: null,
    attempts: [
      attempt('pay_late', { status: 'voided', cardBrand: 'mastercard', cardLast4: '4444' }),
      attempt('pay_captured', { authorisationId: 'auth_1', cardLast4: '4242' }),
    ],
  }) as unknown as ReceiptData;

test.each([
  ['a pending invoice', { status: 'PENDING', captureAttemptId: null }],
  ['an invoice whose capture is under way', { status: 'PENDING' }],
  ['a payment that is nowhere', { captureAttemptId: 'pay_unknown' }],
] as const)('there is none of %s', (_of, rest) => {
  expect(receiptOf(loaded(rest), 'en')).toBeNull();
});

test('it tells of the payment that was captured, whatever was tried besides', () => {
  const facts = receiptOf(loaded(), 'en')?.facts;
  expect(facts?.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Paid to: Theatre',
    'Paid on: 21 November 2026 at 17:00 (Asia/Tashkent, GMT+5)',
    'Card: Visa •••• 4242',
    'Description: Two tickets',
    'Order number: order-1',
    'Confirmation number: inv_1',
    'Payment reference: auth_1',
  ]);
});

test.each([
  ['en', 'Card', 'Card •••• 4242'],
  ['ru', 'Карта', 'Карта •••• 4242'],
  ['uz', 'Karta', 'Karta •••• 4242'],
] as const)(
  'a card of no known brand is one by the language’s own word: %s',
  (locale, card, value) => {
    const paid = loaded();
    const attempts = paid.attempts.map((each) => ({ ...each, cardBrand: 'unknown' as const }));
    expect(receiptOf({ ...paid, attempts }, locale)?.facts).toContainEqual({ label: card, value });
  },
);

test.each([
  ['neither discount nor surcharge', 1_500n, ['Total: $15.00']],
  ['a discount', 1_400n, ['Items: $15.00', 'Discount: −$1.00', 'Total: $14.00']],
  ['a surcharge', 1_600n, ['Items: $15.00', 'Surcharge: +$1.00', 'Total: $16.00']],
])('its sums with %s', (_with, amountMinor, sums) => {
  const receipt = receiptOf(loaded({ amountMinor }), 'en');
  expect(receipt?.totals.map(({ label, value }) => `${label}: ${value}`)).toEqual(sums);
  expect(receipt?.items.map(({ value }) => value)).toEqual(['$10.00', '$5.00']);
});

test.each([
  ['ru', '84\u00a0900\u00a0сум', '50\u00a0000\u00a0сум'],
  ['uz', '84\u00a0900\u00a0soʻm', '50\u00a0000\u00a0soʻm'],
] as const)('whole sums as people write them in %s, at its head and in its lines', (...given) => {
  const [locale, total, item] = given;
  const [amountMinor, currency] = [8_490_000n, 'UZS'] as const;
  const positions = [5_000_000, 3_490_000].map((each) => ({
    title: 'Seat',
    amountMinor: each,
    currency,
  }));
  const receipt = receiptOf(loaded({ amountMinor, currency, positions }), locale);
  const sums = [receipt?.amount, receipt?.totals.at(-1)?.value, receipt?.items[0]?.value];
  expect(sums).toEqual([total, total, item]);
});

test('where one line has decimals all have, and at its head only what needs them', () => {
  const positions = [1_050, 450].map((each) => ({
    title: 'Seat',
    amountMinor: each,
    currency: 'USD' as const,
  }));
  const receipt = receiptOf(loaded({ positions }), 'ru');
  expect(receipt?.amount).toBe('15\u00a0$');
  const lines = [...(receipt?.items ?? []), ...(receipt?.totals ?? [])];
  expect(lines.map(({ value }) => value)).toEqual(['10,50\u00a0$', '4,50\u00a0$', '15,00\u00a0$']);
});

test('the sandbox’s says that no money was moved, and production’s does not', () => {
  expect(receiptOf(loaded({ environment: 'sandbox' }), 'en')?.testNote).toContain('no real money');
  expect(receiptOf(loaded(), 'en')?.testNote).toBeNull();
});

test('it is the receipt of each refund as well, and of what is paid after them', () => {
  const refund = { status: 'SUCCEEDED', currency: 'USD', reference: null };
  const at = Date.parse('2026-11-22T12:00:00.000Z');
  const paid = {
    ...loaded(),
    refunds: [
      { ...refund, id: 'ref_1', amountMinor: 500n, updatedAtMs: at, reference: 're_1' },
      { ...refund, id: 'ref_2', amountMinor: 250n, updatedAtMs: at + 60_000 },
      { ...refund, id: 'ref_3', amountMinor: 750n, updatedAtMs: at, status: 'PENDING' },
    ],
  } as unknown as ReceiptData;
  const receipt = receiptOf(paid, 'en');
  const rows = (of: { label: string; value: string }[] = []) =>
    of.map(({ label, value }) => `${label}: ${value}`);
  expect(rows(receipt?.facts).slice(-4)).toEqual([
    'Refunded: $5.00, 22 November 2026 at 17:00 (Asia/Tashkent, GMT+5)',
    'Refund reference: re_1',
    'Refunded: $2.50, 22 November 2026 at 17:01 (Asia/Tashkent, GMT+5)',
    'Refund reference: ref_2',
  ]);
  expect(rows(receipt?.totals)).toEqual([
    'Total: $15.00',
    'Refunded: −$7.50',
    'Paid after refunds: $7.50',
  ]);
});

test.each([
  ['en', ['Seller: LLC “Theatre”', 'Tax ID: 301234567', 'Address: 1 Navoi Street, Tashkent']],
  ['ru', ['Продавец: LLC “Theatre”', 'ИНН: 301234567', 'Адрес: 1 Navoi Street, Tashkent']],
  ['uz', ['Sotuvchi: LLC “Theatre”', 'STIR: 301234567', 'Manzil: 1 Navoi Street, Tashkent']],
] as const)('it says who gets the money, and how to reach them: %s', (locale, rows) => {
  const paid = loaded();
  const seller = {
    legalName: 'LLC “Theatre”',
    taxNumber: '301234567',
    legalAddress: '1 Navoi Street, Tashkent',
    supportPhone: '+998 (71) 200-00-00',
    supportEmail: 'help@theatre.example',
    supportTelegram: 'theatre_help',
    termsUrl: 'https://theatre.example/terms',
    refundPolicyUrl: null,
  };
  const receipt = receiptOf({ ...paid, merchant: { ...paid.merchant, seller } }, locale);
  const facts = receipt?.facts.slice(1, 4).map(({ label, value }) => `${label}: ${value}`);
  expect(facts).toEqual(rows);
  expect(receipt?.links.map(({ url }) => url)).toEqual([
    'tel:+998712000000',
    'mailto:help@theatre.example',
    'https://t.me/theatre_help',
    'https://theatre.example/terms',
  ]);
});

test.each([
  ['en', 'Payment confirmation', 'Receipt'],
  ['ru', 'Подтверждение оплаты', 'Чек'],
  ['uz', 'Toʻlov tasdigʻi', 'Chek'],
] as const)(
  'it is called a receipt only where a fiscal one exists: %s',
  (locale, plain, fiscal) => {
    expect(receiptOf(loaded(), locale)).toMatchObject({ title: plain, fiscal: null });
    const fiscalUrl = 'https://ofd.soliq.uz/check?t=1';
    const receipt = receiptOf({ ...loaded(), fiscalUrl }, locale);
    expect(receipt).toMatchObject({ title: fiscal, fiscal: { url: fiscalUrl } });
  },
);
