import { verify } from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';

// The real work, watched.
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
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    expect(await verifyPassword(stored, 'Correct horse')).toBe(false);
  });

  it('never match where nothing is stored, after the same work', async () => {
    const parametersOf = (hash: unknown) => String(hash).split('$').slice(0, 4);
    const stored = await hashPassword('x');
    vi.mocked(verify).mockClear();
    expect(await verifyPassword(null, 'wrong')).toBe(false);
    expect(await verifyPassword(stored, 'wrong')).toBe(false);
    const [unknown, known] = vi.mocked(verify).mock.calls;
    expect(known?.[0]).toBe(stored);
    expect(parametersOf(unknown?.[0])).toEqual(parametersOf(stored));
    expect(unknown?.[1]).toBe('wrong');
  });
});
