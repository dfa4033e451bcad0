import { expect, test } from 'vitest';
import { joinMetrics } from './join-metrics.ts';

test('series of two processes stand together under one head, each with its process', () => {
  const text = (count: number) =>
    [
      '# HELP requests Requests, as "{a}"',
      '# TYPE requests counter',
      `requests{route="/a b",status="200"} ${count}`,
      '',
      '# HELP memory Bytes',
      '# TYPE memory gauge',
      'memory 12.5',
      '',
    ].join('\n');
  const reports = [
    { process: 1, text: text(3) },
    { process: 2, text: text(4) },
  ];
  expect(joinMetrics(reports)).toBe(
    [
      '# HELP requests Requests, as "{a}"',
      '# TYPE requests counter',
      'requests{process="1",route="/a b",status="200"} 3',
      'requests{process="2",route="/a b",status="200"} 4',
      '# HELP memory Bytes',
      '# TYPE memory gauge',
      'memory{process="1"} 12.5',
      'memory{process="2"} 12.5',
      '',
    ].join('\n'),
  );
});
