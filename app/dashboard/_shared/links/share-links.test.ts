import { expect, it } from 'vitest';
import { shareLinks } from './share-links.ts';

it('fills in text and address, so that no character of theirs ends a field', () => {
  const [text, url] = ['Чай & co: 1 000 сум?', 'https://pay.example/pay/inv_1'];
  const [telegram, whatsapp, email] = shareLinks(text, url).map(({ href }) => new URL(href));
  expect(Object.fromEntries(telegram?.searchParams ?? [])).toEqual({ url, text });
  expect(whatsapp?.searchParams.get('text')).toBe(`${text} ${url}`);
  expect(email?.protocol).toBe('mailto:');
  expect(email?.searchParams.get('subject')).toBe(text);
  expect(email?.searchParams.get('body')).toBe(`${text}\r\n${url}`);
});
