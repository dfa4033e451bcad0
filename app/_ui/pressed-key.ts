/** A letter of another script; its keyboards have the Latin letters printed too. */
const OTHER_SCRIPT = /^(?!\p{Script=Latin})[\p{L}\p{M}]$/u;

/**
 * The key that a shortcut goes by, in small letters: the character that it writes or, on a keyboard
 * of another script, the Latin letter printed on it (`л` is `k` in Russian). Latin keyboards with
 * another layout, such as Dvorak, go by the character.
 */
export function pressedKey({ key, code }: { key: string; code: string }): string {
  const isOther = OTHER_SCRIPT.test(key);
  // Russian and other keyboards write a full stop where `/` is printed, which tells no script.
  if (code === 'Slash' && (isOther || key === '.')) return '/';
  const printed = isOther ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return (printed ?? key).toLowerCase();
}
