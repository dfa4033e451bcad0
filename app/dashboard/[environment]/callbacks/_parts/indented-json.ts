const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g;

/**
 * A JSON text on lines of its own, each token as it was written: parsing and writing it anew would
 * change numbers like `1.0` and the order of keys like `"2"`.
 *
 * @returns null when the text is no JSON
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
    // An empty object or list stays in one piece.
    if (isEnd ? !isBegun : isBegun || before === ',') out += line();
    out += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return out;
}
