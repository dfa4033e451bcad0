const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g;

/**
 * Indents a JSON text and keeps each token as written: parsing and writing it would change numbers
 * like `1.0` and the order of keys like `"2"`.
 *
 * @returns null when the text is not JSON
 */
export function indentedJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  let out = '';
  let before = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']';
    const isBegun = before === '{' || before === '[';
    if (isEnd) depth -= 1;
    // An empty object or list stays on one line.
    if (isEnd ? !isBegun : isBegun || before === ',') out += line();
    out += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return out;
}
