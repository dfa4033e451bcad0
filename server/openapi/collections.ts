import type { openApiDocument } from './openapi.ts';
import { LISTENING_TAG } from './openapi-listen.ts';

type Document = ReturnType<typeof openApiDocument>;

type Parameter = { in: 'header' | 'query'; name: string; description?: string; required?: boolean };

/** One request of the API, as a person who tries it out sees it. */
export type Operation = {
  id: string;
  name: string;
  description: string;
  folder: string;
  method: string;
  /** After `{base_url}`. */
  path: string;
  /** Parameters that the request can do without are switched off. */
  query: (Parameter & { value: string; enabled: boolean })[];
  headers: (Parameter & { value: string; enabled: boolean })[];
  /** JSON text with `{{variables}}`, which is why it need not be JSON itself; null for a GET. */
  body: string | null;
};

type PathItem = {
  [method: string]: {
    operationId: string;
    summary: string;
    description?: string;
    tags: string[];
    parameters?: Parameter[];
    requestBody?: { content: { 'application/json': { example: { [field: string]: unknown } } } };
  };
};

const METHODS = ['get', 'post'];

/** What an example cannot say once and for all: the programs fill these in. */
const VARIABLES: { [field: string]: string } = {
  invoice_id: '"{{invoice_id}}"',
  merchant_transaction_id: '"{{order_id}}"',
  end_date: '{{end_date}}',
};

function bodyText(example: { [field: string]: unknown }): string {
  const lines = Object.entries(example).map(([field, value]) => {
    const text = VARIABLES[field] ?? JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
    return `  ${JSON.stringify(field)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

const OPTIONAL_VALUES: { [name: string]: string } = {
  invoice_id: '{{invoice_id}}',
  merchant_transaction_id: '{{order_id}}',
  'Idempotency-Key': '{{order_id}}',
  'X-Request-Id': 'try-1',
};
// Of the parameters that can be left out, the ones that the first try needs.
const SWITCHED_ON = ['invoice_id', 'Idempotency-Key'];

function parametersOf(all: readonly Parameter[] | undefined, place: Parameter['in']) {
  return (all ?? [])
    .filter((each) => each.in === place)
    .map((each) => ({
      ...each,
      value: OPTIONAL_VALUES[each.name] ?? '',
      enabled: each.required === true || SWITCHED_ON.includes(each.name),
    }));
}

/** Every request that the document describes, in its order. */
export function operationsOf(document: Document): Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(
    (document.paths ?? {}) as { [path: string]: PathItem },
  )) {
    for (const method of METHODS) {
      const operation = item[method];
      // What only tools say to each other is nothing to try by hand.
      if (!operation || operation.tags.includes(LISTENING_TAG)) continue;
      const { operationId, summary, description = '', tags, parameters, requestBody } = operation;
      operations.push({
        id: operationId,
        name: summary,
        description,
        folder: tags[0] ?? '',
        method: method.toUpperCase(),
        path,
        query: parametersOf(parameters, 'query'),
        headers: parametersOf(parameters, 'header'),
        body: requestBody ? bodyText(requestBody.content['application/json'].example) : null,
      });
    }
  }
  return operations;
}

/** What both programs are told first. */
export const INTRODUCTION =
  'Set base_url, merchant_id and token to what you were issued, then send "Create an invoice": it sets invoice_id for the other requests. Sandbox and production have a base_url and a token each.';

/** Variables that a person fills in or that scripts set, with what they hold at first. */
export function startingVariables(baseUrl: string): { [name: string]: string } {
  return {
    base_url: baseUrl,
    merchant_id: '',
    token: '',
    invoice_id: '',
    order_id: '',
    end_date: '',
  };
}

export const CREATE = 'createInvoice';
export const HOUR_MS = 3_600_000;

/** Operations under the tags that the document gives them. */
export function byFolder(operations: readonly Operation[]): [folder: string, Operation[]][] {
  const folders = new Map<string, Operation[]>();
  for (const operation of operations) {
    folders.set(operation.folder, [...(folders.get(operation.folder) ?? []), operation]);
  }
  return [...folders];
}
