import { describe, expect, it } from 'vitest';
import { createLogger } from './log.ts';

function linesOf(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const sink = {
    write: (line: string) => {
      text += line;
    },
  };
  write(createLogger('info', sink));
  return text;
}

describe('createLogger', () => {
  it('writes one JSON object a line, with the level in words', () => {
    const line = linesOf((log) => log.info({ requestId: 'r1' }, 'done'));
    expect(JSON.parse(line)).toMatchObject({ level: 'info', requestId: 'r1', msg: 'done' });
  });

  it.each([
    { authorization: 'Bearer hidden' },
    { headers: { authorization: 'hidden', cookie: 'hidden' } },
    { request: { headers: { authorization: 'hidden' } } },
    { card: { number: 'hidden', cvc: 'hidden' } },
    { password: 'hidden', token: 'hidden' },
    { credentials: { apiToken: 'hidden', webhook_secret: 'hidden' } },
  ])('keeps secrets and cards out: %j', (fields) => {
    const line = linesOf((log) => log.info(fields, 'x'));
    expect(line).toContain('[redacted]');
    expect(line).not.toContain('hidden');
  });

  it('leaves out what is below its level', () => {
    expect(linesOf((log) => log.debug('x'))).toBe('');
  });
});
