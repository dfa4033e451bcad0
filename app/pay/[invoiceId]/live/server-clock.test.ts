import { afterEach, expect, test, vi } from 'vitest';
import { pageClock, serverClock, sinceDocumentMs } from './server-clock.ts';

afterEach(() => vi.restoreAllMocks());

/** Sets the two clocks of a browser to the given times (ms). */
function browserAt(pageMs: number, browserMs: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(pageMs);
  vi.spyOn(Date, 'now').mockReturnValue(browserMs);
}

test('counts from when the time came, not from when the page was opened', () => {
  browserAt(3_600_000, 7_000_000);
  const clock = serverClock(50_000);
  expect(clock()).toBe(50_000);
  browserAt(3_601_000, 7_001_000);
  expect(clock()).toBe(51_000);
});

test('counts from when the document came, though its script came long after', () => {
  const entry = { responseStart: 400 } as PerformanceNavigationTiming;
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry]);
  browserAt(12_400, 7_012_000);
  const clock = serverClock(50_000, sinceDocumentMs());
  expect(clock()).toBe(62_000);
  browserAt(13_400, 7_013_000);
  expect(clock()).toBe(63_000);
});

test('a browser that does not say when the document came counts from now', () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([]);
  expect(sinceDocumentMs()).toBe(0);
});

test('goes on while the machine sleeps', () => {
  browserAt(1_000, 7_000_000);
  const clock = serverClock(50_000);
  browserAt(2_000, 7_300_000);
  expect(clock()).toBe(350_000);
});

test('does not go back when the browser’s clock is set back', () => {
  browserAt(1_000, 7_000_000);
  const clock = serverClock(50_000);
  browserAt(2_000, 3_400_000);
  expect(clock()).toBe(51_000);
});

test('what a month decides goes by the page alone, whatever the browser’s clock is set to', () => {
  browserAt(1_000, 7_000_000);
  const clock = pageClock(50_000);
  browserAt(2_000, 9_000_000_000);
  expect(clock()).toBe(51_000);
});
