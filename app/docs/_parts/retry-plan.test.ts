import { expect, test } from 'vitest';
import { RETRY_DELAYS_MS } from '#server/callbacks/schedule.ts';
import { attemptsOf, spokenDuration } from './retry-plan.tsx';

test('the table lists every attempt with the time since the first', () => {
  const attempts = attemptsOf(RETRY_DELAYS_MS);
  expect(attempts).toHaveLength(11);
  expect(attempts.map(({ delayMs }) => spokenDuration(delayMs, 'en'))).toEqual([
    'at once',
    '5 s',
    '30 s',
    '5 min',
    '30 min',
    '2 h',
    '5 h',
    '10 h',
    '14 h',
    '20 h',
    '24 h',
  ]);
  expect(spokenDuration(attempts.at(-1)?.sinceMs ?? 0, 'en')).toBe('75 h 35 min 35 s');
  expect(spokenDuration(attempts.at(-1)?.sinceMs ?? 0, 'ru')).toBe('75 ч 35 мин 35 с');
});
