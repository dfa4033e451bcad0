/** A map of at most `maxSize` entries: a new one replaces the least recently used. */
export class LruMap<Key, Value> {
  private readonly maxSize: number;
  // A Map keeps the order of insertion, so a used entry is inserted anew.
  private readonly entries = new Map<Key, Value>();

  constructor(maxSize: number) {
    this.maxSize = maxSize;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key);
    if (this.entries.size >= this.maxSize) {
      const oldest = this.entries.keys().next();
      if (!oldest.done) this.entries.delete(oldest.value);
    }
    this.entries.set(key, value);
  }
}
