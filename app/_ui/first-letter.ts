/** The stand-in for a missing picture: the first character of a name, an emoji whole. */
export function firstLetter(name: string): string {
  const [letter = '·'] = name.trim();
  return letter.toLocaleUpperCase();
}
