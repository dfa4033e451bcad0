/** A letter of another script, on whose keyboards the Latin ones are printed as well. */
const OTHER_SCRIPT = /^(?!\p{Script=Latin})[\p{L}\p{M}]$/u;

/**
 * Which key a shortcut is asked for by, in small letters: what it writes or, on a keyboard of
 * another script, the Latin letter printed on it (`л` is `k` in Russian). Latin keyboards that
 * place their letters otherwise, as Dvorak does, go by what they write.
 */
export function pressedKey({ key, code }: { key: string; code: string }): string {
  const isOther = OTHER_SCRIPT.test(key);
  // Russian and others write a full stop where `/` is printed: that tells no script.
  if (code === 'Slash' && (isOther || key === '.')) return '/';
  const printed = isOther ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return (printed ?? key).toLowerCase();
}
