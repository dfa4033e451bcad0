import { describe, expect, it } from 'vitest';
import { generatePassword, hashPassword, verifyPassword } from './passwords.ts';

describe('passwords', () => {
  it('are stored as Argon2id with the parameters that OWASP asks for', async () => {
    expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('match their own hash only', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    expect(await verifyPassword(stored, 'Correct horse')).toBe(false);
  });

  it('never match where nothing is stored, after the same work', async () => {
    const stored = await hashPassword('x');
    const timeOf = async (hash: string | null) => {
      const times: number[] = [];
      for (let round = 0; round < 7; round++) {
        const startMs = performance.now();
        expect(await verifyPassword(hash, 'wrong')).toBe(false);
        times.push(performance.now() - startMs);
      }
      return times.sort((a, b) => a - b)[3] ?? 0;
    };
    await timeOf(null);
    expect(await timeOf(null)).toBeGreaterThan((await timeOf(stored)) / 3);
  });

  it('are made up anew each time', () => {
    expect(generatePassword()).toMatch(/^[0-9A-Za-z]{20}$/);
    expect(generatePassword()).not.toBe(generatePassword());
  });
});
