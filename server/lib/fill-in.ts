/** Puts values in the places of their names, `{name}`, in a text. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Makes a function that reads the values from a text of `fillIn`, or null from any other. */
export function readerOf(template: string): (text: string) => Record<string, string> | null {
  const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>.*)')}$`, 's');
  return (text) => {
    const match = pattern.exec(text);
    return match && { ...match.groups };
  };
}
