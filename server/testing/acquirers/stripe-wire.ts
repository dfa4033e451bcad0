/** A form as Stripe reads it: nested by brackets, every value a text. */
export type Form = { [name: string]: string | Form };

/** A refusal in Stripe's words. What was refused for its parameters is not kept under its key. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: object;
  readonly isKept: boolean;

  constructor(
    status: number,
    error: { type?: string; code?: string; message: string },
    isKept = true,
  ) {
    super(error.message);
    this.status = status;
    this.body = { error: { type: 'invalid_request_error', ...error } };
    this.isKept = isKept;
  }
}

export const wrong = (param: string, message: string, code = 'parameter_invalid') =>
  new StripeRefusal(400, { code, message: `${param}: ${message}` }, false);

export const missing = (id: string) =>
  new StripeRefusal(404, { code: 'resource_missing', message: `No such object: ${id}` }, false);

export const unexpected = (what: string) =>
  new StripeRefusal(400, { code: 'payment_intent_unexpected_state', message: what });

export const asForm = (value: string | Form | undefined): Form =>
  typeof value === 'object' ? value : {};
export const asText = (value: string | Form | undefined): string =>
  typeof value === 'string' ? value : '';

/** `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. */
export function readForm(body: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.replaceAll(']', '').split('[');
    let into = form;
    for (const part of path.slice(0, -1)) {
      into[part] ??= {};
      into = into[part] as Form;
    }
    into[path.at(-1) ?? ''] = value;
  }
  return form;
}
