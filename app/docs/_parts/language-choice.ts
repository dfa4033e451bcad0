/** The cookie that remembers a reader's language tab for a year. */
export const LANGUAGE_COOKIE = 'docs_language';
const MAX_AGE_S = 365 * 24 * 60 * 60;

/** A tab: `family` is its programming language, whatever the framework. */
export type Tab = { label: string; family: string };

/** The tab for a choice made anywhere: the same, or one of the same language, or the first. */
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

/** Makes every group of tabs on the page, and on the next page, follow. */
export function choose({ label, family }: Tab): void {
  chosen = `${label}|${family}`;
  remember(chosen);
  for (const listener of listeners) listener();
}

/** Stores the choice in a cookie, which is not secret, for the server's next rendering. */
function remember(value: string): void {
  const expires = Date.now() + MAX_AGE_S * 1000;
  // Older browsers have no cookie store and forget the choice with the page.
  void globalThis.cookieStore
    ?.set({ name: LANGUAGE_COOKIE, value: encodeURIComponent(value), path: '/docs', expires })
    .catch(() => undefined);
}

/** For React: calls back at each choice. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
