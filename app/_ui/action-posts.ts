import { PAGE_BODY_BYTES } from '#server/http/read-body.ts';

const MULTIPART = /^multipart\/form-data/i;

// How React writes an action with bound arguments into a form that works without script.
const ACTION_REF = '$ACTION_REF_';
const ACTION = /^\{"id":"[\da-f]{42}","bound":"\$@1"\}$/;
/** And one without. */
const UNBOUND = '$ACTION_ID_';
/** Of an action. What cannot be one leads nowhere in Next but into the log, at its caller's will. */
const ACTION_ID = /^[\da-f]{42}$/;
/** A string that stands for something else than itself; none of our forms has one but undefined. */
const REFERENCE = /(?<!\\)"\$(?!\$|undefined")/;

/** How Next's own script ends the list of a call's arguments: with the form. */
const FORM_AND_END = '"$K1"]';

/**
 * In characters, of the arguments of a call, its form not counted: React reads what is nested deeply
 * until its stack is full. Ours are what the page before said of a form.
 */
const MAX_ARGUMENTS = 4_096;

// To where a bank sends the buyer back, by a form of any encoding: no page, so that no action is there.
const RETURN = /^\/pay\/[^/]+\/return$/;

/** Whether Next may take a request for the call of a server action, with script or without. */
export function isActionPost({ method, headers, url }: Request): boolean {
  if (method !== 'POST' || RETURN.test(new URL(url).pathname)) return false;
  return headers.has('next-action') || MULTIPART.test(headers.get('content-type') ?? '');
}

/** Whether these are arguments as React writes those of our forms: a list of plain JSON. */
function areArguments(text: FormDataEntryValue | null): boolean {
  if (typeof text !== 'string' || text.length > MAX_ARGUMENTS || REFERENCE.test(text)) return false;
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) && list.length > 0;
}

/** Whether Next's own script can have written a call: of an action of ours, which all take a form last. */
function isOwnCall(form: FormData): boolean {
  const text = form.get('0');
  if (typeof text !== 'string' || !text.endsWith(FORM_AND_END)) return false;
  return areArguments(`${text.slice(0, -FORM_AND_END.length)}null]`);
}

/** Whether the hidden fields of a form without script still name an action and its arguments. */
function areHiddenFieldsWhole(form: FormData): boolean {
  for (const name of form.keys()) {
    if (name.startsWith(UNBOUND) && !ACTION_ID.test(name.slice(UNBOUND.length))) return false;
    if (!name.startsWith(ACTION_REF)) continue;
    const prefix = `$ACTION_${name.slice(ACTION_REF.length)}`;
    const action = form.get(`${prefix}:0`);
    if (typeof action !== 'string' || !ACTION.test(action)) return false;
    if (!areArguments(form.get(`${prefix}:1`))) return false;
  }
  return true;
}

/**
 * Reads the body of an action's call, for Next throws where it cannot, and the action where it is
 * given something else than a form. Our own server has counted it before; `next start` has nobody else.
 *
 * @returns the status to refuse it with, or null
 */
export async function bodyRefusal(request: Request): Promise<400 | 413 | null> {
  try {
    const body = await request.arrayBuffer();
    if (body.byteLength > PAGE_BODY_BYTES) return 413;
    const type = request.headers.get('content-type') ?? '';
    if (!MULTIPART.test(type)) return 400;
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    const called = request.headers.get('next-action');
    const isWhole =
      called === null ? areHiddenFieldsWhole(form) : ACTION_ID.test(called) && isOwnCall(form);
    return isWhole ? null : 400;
  } catch {
    return 400;
  }
}
