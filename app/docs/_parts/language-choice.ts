/** Remembers for a year which language's tab a reader chose. */
export const LANGUAGE_COOKIE = 'docs_language';
const MAX_AGE_S = 365 * 24 * 60 * 60;

/** A tab: `family` is the language that it is written in, whatever the framework. */
export type Tab = { label: string; family: string };

/** The tab that fits a choice made anywhere: itself, or one of the same language, or the first. */
export function tabFor(tabs: readonly Tab[], chosen: string | null): number {
  const [label, family] = (chosen ?? '').split('|');
  const exact = tabs.findIndex((tab) => tab.label === label);
  if (exact >= 0) return exact;
  return Math.max(
    0,
    tabs.findIndex((tab) => tab.family === family),
  );
}

let chosen: string | null = null;
const listeners = new Set<() => void>();

/** The choice in this page view; null until one is made. */
export function currentChoice(): string | null {
  return chosen;
}

/** Makes every group of tabs on the page follow, and the next page as well. */
export function choose({ label, family }: Tab): void {
  chosen = `${label}|${family}`;
  remember(chosen);
  for (const listener of listeners) listener();
}

/** In a cookie, which is no secret, so that the server draws the right tab at once next time. */
function remember(value: string): void {
  const expires = Date.now() + MAX_AGE_S * 1000;
  // Older browsers have no such store and forget the choice with the page.
  void globalThis.cookieStore
    ?.set({ name: LANGUAGE_COOKIE, value: encodeURIComponent(value), path: '/docs', expires })
    .catch(() => undefined);
}

/** For React: calls back at each choice. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
