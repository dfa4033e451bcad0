import fc from 'fast-check';

export type GeneratedBody = { path: string; bytes: Buffer; contentType: string };

type Json = { [field: string]: unknown };

const FIELDS = [
  'amount',
  'currency',
  'description',
  'end_date',
  'positions',
  'merchant_transaction_id',
  'success_url',
  'error_url',
  'callback_url',
  'merchant_data',
];

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40, size: 'max' });
// Without control characters, NUL and lone surrogates, which are refused.
const printable = fc.string({
  unit: 'grapheme-composite',
  minLength: 1,
  maxLength: 60,
  size: 'max',
});

const safeNumber = fc.oneof(fc.maxSafeInteger(), fc.double({ min: -9e15, max: 9e15, noNaN: true }));

/** Any JSON object that merchant_data may be, integer-like keys included. */
const merchantData = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, safeNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(
    fc.oneof(text, fc.nat(20).map(String)).filter((key) => key !== '__proto__'),
    tie('value'),
    { maxKeys: 5 },
  ),
})).object;

const currency = fc.constantFrom('USD', 'EUR', 'RUB', 'UZS');
const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

const url = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'http://localhost:8080/cb',
    'https://пример.испытание/путь?q=ё',
    'HTTPS://X.EXAMPLE',
  ),
);

const valid = (base: () => Json) =>
  fc
    .record({
      currency,
      amount,
      description: printable,
      titles: fc.array(fc.tuple(printable, amount), { minLength: 1, maxLength: 6 }),
      success_url: url,
      error_url: url,
      callback_url: url,
      merchant_data: fc.option(merchantData, { nil: undefined }),
    })
    .map(({ titles, ...fields }) => ({
      ...base(),
      ...fields,
      positions: titles.map(([title, each]) => ({
        title,
        amount: each,
        currency: fields.currency,
      })),
    }));

const hostileText = fc.constantFrom(
  '\\u0000',
  '\\ud800',
  '\\udfff\\ud800',
  '__proto__',
  "'; DROP TABLE invoices; --",
  '\\\\u0000',
  '{{7*7}}',
  '\u202e',
  '\ufeff',
  'javascript:alert(1)',
  'http://user:pw@x.example/',
  'https://[::1',
  '1e400',
  '9007199254740993',
  '-0',
  '1.0000000000000000000001',
  'x'.repeat(3000),
);

const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(null, 0, -1, 0.5, 2 ** 53, 1e300, '', true, [], {}, [[]], [null]),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** A valid body with fields changed, removed or wrapped, written as JSON. */
const mutated = (base: () => Json) =>
  fc
    .tuple(
      valid(base),
      fc.array(fc.tuple(fc.constantFrom(...FIELDS), fc.option(anyValue)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([body, changes]) => {
      const changed: Json = { ...body };
      for (const [field, value] of changes) changed[field] = value ?? undefined;
      return JSON.stringify(changed);
    });

/** The text of a valid body, partly replaced with something hostile. */
const spliced = (base: () => Json) =>
  fc.tuple(valid(base), hostileText, fc.nat(), fc.nat(12)).map(([body, hostile, at, length]) => {
    const source = JSON.stringify(body);
    const start = at % source.length;
    return source.slice(0, start) + hostile + source.slice(start + length);
  });

/** The last value of a repeated key counts. */
const repeated = (base: () => Json) =>
  fc
    .tuple(valid(base), fc.constantFrom(...FIELDS), anyValue)
    .map(
      ([body, field, value]) =>
        `{"${field}":${JSON.stringify(value)},${JSON.stringify(body).slice(1)}`,
    );

const deep = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.integer({ min: 1, max: 40_000 }))
  .map(([open, depth]) => `{"merchant_data":${open.repeat(depth)}`);

const create = '/invoice/create';
const asCreate = (source: string): GeneratedBody => ({
  path: create,
  bytes: Buffer.from(source),
  contentType: 'application/json',
});

/** Bodies of every kind: valid, nearly valid, hostile, and meaningless bytes. */
export function anyBody(base: () => Json): fc.Arbitrary<GeneratedBody> {
  const path = fc.constantFrom(
    create,
    '/invoice/cancel',
    '/test/invoice/pay',
    '/test/invoice/expire',
  );
  const noise = fc
    .tuple(
      path,
      fc.oneof(
        fc.uint8Array({ maxLength: 300, size: 'max' }).map((bytes) => Buffer.from(bytes)),
        fc.json().map((source) => Buffer.from(source)),
        fc
          .record({ invoice_id: anyValue, outcome: anyValue })
          .map((value) => Buffer.from(JSON.stringify(value))),
      ),
      fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain'),
    )
    .map(([at, bytes, contentType]) => ({ path: at, bytes, contentType }));
  return fc.oneof(
    { arbitrary: valid(base).map((body) => asCreate(JSON.stringify(body))), weight: 4 },
    { arbitrary: mutated(base).map(asCreate), weight: 3 },
    { arbitrary: spliced(base).map(asCreate), weight: 3 },
    { arbitrary: repeated(base).map(asCreate), weight: 1 },
    { arbitrary: deep.map(asCreate), weight: 1 },
    { arbitrary: noise, weight: 2 },
  );
}
