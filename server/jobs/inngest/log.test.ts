import { expect, test } from 'vitest';
import { createLogger } from '../../observability/log.ts';
import { boundedLog } from './log.ts';

test('of very many lines some are left out, and counted', () => {
  const written: string[] = [];
  let nowMs = 0;
  const target = createLogger('info', { write: (line) => void written.push(line) });
  const bounded = boundedLog(target, () => nowMs);
  // Lines below the log's level do not count.
  for (let count = 0; count < 1_000; count++) bounded.debug('said');
  for (let count = 0; count < 1_000; count++) bounded.error(new Error('Invalid signature'));
  expect(written).toHaveLength(100);
  nowMs += 1_000;
  bounded.info('registered');
  bounded.warn({ reason: 'none' }, 'words');
  const lines = written.slice(100).map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', unlogged: 900 }),
    expect.objectContaining({ level: 'info', msg: 'registered' }),
    expect.objectContaining({ level: 'warn', reason: 'none', msg: 'words' }),
  ]);
  expect(JSON.parse(written[0] ?? '').err.message).toBe('Invalid signature');
});
