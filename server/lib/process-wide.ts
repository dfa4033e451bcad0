/**
 * One object for the whole process: Next's bundle and our own server load the same file separately,
 * each with its own variables.
 *
 * @param make called by whichever of them asks first
 */
export function processWide<T extends object>(name: string, make: () => T): T {
  const key = Symbol.for(`payment-gateway.${name}`);
  const all = globalThis as typeof globalThis & { [key: symbol]: T | undefined };
  const held = all[key] ?? make();
  all[key] = held;
  return held;
}
