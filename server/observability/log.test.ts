import { afterEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../lib/errors.ts';
import { runProgram } from '../lib/run-program.ts';
import { childEnvironment } from '../settings/settings.ts';
import { createLogger, logWhatIsPrinted } from './log.ts';

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
    const err = new GatewayError('busy', {}, 'too many wait');
    const error = new Error('no answer', { cause: err });
    const line = linesOf((log) => log.info({ err, error }, 'x'));
    const told = { code: 'busy', message: 'Service is busy', internal: 'too many wait' };
    expect(JSON.parse(line)).toMatchObject({ err: told, error: { cause: told } });
  });

  it('leaves out what is below its level', () => {
    expect(linesOf((log) => log.debug('x'))).toBe('');
  });
});

describe('logWhatIsPrinted', () => {
  const own = globalThis.console;
  afterEach(() => {
    globalThis.console = own;
  });

  /** The log lines made of a library's prints. */
  function linesPrintedBy(print: (library: Console) => void): Record<string, unknown>[] {
    const text = linesOf((log) => {
      logWhatIsPrinted(log);
      print(globalThis.console);
    });
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  it('makes a stack one line, with its time', () => {
    const lines = linesPrintedBy((library) => {
      library.error(' \u001b[31m⨯\u001b[39m', new Error('Failed to find Server Action'));
      library.log('ready');
    });
    expect(lines).toEqual([
      {
        level: 'error',
        time: expect.stringMatching(/^\d{4}-/),
        msg: expect.stringMatching(/^⨯ Error: Failed to find Server Action\n {4}at /),
      },
      { level: 'info', time: expect.any(String), msg: 'ready' },
    ]);
  });

  it('leaves some of many out, and cuts long ones', () => {
    const lines = linesPrintedBy((library) => {
      for (let nth = 0; nth < 1_000; nth++) library.error('x'.repeat(100_000));
    });
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.length).toBeLessThan(200);
    for (const { msg } of lines) expect(msg).toHaveLength(8_000);
  });
});

describe('log', () => {
  it('outlives a full disk, and a reader that is gone', async () => {
    const lines = `
      import { log, logFatal, outliveFullDisks } from './server/observability/log.ts';
      outliveFullDisks();
      for (let nth = 0; nth < 20_000; nth++) log().info('x'.repeat(100));
      logFatal(new Error('it ends'));
      process.exit(3);`;
    const node = `'${process.execPath}' --import tsx --input-type=module -e "$LINES"`;
    for (const shell of [`${node} > /dev/full`, `${node} | head -n 1; exit \${PIPESTATUS[0]}`]) {
      const env = childEnvironment({ LINES: lines, NODE_ENV: 'production' });
      const { ending } = await runProgram('bash', ['-c', shell], { env });
      expect(ending, shell).toBe('exit code 3');
    }
  });

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
