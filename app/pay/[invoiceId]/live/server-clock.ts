/**
 * The server's clock from here on, by the page's own time alone: it may stop while the machine
 * sleeps, but no correction of the browser's clock moves it. It serves decisions by the month.
 *
 * @param nowMs the server's time at the call
 * @returns reads it (ms)
 */
export function pageClock(nowMs: number): () => number {
  const sinceMs = performance.now();
  return () => nowMs + performance.now() - sinceMs;
}

/**
 * The age of the document's first byte in ms, and so of its time: its script may come long after
 * it. 0 if the browser does not say.
 */
export function sinceDocumentMs(): number {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry && entry.responseStart > 0 ? performance.now() - entry.responseStart : 0;
}

/**
 * The server's clock from here on, from one known moment: the browser's own may be wrong.
 *
 * @param nowMs the server's time `agoMs` before the call
 * @returns reads it (ms)
 */
export function serverClock(nowMs: number, agoMs = 0): () => number {
  const since = { page: performance.now() - agoMs, browser: Date.now() - agoMs };
  // The page's own time can stop while the machine sleeps; the browser's clock can be set back.
  return () => nowMs + Math.max(performance.now() - since.page, Date.now() - since.browser);
}
