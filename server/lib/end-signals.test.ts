import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { onEndSignals } from './end-signals.ts';

it('a signal and its echo begin the end once; a later one is another', () => {
  const source = new EventEmitter();
  const heard: string[] = [];
  let nowMs = 1_000;
  onEndSignals(
    (signal) => heard.push(signal),
    () => heard.push('again'),
    source,
    () => nowMs,
  );
  source.emit('SIGINT', 'SIGINT');
  source.emit('SIGINT', 'SIGINT');
  nowMs += 500;
  source.emit('SIGTERM', 'SIGTERM');
  expect(heard).toEqual(['SIGINT']);
  nowMs += 1;
  source.emit('SIGINT', 'SIGINT');
  source.emit('SIGHUP', 'SIGHUP');
  expect(heard).toEqual(['SIGINT', 'again', 'again']);
});
