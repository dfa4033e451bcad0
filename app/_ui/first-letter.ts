/** What stands for a name where there is no picture: its first character, an emoji whole. */
export function firstLetter(name: string): string {
  const [letter = '·'] = name.trim();
  return letter.toLocaleUpperCase();
}
