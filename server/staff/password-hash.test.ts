import { hash, verify } from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

// The real function, observed.
vi.mock(import('@node-rs/argon2'), async (original) => {
  const argon2 = await original();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

describe('passwords', () => {
  it('are stored as Argon2id with the parameters that OWASP asks for', async () => {
    expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('match their own hash only', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword(stored, 'correct horse')).toBe('right');
    expect(await verifyPassword(stored, 'Correct horse')).toBe('wrong');
  });

  it('match in every form that keyboards give them', async () => {
    const stored = await hashPassword('café № 1');
    for (const typed of ['cafe\u0301 No 1', 'ｃａｆé\u3000No\u00a01']) {
      expect(await verifyPassword(stored, typed)).toBe('right');
    }
  });

  it('match as they were typed where the hash was made of that, and are told apart', async () => {
    const stored = await hash('cafe\u0301');
    expect(await verifyPassword(stored, 'cafe\u0301')).toBe('outdated');
    expect(await verifyPassword(stored, 'café')).toBe('wrong');
  });

  it('never match where nothing is stored, after the same work', async () => {
    const parametersOf = (hash: unknown) => String(hash).split('$').slice(0, 4);
    const stored = await hashPassword('x');
    vi.mocked(verify).mockClear();
    expect(await verifyPassword(null, 'ｗrong')).toBe('wrong');
    expect(await verifyPassword(stored, 'ｗrong')).toBe('wrong');
    const calls = vi.mocked(verify).mock.calls;
    const [unknown, known] = [calls.slice(0, 2), calls.slice(2)];
    expect(known.map(([hash]) => hash)).toEqual([stored, stored]);
    expect(unknown.map(([hash]) => parametersOf(hash))).toEqual(
      known.map(([hash]) => parametersOf(hash)),
    );
    for (const each of [unknown, known])
      expect(each.map(([, text]) => text)).toEqual(['wrong', 'ｗrong']);
  });
});
