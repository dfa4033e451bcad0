import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldCode } from '#server/lib/typed-text.ts';
import { TEST_CARDS } from '#server/payments/providers/sandbox/test-cards.ts';
import { type CardInput, checkCard, fieldFault } from './card-rules.ts';
import { parseExpiry } from './field-formats.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const GOOD: CardInput = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 30',
  securityCode: '123',
  name: 'Ann Buyer',
  email: '',
};

const faultOf = (part: Partial<CardInput>) => {
  const checked = checkCard({ ...GOOD, ...part }, NOW);
  return 'faults' in checked ? checked.faults : {};
};

describe('a card as typed', () => {
  test('becomes a card of digits, month and four-digit year', () => {
    expect(checkCard(GOOD, NOW)).toEqual({
      card: {
        number: '4242424242424242',
        expiryMonth: 12,
        expiryYear: 2030,
        securityCode: '123',
        holderName: 'Ann Buyer',
      },
    });
  });

  test('is accepted for every test card, with spaces, dashes, marks that nobody sees or none', () => {
    for (const { number } of TEST_CARDS) {
      const groups = number.match(/.{4}/g) ?? [];
      const copied = `\u202d${groups.join('\u200b')}\u202c`;
      for (const text of [number, groups.join(' '), groups.join('-'), groups.join(' – '), copied]) {
        expect(faultOf({ number: text })).toEqual({});
      }
    }
  });

  test.each([
    ['Arabic-Indic', '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', '١٢/٣٠', '١٢٣'],
    ['Persian', '۴۲۴۲ ۴۲۴۲ ۴۲۴۲ ۴۲۴۲', '۱۲ / ۳۰', '۱۲۳'],
    ['Devanagari', '४२४२ ४२४२ ४२४२ ४२४२', '१२/३०', '१२३'],
    ['full-width', '４２４２　４２４２　４２４２　４２４２', '２０３０-１２', '１２３ '],
  ])('is the same in %s digits', (_, number, expiry, securityCode) => {
    expect(checkCard({ ...GOOD, number, expiry, securityCode }, NOW)).toEqual(checkCard(GOOD, NOW));
  });

  test.each([
    ['', 'number_missing'],
    ['  ', 'number_missing'],
    ['4242 4242 4242 424x', 'number_characters'],
    ['4242 4242 4242 四二四二', 'number_characters'],
    ['4242 4242 424', 'number_length'],
    ['42424242424242424242', 'number_length'],
    ['4242 4242 4242 4241', 'number_check'],
  ])('is refused with the number %j: %s', (number, fault) => {
    expect(faultOf({ number })).toEqual({ number: fault });
  });

  test.each([
    ['', 'expiry_missing'],
    ['1', 'expiry_format'],
    ['13/30', 'expiry_format'],
    ['00/30', 'expiry_format'],
    ['12/3', 'expiry_format'],
    ['2030-13', 'expiry_format'],
    ['10/26', 'expiry_past'],
    ['12/25', 'expiry_past'],
    ['12/1999', 'expiry_past'],
  ])('is refused with the expiry %j: %s', (expiry, fault) => {
    expect(faultOf({ expiry })).toEqual({ expiry: fault });
  });

  test.each([
    ['', 'securityCode_missing'],
    ['12', 'securityCode_format'],
    ['12345', 'securityCode_format'],
    ['12a', 'securityCode_format'],
  ])('is refused with the security code %j: %s', (securityCode, fault) => {
    expect(faultOf({ securityCode })).toEqual({ securityCode: fault });
  });

  test('is refused with no name or one of 101 characters, and taken with 100', () => {
    expect(faultOf({ name: ' ' })).toEqual({ name: 'name_missing' });
    expect(faultOf({ name: 'я'.repeat(101) })).toEqual({ name: 'name_length' });
    expect(faultOf({ name: '😀'.repeat(100) })).toEqual({});
  });

  test('names all faults at once', () => {
    const empty = { number: '', expiry: '', securityCode: '', name: '' };
    expect(Object.keys(faultOf(empty))).toEqual(['number', 'expiry', 'securityCode', 'name']);
  });
});

describe('an expiry date', () => {
  test.each([
    '12/30',
    '12 / 30',
    '1230',
    '12-30',
    '12.30',
    '12 30',
    '12/2030',
    ' 12/30 ',
    '2030-12',
    '2030 12',
    '2030 / 12',
    '122030',
    '203012',
  ])('is read from %j', (text) => {
    expect(parseExpiry(text)).toEqual({ month: 12, year: 2030 });
  });

  test('holds to the end of its month, wherever on earth the buyer is', () => {
    const at = (instant: string) => fieldFault('expiry', '11/26', new Date(instant));
    expect(at('2026-11-30T23:59:59Z')).toBeNull();
    expect(at('2026-12-01T11:59:59Z')).toBeNull();
    expect(at('2026-12-01T12:00:00Z')).toBe('expiry_past');
  });

  test('of any month from now on is accepted', () => {
    const months = fc.integer({ min: 2026 * 12 + 10, max: 2099 * 12 + 11 });
    fc.assert(
      fc.property(months, (count) => {
        const month = String((count % 12) + 1).padStart(2, '0');
        const year = String(Math.floor(count / 12) % 100).padStart(2, '0');
        return fieldFault('expiry', `${month} / ${year}`, NOW) === null;
      }),
    );
  });
});

test('a single wrong digit is always noticed', () => {
  const digit = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(
      fc.constantFrom(...TEST_CARDS),
      fc.integer({ min: 0, max: 15 }),
      digit,
      ({ number }, place, other) => {
        fc.pre(number.charAt(place) !== String(other));
        const wrong = number.slice(0, place) + other + number.slice(place + 1);
        return fieldFault('number', wrong, NOW) === 'number_check';
      },
    ),
  );
});

test('whatever is typed gets an answer and never an exception', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  fc.assert(
    fc.property(text, text, text, text, (number, expiry, securityCode, name) => {
      const checked = checkCard({ number, expiry, securityCode, name, email: '' }, NOW);
      return 'faults' in checked || checked.card.number === foldCode(number);
    }),
  );
});
