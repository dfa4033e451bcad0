import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCreateRequest } from './create-request.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

const valid = {
  amount: 1500,
  currency: 'USD',
  description: 'Order 7',
  end_date: NOW_MS + 60_000,
  positions: [{ title: 'Tea', amount: 1500, currency: 'USD' }],
  merchant_transaction_id: 'order-7',
  success_url: 'https://shop.example/ok',
  error_url: 'https://shop.example/failed',
  callback_url: 'https://shop.example/callback',
};

function parseText(text: string, contentType: string | null = 'application/json') {
  return parseCreateRequest(Buffer.from(text), contentType, NOW_MS);
}

/** `type loc` of every fault of the valid body with these fields changed (undefined: left out). */
function faults(changes: { [field: string]: unknown }): string[] {
  return faultsOf(JSON.stringify({ ...valid, ...changes }));
}

function faultsOf(text: string, contentType?: string | null): string[] {
  const parsed = parseText(text, contentType);
  return parsed.ok ? [] : parsed.detail.map(({ type, loc }) => `${type} ${loc.join('/')}`);
}

test.each([
  ['"amount":1e400', 9_007_199_254_740_991],
  ['"end_date":1e400', 253_402_300_799_999],
])('%s is told the limit of its own field', (field, limit) => {
  const parsed = parseText(JSON.stringify(valid).replace(/}$/, `,${field}}`));
  const msg = `Input should be less than or equal to ${limit}`;
  expect(parsed).toMatchObject({ ok: false, detail: [{ type: 'less_than_equal', msg }] });
});

test('a valid body becomes the domain’s invoice, merchant_data as it was written', () => {
  const text = JSON.stringify(valid).replace(
    '{',
    '{"merchant_data": {"2":1, "1":[ ]},"more":null,',
  );
  expect(parseText(text)).toEqual({
    ok: true,
    value: {
      amountMinor: 1500,
      currency: 'USD',
      description: 'Order 7',
      endDateMs: NOW_MS + 60_000,
      positions: [{ title: 'Tea', amountMinor: 1500, currency: 'USD' }],
      merchantTransactionId: 'order-7',
      successUrl: 'https://shop.example/ok',
      errorUrl: 'https://shop.example/failed',
      callbackUrl: 'https://shop.example/callback',
      merchantData: '{"2":1, "1":[ ]}',
    },
  });
});

test('merchant_data that is null counts as left out', () => {
  const parsed = parseText(JSON.stringify({ ...valid, merchant_data: null }));
  expect(parsed).toMatchObject({ ok: true, value: { merchantData: null } });
});

test('all faults of a body come at once, in the contract’s order', () => {
  expect(faultsOf('{}')).toEqual(Object.keys(valid).map((field) => `missing body/${field}`));
  const nulls = Object.fromEntries(Object.keys(valid).map((field) => [field, null]));
  expect(faultsOf(JSON.stringify(nulls))).toEqual([
    'int_type body/amount',
    'string_type body/currency',
    'string_type body/description',
    'int_type body/end_date',
    'list_type body/positions',
    'string_type body/merchant_transaction_id',
    'string_type body/success_url',
    'string_type body/error_url',
    'string_type body/callback_url',
  ]);
});

