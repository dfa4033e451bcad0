import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLocale, negotiateLocale } from './locales.ts';

describe('the language of a request', () => {
  test.each([
    [undefined, null, 'en'],
    [undefined, '', 'en'],
    [undefined, 'ru', 'ru'],
    [undefined, 'ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
    [undefined, 'uz-Cyrl-UZ', 'uz-Cyrl'],
    [undefined, 'uz-Latn-UZ', 'uz'],
    [undefined, 'UZ', 'uz'],
    [undefined, 'de,fr;q=0.9', 'en'],
    [undefined, 'de,uz;q=0.3', 'uz'],
    [undefined, 'en;q=0.1,ru;q=0.2', 'ru'],
    [undefined, 'ru;q=0,en', 'en'],
    [undefined, '*', 'en'],
    ['uz', 'ru', 'uz'],
    ['xx', 'ru', 'ru'],
    ['', 'ru', 'ru'],
  ])('with the cookie %j and Accept-Language %j is %s', (cookie, header, locale) => {
    expect(negotiateLocale(cookie, header)).toBe(locale);
  });

  test('is the fallback that is asked for when nothing fits', () => {
    expect(negotiateLocale(undefined, 'de', 'uz')).toBe('uz');
  });

  test('is one that we have, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (cookie, header) =>
        isLocale(negotiateLocale(cookie, header)),
      ),
    );
  });
});
