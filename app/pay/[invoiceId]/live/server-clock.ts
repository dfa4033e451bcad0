/**
 * The server's clock from here on by the page's own time alone: it may stand still while the machine
 * sleeps, but a browser's clock that is put right does not move it. For what a month decides.
 *
 * @param nowMs what it says at the time of the call
 * @returns reads it (ms)
 */
export function pageClock(nowMs: number): () => number {
  const sinceMs = performance.now();
  return () => nowMs + performance.now() - sinceMs;
}

/**
 * How long ago the first of the document came, in ms, and so the time that it tells: its script may
 * come long after it. 0 where the browser does not say.
 */
export function sinceDocumentMs(): number {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry && entry.responseStart > 0 ? performance.now() - entry.responseStart : 0;
}

/**
 * The server's clock from here on, of which a page knows one moment: the browser's own may be wrong.
 *
 * @param nowMs what it said `agoMs` before the call
 * @returns reads it (ms)
 */
export function serverClock(nowMs: number, agoMs = 0): () => number {
  const since = { page: performance.now() - agoMs, browser: Date.now() - agoMs };
  // The page's own time can stand still while the machine sleeps, the browser's can be set back.
  return () => nowMs + Math.max(performance.now() - since.page, Date.now() - since.browser);
}
