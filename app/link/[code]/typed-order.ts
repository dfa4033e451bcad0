import type { TypedOrder } from '#server/links/types.ts';

/** The cookie with what a buyer typed into a form that had a fault, for the page that says so. */
export const TYPED_ORDER = 'typed_order';

/** Longer than any valid text; the longest note leaves room in a cookie. */
const MAX_TYPED = 300;

/** The fields of a posted form, each cut at a length that no valid text has. */
export function typedOrder(form: FormData): TypedOrder {
  const field = (name: string): string => {
    const value = form.get(name);
    // One more than the limit, so that a longer text is still seen to be too long.
    return typeof value === 'string' ? value.slice(0, 2 * MAX_TYPED + 1) : '';
  };
  return {
    amount: field('amount'),
    quantity: field('quantity'),
    note: field('note'),
    email: field('email'),
    phone: field('phone'),
  };
}

/** The value of the cookie. */
export function keepOrder(typed: TypedOrder): string {
  const kept = Object.entries(typed).map(([name, text]) => [name, text.slice(0, MAX_TYPED)]);
  return Buffer.from(JSON.stringify(Object.fromEntries(kept))).toString('base64url');
}

const NOTHING: TypedOrder = { amount: '', quantity: '', note: '', email: '', phone: '' };

/** What the cookie keeps; nothing where there is none. */
export function keptOrder(cookie: string | undefined): TypedOrder {
  if (cookie === undefined) return NOTHING;
  try {
    const kept = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as Partial<TypedOrder>;
    const text = (name: keyof TypedOrder): string => String(kept[name] ?? '');
    return {
      amount: text('amount'),
      quantity: text('quantity'),
      note: text('note'),
      email: text('email'),
      phone: text('phone'),
    };
  } catch {
    return NOTHING;
  }
}
