/** A text with values in the places of their names, `{name}`. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** What takes the values out of a text that `fillIn` has written; of another text it makes null. */
export function readerOf(template: string): (text: string) => Record<string, string> | null {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>.*)')}$`, 's');
  return (text) => {
    const match = pattern.exec(text);
    return match && { ...match.groups };
  };
}
