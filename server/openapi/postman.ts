import {
  byFolder,
  CREATE,
  HOUR_MS,
  INTRODUCTION,
  type Operation,
  operationsOf,
  startingVariables,
} from './collections.ts';
import { openApiDocument } from './openapi.ts';

/** Names the format, version 2.1 (Postman's Collection Format). */
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const script = (listen: 'prerequest' | 'test', exec: string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

/** A create needs an id that is new and a time that is to come; the others need its answer. */
const CREATE_SCRIPTS = [
  script('prerequest', [
    "pm.collectionVariables.set('order_id', 'order-' + Date.now());",
    `pm.collectionVariables.set('end_date', Date.now() + ${HOUR_MS});`,
  ]),
  script('test', [
    // Not `data`, which is a variable of Postman's own: to declare it again is a syntax error.
    'const answer = pm.response.json();',
    "if (answer.data) pm.collectionVariables.set('invoice_id', answer.data.invoice_id);",
  ]),
];

function itemOf(operation: Operation) {
  const { id, name, description, method, path, query, headers, body } = operation;
  const sent = query.filter(({ enabled }) => enabled);
  const search = sent.map(({ name: key, value }) => `${key}=${value}`).join('&');
  return {
    name,
    ...(id === CREATE && { event: CREATE_SCRIPTS }),
    request: {
      method,
      description,
      header: [
        { key: 'X-Merchant', value: '{{merchant_id}}' },
        ...(body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...headers.map((each) => ({
          key: each.name,
          value: each.value,
          description: each.description,
          disabled: !each.enabled,
        })),
      ],
      url: {
        raw: `{{base_url}}${path}${search && `?${search}`}`,
        host: ['{{base_url}}'],
        path: path.slice(1).split('/'),
        query: query.map((each) => ({
          key: each.name,
          value: each.value,
          description: each.description,
          disabled: !each.enabled,
        })),
      },
      ...(body !== null && {
        body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
  };
}

/**
 * The API as a Postman collection, made from the OpenAPI document. `publicUrl` has no trailing
 * slash.
 */
export function postmanCollection(publicUrl: string) {
  const document = openApiDocument(publicUrl);
  const variables = startingVariables(`${publicUrl}/api/sandbox`);
  return {
    info: {
      name: document.info.title,
      description: `${document.info.description}\n\n${INTRODUCTION}`,
      schema: SCHEMA,
    },
    auth: {
      type: 'bearer',
      bearer: [{ key: 'token', value: '{{token}}', type: 'string' }],
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
    item: byFolder(operationsOf(document)).map(([name, operations]) => ({
      name,
      item: operations.map(itemOf),
    })),
  };
}
