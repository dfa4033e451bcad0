/** What a reader gave this page to try things with. Kept in memory: gone with the page. */
export type Visitor = { merchantId: string; token: string; invoiceId: string };

let current: Visitor = { merchantId: '', token: '', invoiceId: '' };
const listeners = new Set<() => void>();

/** The same object until something changes. */
export function visitor(): Visitor {
  return current;
}

/** Changes what is given; every part of the page that shows it follows. */
export function updateVisitor(changes: Partial<Visitor>): void {
  current = { ...current, ...changes };
  for (const listener of listeners) listener();
}

/** For React: calls back at each change. */
export function subscribeToVisitor(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
