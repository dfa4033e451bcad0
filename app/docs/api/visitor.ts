/** The reader's values for trials on this page. They are only in memory and end with the page. */
export type Visitor = { merchantId: string; token: string; invoiceId: string };

let current: Visitor = { merchantId: '', token: '', invoiceId: '' };
const listeners = new Set<() => void>();

/** The same object until something changes. */
export function visitor(): Visitor {
  return current;
}

/** Changes the given values; every part of the page that shows them follows. */
export function updateVisitor(changes: Partial<Visitor>): void {
  current = { ...current, ...changes };
  for (const listener of listeners) listener();
}

/** For React: calls back at each change. */
export function subscribeToVisitor(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
