/** Has `settings()` read the variables anew, for a test that changes them. */
export function forgetSettings(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('payment-gateway.settings'));
}
