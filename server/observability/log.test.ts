import { describe, expect, it } from 'vitest';
import { GatewayError } from '../lib/errors.ts';
import { runProgram } from '../lib/run-program.ts';
import { childEnvironment } from '../settings/settings.ts';
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

  it('writes what an error keeps from its caller, also where it is the cause', () => {
    const err = new GatewayError('unavailable', 'Service is busy', 'too many wait');
    const error = new Error('no answer', { cause: err });
    const line = linesOf((log) => log.info({ err, error }, 'x'));
    const told = { message: 'Service is busy', internal: 'too many wait' };
    expect(JSON.parse(line)).toMatchObject({ err: told, error: { cause: told } });
  });

  it('leaves out what is below its level', () => {
    expect(linesOf((log) => log.debug('x'))).toBe('');
  });
});

describe('log', () => {
  it.each(['server/web/http.ts', 'server/worker/worker.ts'])(
    'tells in one line what %s cannot be set to',
    async (file) => {
      const env = childEnvironment({ NODE_ENV: 'production', TRUSTED_PROXY_HOPS: 'true' });
      const { ending, output } = await runProgram(process.execPath, ['--import', 'tsx', file], {
        env,
      });
      expect(ending).toBe('exit code 1');
      const msg =
        'The setting TRUSTED_PROXY_HOPS must be a whole number from 0 to 10, but is "true".';
      const line = { level: 'fatal', time: expect.any(String), msg };
      expect(JSON.parse(output)).toEqual(line);
    },
  );
});
