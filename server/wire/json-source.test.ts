import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectJsonSource, isExactInteger } from './json-source.ts';

const found = (text: string) =>
  inspectJsonSource(text).faults.map(({ kind, path }) => `${kind} ${path.join('/')}`);

/** Writes JSON with random white space, so that slices differ from JSON.stringify's. */
function spaced(text: string, space: string): string {
  return JSON.stringify(JSON.parse(text), null, space);
}

describe('the text of merchant_data', () => {
  test('keeps the order of integer-like keys, which JavaScript would change', () => {
    const text = '{"merchant_data": {"b":1,"10":2, "9":3}, "amount":1}';
    expect(inspectJsonSource(text).merchantDataText).toBe('{"b":1,"10":2, "9":3}');
  });

  test('is the last one when the key is repeated', () => {
    const text = '{"merchant_data":{"a":1e400},"merchant_data":{"a":2}}';
    expect(inspectJsonSource(text)).toEqual({ faults: [], merchantDataText: '{"a":2}' });
  });

  test('is found when the key is written with escapes', () => {
    expect(inspectJsonSource('{"merchant_d\\u0061ta":[1]}').merchantDataText).toBe('[1]');
  });

  test('is not taken from a nested object', () => {
    expect(inspectJsonSource('{"x":{"merchant_data":{}}}').merchantDataText).toBeNull();
  });

  test('parses to the same value as in the whole, for any value and white space', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.json(),
        fc.constantFrom('', ' ', '\n\t'),
        fc.string(),
        (before, data, space, key) => {
          const text = spaced(
            `{${JSON.stringify(`x${key}`)}:${before},"merchant_data":${data},"z":${before}}`,
            space,
          );
          const slice = inspectJsonSource(text).merchantDataText;
          expect(slice).not.toBeNull();
          expect(JSON.parse(slice ?? '')).toEqual(JSON.parse(text).merchant_data);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('faults', () => {
  test.each([
    ['{"a":"\\u0000"}', 'nul a'],
    ['{"a":["\\ud800x"]}', 'lone_surrogate a/0'],
    ['{"a":{"\\udc00":1}}', 'lone_surrogate a/\udc00'],
    ['{"a":{"__proto__":1}}', 'proto_key a/__proto__'],
    ['{"\\u005f_proto__":1}', 'proto_key __proto__'],
    ['{"merchant_data":{"n":[1,9007199254740992]}}', 'inexact_number merchant_data/n/1'],
    ['{"merchant_data":{"n":-1e400}}', 'inexact_number merchant_data/n'],
    ['{"amount":1.0000000000000000001}', 'fraction_rounded_away amount'],
    ['{"end_date":9e-1,"amount":0.99999999999999999999}', 'fraction_rounded_away amount'],
    [
      '{"positions":[{},{"amount":1.0000000000000000001}]}',
      'fraction_rounded_away positions/1/amount',
    ],
  ])('%s is refused at its place', (text, fault) => {
    expect(found(text)).toEqual([fault]);
  });

  test.each([
    '{"a":"\\ud83d\\ude00","b":"\\\\u0000"}',
    '{"merchant_data":{"n":[9007199254740991,-9007199254740991,0.1,1e15]}}',
    '{"other":1e400,"x":9007199254740993}',
    '{"amount":1.0,"end_date":17e11}',
    '{"amount":1.0000000000000000001,"amount":5}',
    '{"positions":[{"amount":1.0000000000000000001}],"positions":[{"amount":1}]}',
    '{"positions":[{"amount":1.0000000000000000001,"amount":1}]}',
  ])('%s has none', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('a fraction is still refused after an object that only looks like its place', () => {
    const text =
      '{"positions":[{"amount":1.0000000000000000001}],"positions.0":{"amount":1},"positions,0":1}';
    expect(found(text)).toEqual(['fraction_rounded_away positions/0/amount']);
  });

  test('32 levels pass and 33 do not', () => {
    const nested = (levels: number) =>
      `{"merchant_data":${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}}`;
    expect(found(nested(32))).toEqual([]);
    expect(found(nested(33))).toEqual(['too_deep merchant_data']);
  });

  test('many branches that are too deep are one fault, which hides no other', () => {
    const branches = new Array(100).fill('{}').join();
    const data = `[${'['.repeat(31)}${branches}${']'.repeat(31)},1e400]`;
    expect(found(`{"merchant_data":${data},"merchant_data":${data}}`)).toEqual([
      'too_deep merchant_data',
      'inexact_number merchant_data/1',
    ]);
  });

  test('a hundred numbers do not hide that it is too deep', () => {
    const data = `[${'1e400,'.repeat(100)}${'['.repeat(32)}${']'.repeat(32)}]`;
    expect(found(`{"merchant_data":${data}}`)).toContain('too_deep merchant_data');
  });

  test('a hundred thousand levels neither overflow the stack nor make a long answer', () => {
    const text = `{"x":${'["\\u0000",'.repeat(30_000)}1${']'.repeat(30_000)},"y":${'['.repeat(90_000)}${']'.repeat(90_000)}}`;
    const { faults } = inspectJsonSource(text);
    expect(faults).toHaveLength(100);
    expect(Math.max(...faults.map(({ path }) => path.length))).toBe(64);
  });

  test('long keys are cut in the answer', () => {
    const text = `{"${'k'.repeat(100_000)}":["\\u0000","\\u0000"]}`;
    expect(JSON.stringify(inspectJsonSource(text).faults).length).toBeLessThan(1000);
  });

  test('so are many keys above one another: the first are told, and the last', () => {
    const key = (level: number) => `${level}`.padEnd(1_000, 'k');
    const opened = Array.from({ length: 64 }, (_, level) => `{"${key(level)}":`).join('');
    const text = `{"x":${opened}[${'"\\u0000",'.repeat(100)}1]${'}'.repeat(64)}}`;
    const { faults } = inspectJsonSource(text);
    expect(faults).toHaveLength(100);
    expect(faults[0]?.path.slice(0, 3)).toEqual([
      'x',
      `${key(0).slice(0, 128)}…`,
      `${key(1).slice(0, 128)}…`,
    ]);
    expect(faults.map(({ path }) => path.slice(-2))).toEqual(
      Array.from({ length: 100 }, () => ['…', `${key(62).slice(0, 128)}…`]),
    );
    expect(JSON.stringify(faults).length).toBeLessThan(110_000);
  });
});

test('whether a token is an integer is judged by its digits', () => {
  fc.assert(
    fc.property(
      fc.bigInt(),
      fc.nat(30),
      fc.integer({ min: -40, max: 40 }),
      (digits, cut, shift) => {
        const sign = digits < 0n ? '-' : '';
        const absolute = (digits < 0n ? -digits : digits).toString().padStart(cut + 1, '0');
        const whole = cut === 0 ? absolute : absolute.slice(0, -cut);
        const fraction = cut === 0 ? '' : `.${absolute.slice(-cut)}`;
        const scale = shift - cut;
        const exact = scale >= 0 || digits % 10n ** BigInt(-scale) === 0n;
        expect(isExactInteger(`${sign}${whole}${fraction}e${shift}`)).toBe(exact);
      },
    ),
  );
});
