import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, it } from 'vitest';
import type { GatewayError } from '../lib/errors.ts';
import { PASSWORD_LENGTH } from '../merchants/types.ts';
import { checkNewPassword } from './passwords.ts';

/** The code of a password's refusal, or null. */
function weaknessOf(password: string, email: string): string | null {
  try {
    checkNewPassword(password, email);
    return null;
  } catch (error) {
    return (error as GatewayError).code;
  }
}

describe('passwords', () => {
  it.each([
    '123456789012',
    'passwordpassword',
    'Password1234',
    'P@ssw0rd2026!',
    'qwertyuiop12',
    '1q2w3e4r5t6y',
    '0987654321098',
    'letmein12345',
    'football2026!',
    'aaaabbbbcccc',
    'abcabcabcabc',
    'xyzzyxyzzyxyzzy',
    'iloveyouiloveyou',
    'monkeydragon1',
    'ПарольПароль12',
    'москва2026!!',
    'unbelievable',
    '112233445566',
    '1029384756102',
    'correcthorsebatterystaple',
    'Correct Horse Battery Staple',
    'ｐａｓｓｗｏｒｄ１２３４',
    'йцукенгшщзхъ',
    'kim.owner2026',
    'Kim-Coffee-1234',
    'kim.owner@coffee.example',
    'x'.repeat(1_000),
  ])('that are among the first to be tried are refused: %s', (password) => {
    expect(weaknessOf(password, 'kim.owner@coffee.example')).toBe('password_guessable');
  });

  it('that leaked most are refused, each of those that are long enough', () => {
    const leaked = dictionary['passwords-common'];
    expect(leaked.length).toBeGreaterThan(10_000);
    const long = leaked.filter((each) => each.length >= PASSWORD_LENGTH.least);
    expect(long.length).toBeGreaterThan(300);
    expect(long.filter((each) => weaknessOf(each, 'kim.owner@coffee.example') === null)).toEqual(
      [],
    );
  });

  it.each([
    'correct horse battery',
    'a newer battery',
    'monkeys eat blue lamps',
    'Wq8fKx2mPz4T',
    'семь синих чашек',
    'yashil choy limon bilan',
    'purple elephant dances',
    '🦊🐻🐼🐨🐯🦁🐸🐵🐔🐧🐦🦆',
    'my coffee is too hot',
  ])('of a few words, or of chance, will do: %s', (password) => {
    expect(weaknessOf(password, 'kim.owner@coffee.example')).toBeNull();
  });

  it('have no more UTF-16 units than a sign-in takes, whatever they count as characters', () => {
    const chance = Array.from({ length: 512 }, (_, at) => String.fromCodePoint(0x1f300 + at));
    expect(weaknessOf(chance.join(''), 'kim.owner@coffee.example')).toBeNull();
    expect(weaknessOf(`${chance.join('')}x`, 'kim.owner@coffee.example')).not.toBeNull();
  });

  it('are as long as in the form in which they are kept', () => {
    expect(weaknessOf('ёжик и лиса'.normalize('NFD'), 'kim.owner@coffee.example')).toBe(
      'password_length',
    );
  });

  it.each([
    ['short', 'x'.repeat(11)],
    ['short, be they of two UTF-16 units each', '🦊🐻🐼🐨🐯🦁🐸🐵🐔🐧🐦'],
    ['short, be they of two bytes each', 'жёлтый слон'],
    ['long', 'x'.repeat(1_025)],
  ])('that are too %s are refused with how long they may be', (_, password) => {
    expect(weaknessOf(password, 'kim.owner@coffee.example')).toBe('password_length');
  });

  it('that are long are judged as fast as others', () => {
    const long = Array.from({ length: 1_024 }, (_, at) => 'ab'[at % 2]).join('');
    // Processor time in microseconds, which a stalling machine does not affect.
    const before = process.cpuUsage();
    for (let round = 0; round < 20; round++) weaknessOf(long, 'kim.owner@coffee.example');
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});
