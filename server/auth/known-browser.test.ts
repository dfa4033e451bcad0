import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keyOfBrowser, markBrowser } from './known-browser.ts';

beforeAll(() => void vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 1).toString('base64')));
afterAll(() => vi.unstubAllEnvs());

const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, password_hash: `hash of ${id}` }));

/** The accounts that a browser knows. */
const known = (kept: string) =>
  PEOPLE.filter((each) => keyOfBrowser(each, kept) !== null).map(({ id }) => id);

/** What a browser keeps after these accounts signed in one after the other. */
const cameIn = (ids: string) =>
  [...ids].reduce((kept: string | null, id) => {
    const account = PEOPLE.find((each) => each.id === id);
    return account ? markBrowser(account, kept) : kept;
  }, null) ?? '';

it.each([
  ['abcde', 'abcde'],
  ['abcdef', 'bcdef'],
  ['abababcde', 'abcde'],
  ['abcdaef', 'acdef'],
])('a browser by which %s came in knows %s: the last five, each once', (ids, expected) => {
  expect(known(cameIn(ids)).join('')).toBe(expected);
});

it('a mark that has ended with its password takes nobody’s place', () => {
  const passwords = ['1', '2', '3', '4', '5'].map((each) => ({ id: 'a', password_hash: each }));
  const kept = passwords.reduce((marks, each) => markBrowser(each, marks), cameIn('b'));
  expect(known(kept)).toEqual(['b']);
});

it('what is no mark is neither looked at nor kept', () => {
  const [account = { id: '', password_hash: null }] = PEOPLE;
  const kept = markBrowser(account, `x~${cameIn('b')}~~${'y'.repeat(5_000)}`);
  expect(known(kept)).toEqual(['a', 'b']);
  expect(kept).toHaveLength(2 * 66 + 1);
  expect(known(`x~x~x~x~x~${cameIn('a')}`)).toEqual([]);
});