test.each([
  [{ amount: 0 }, ['greater_than body/amount']],
  [{ amount: -5 }, ['greater_than body/amount']],
  [{ amount: '1' }, ['int_type body/amount']],
  [{ amount: true }, ['int_type body/amount']],
  [{ amount: 1.5 }, ['int_from_float body/amount']],
  [{ amount: 2 ** 53 }, ['less_than_equal body/amount']],
  [{ amount: -1e30 }, ['greater_than body/amount']],
  [{ currency: 'usd' }, ['enum body/currency']],
  [{ currency: 5 }, ['string_type body/currency']],
  [{ description: '' }, ['string_too_short body/description']],
  [{ description: '😀'.repeat(1024) }, []],
  [{ description: '😀'.repeat(1025) }, ['string_too_long body/description']],
  [{ end_date: NOW_MS }, ['value_error body/end_date']],
  [{ end_date: NOW_MS / 1000 }, ['value_error body/end_date']],
  [{ end_date: 0 }, ['greater_than body/end_date']],
  [{ end_date: 253_402_300_800_000 }, ['less_than_equal body/end_date']],
  [{ end_date: 253_402_300_799_999 }, []],
  [{ positions: [] }, ['too_short body/positions']],
  [{ positions: {} }, ['list_type body/positions']],
  [{ positions: [7] }, ['model_attributes_type body/positions/0']],
  [{ positions: [null] }, ['model_attributes_type body/positions/0']],
  [{ positions: new Array(500).fill(valid.positions[0]) }, []],
  [{ positions: new Array(501).fill(valid.positions[0]) }, ['too_long body/positions']],
  [
    { positions: [{ title: '', amount: 0 }] },
    [
      'string_too_short body/positions/0/title',
      'greater_than body/positions/0/amount',
      'missing body/positions/0/currency',
    ],
  ],
  [
    { positions: [{ title: 'x', amount: 1, currency: 'EUR' }] },
    ['value_error body/positions/0/currency'],
  ],
  [
    { positions: [{ ...valid.positions[0], title: '😀'.repeat(513) }] },
    ['string_too_long body/positions/0/title'],
  ],
  [{ merchant_transaction_id: 'a\nb' }, ['string_pattern_mismatch body/merchant_transaction_id']],
  [
    { merchant_transaction_id: 'a\u0085' },
    ['string_pattern_mismatch body/merchant_transaction_id'],
  ],
  [{ merchant_transaction_id: ' x ' }, []],
  [{ merchant_transaction_id: 'x'.repeat(256) }, ['string_too_long body/merchant_transaction_id']],
  [
    { merchant_transaction_id: `${'x'.repeat(256)}\n` },
    [
      'string_too_long body/merchant_transaction_id',
      'string_pattern_mismatch body/merchant_transaction_id',
    ],
  ],
  [{ success_url: 'javascript:alert(1)' }, ['url_scheme body/success_url']],
  [{ success_url: 'ftp://x.example' }, ['url_scheme body/success_url']],
  [{ success_url: '/relative' }, ['url_parsing body/success_url']],
  [{ success_url: 'https:/x.example' }, ['url_parsing body/success_url']],
  [{ success_url: 'https:///x.example' }, ['url_parsing body/success_url']],
  [{ success_url: 'https://x.example/a\nb' }, ['url_parsing body/success_url']],
  [{ success_url: ' https://x.example/' }, ['url_parsing body/success_url']],
  [{ success_url: 'https://x.example\\@evil.example/' }, ['url_parsing body/success_url']],
  [{ error_url: 'https://u:p@x.example/' }, ['value_error body/error_url']],
  [{ error_url: 'https://@x.example/' }, ['value_error body/error_url']],
  [{ callback_url: 'HTTP://x.example:8080?q=a@b' }, []],
  [
    { callback_url: `https://x.example/${'a'.repeat(2031)}` },
    ['string_too_long body/callback_url'],
  ],
  [
    { callback_url: `ftp://u:p@x.example/${'a'.repeat(2031)}` },
    [
      'string_too_long body/callback_url',
      'url_scheme body/callback_url',
      'value_error body/callback_url',
    ],
  ],
  [{ merchant_data: null }, []],
  [{ merchant_data: [] }, ['dict_type body/merchant_data']],
  [{ merchant_data: 'x' }, ['dict_type body/merchant_data']],
  [{ merchant_data: { a: 'x'.repeat(16_376) } }, []],
  [{ merchant_data: { a: 'x'.repeat(16_377) } }, ['too_long body/merchant_data']],
  // Bytes of UTF-8 are counted, and each of these letters takes two.
  [{ merchant_data: { a: 'я'.repeat(8_188) } }, []],
  [{ merchant_data: { a: 'я'.repeat(8_189) } }, ['too_long body/merchant_data']],
])('%j', (changes, expected) => {
  expect(faults(changes)).toEqual(expected);
});

test('faults between fields come together with the others', () => {
  expect(
    faults({ amount: 'x', end_date: 1, positions: [{ title: 'x', amount: 1, currency: 'RUB' }] }),
  ).toEqual([
    'int_type body/amount',
    'value_error body/positions/0/currency',
    'value_error body/end_date',
  ]);
});

test('a body that only the clock speaks against is marked, any other is not', () => {
  expect(parseText(JSON.stringify({ ...valid, end_date: 5 }))).toMatchObject({
    pastInvoice: { endDateMs: 5, amountMinor: 1500 },
  });
  expect(parseText(JSON.stringify({ ...valid, end_date: 5, amount: 0 }))).toMatchObject({
    pastInvoice: null,
  });
});

describe('a body that is no JSON object', () => {
  test.each([
    ['', 'json_invalid body'],
    ['{"a":}', 'json_invalid body'],
    ['[1]', 'model_attributes_type body'],
    ['null', 'model_attributes_type body'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'model_attributes_type body'],
    ['['.repeat(200_000), 'json_invalid body'],
  ])('%.20s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  test('bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(parseCreateRequest(bytes, 'application/json', NOW_MS)).toMatchObject({
      detail: [{ type: 'json_invalid', loc: ['body'] }],
    });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a body in %s: that it is not accepted', (_, compress) => {
    const bytes = compress(JSON.stringify(valid));
    expect(parseCreateRequest(bytes, 'application/json', NOW_MS)).toMatchObject({
      detail: [
        { type: 'json_invalid', msg: expect.stringMatching(/compressed bodies are not accepted$/) },
      ],
    });
  });

  test('a byte order mark before the object is passed over', () => {
    expect(faultsOf(`\u{feff}${JSON.stringify(valid)}`)).toEqual([]);
  });

  test.each([
    ['text/plain', ['model_attributes_type body']],
    [null, ['model_attributes_type body']],
    ['application/jsonp', ['model_attributes_type body']],
    ['Application/JSON; charset=UTF-8', []],
  ])('Content-Type %s', (contentType, expected) => {
    expect(faultsOf(JSON.stringify(valid), contentType)).toEqual(expected);
  });
});

test('no JSON value in any place throws, and every fault has its loc, msg and type', () => {
  const fields = Object.keys(valid);
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...fields, 'merchant_data', 'x'), fc.jsonValue()),
      (changes) => {
        const parsed = parseText(JSON.stringify({ ...valid, ...changes }));
        if (parsed.ok) return;
        for (const { loc, msg, type } of parsed.detail) {
          expect(loc[0]).toBe('body');
          expect(msg.length).toBeGreaterThan(0);
          expect(type).toMatch(/^[a-z_]+$/);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
