import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';

export const STATE_TREE = 'next-router-state-tree';

/**
 * Of brackets that open and of commas. What Next sends of our deepest page has some fifty; search
 * parameters, which may be long, are text and have none. Next's own bound, 40,000 characters, lets
 * in trees whose check keeps the process from all else for the better part of a second: it takes the
 * square of their depth.
 */
const MOST_MARKS = 300;

/** One pass over the text, also where it is no JSON. */
function hasFewMarks(text: string): boolean {
  let marks = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length && marks <= MOST_MARKS; at++) {
    const character = text.charAt(at);
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '[{,'.includes(character)) marks += 1;
  }
  return marks <= MOST_MARKS;
}

/**
 * Whether Next can read what a request says of the page it comes from: by Next's own rules, for it
 * answers 500 where it throws, and of no more than our pages come to. A page asked for without it
 * comes whole, which is what helps then.
 */
export function isReadableStateTree(header: string | string[] | undefined): boolean {
  try {
    if (typeof header === 'string' && !hasFewMarks(decodeURIComponent(header))) return false;
    parseAndValidateFlightRouterState(header);
    return true;
  } catch {
    return false;
  }
}
