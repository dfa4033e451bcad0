import { expect, test } from 'vitest';
import { createLogger } from '../observability/log.ts';
import { RequestLog } from './request-log.ts';

const AT = new Date('2026-01-01T00:00:00.000Z');
const line = {
  requestId: 'req_1',
  method: 'GET',
  path: '/api/sandbox/"quoted"',
  status: 200,
  durationMs: 1.26,
};

function openLog(level: string) {
  const written: string[] = [];
  const destination = { write: (text: string) => written.push(text) };
  return { written, log: new RequestLog(createLogger(level, destination)) };
}

test('lines are written together, soon, each as JSON', async () => {
  const { written, log } = openLog('info');
  log.record(line, AT);
  log.record({ ...line, requestId: 'req_2' }, AT);
  expect(written).toEqual([]);
  await expect.poll(() => written.length).toBe(1);
  const lines =
    written[0]
      ?.trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text)) ?? [];
  expect(lines.map(({ requestId }) => requestId)).toEqual(['req_1', 'req_2']);
  expect(lines[0]).toEqual({
    level: 'info',
    time: AT.toISOString(),
    ...line,
    durationMs: 1.3,
    msg: 'request',
  });
});

test('much is written at once, and nothing below its level', () => {
  const { written, log } = openLog('info');
  for (let count = 0; count < 1000; count++) log.record(line, AT);
  expect(written.length).toBeGreaterThan(0);
  const quiet = openLog('warn');
  quiet.log.record(line, AT);
  quiet.log.flush();
  expect(quiet.written).toEqual([]);
});
