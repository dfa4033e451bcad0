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

/** A create needs an id that is new and a time that is to come; the others need its answer. */
const CREATE_SCRIPTS = {
  req: `bru.setVar('order_id', 'order-' + Date.now());\nbru.setVar('end_date', Date.now() + ${HOUR_MS});`,
  res: "const { data } = res.getBody();\nif (data) bru.setVar('invoice_id', data.invoice_id);",
};

/** Those that a person fills in; the rest are set by the scripts while it runs. */
const ENVIRONMENT = ['base_url', 'merchant_id', 'token'];

function requestOf(operation: Operation, seq: number) {
  const { id, name, description, method, path, query, headers, body } = operation;
  const sent = query.filter(({ enabled }) => enabled);
  const search = sent.map(({ name: key, value }) => `${key}=${value}`).join('&');
  return {
    type: 'http-request',
    name,
    seq,
    request: {
      url: `{{base_url}}${path}${search && `?${search}`}`,
      method,
      headers: [
        { name: 'X-Merchant', value: '{{merchant_id}}', enabled: true },
        ...headers.map(({ name: key, value, enabled }) => ({ name: key, value, enabled })),
      ],
      params: query.map(({ name: key, value, enabled }) => ({
        name: key,
        value,
        type: 'query',
        enabled,
      })),
      auth: { mode: 'bearer', bearer: { token: '{{token}}' } },
      body: body === null ? { mode: 'none' } : { mode: 'json', json: body },
      script: id === CREATE ? CREATE_SCRIPTS : {},
      vars: {},
      assertions: [],
      tests: '',
      docs: description,
    },
  };
}

function environmentOf(name: string, baseUrl: string) {
  const variables = startingVariables(baseUrl);
  return {
    name,
    variables: ENVIRONMENT.map((key) => ({
      name: key,
      value: variables[key] ?? '',
      type: 'text',
      enabled: true,
      secret: key === 'token',
    })),
  };
}

/**
 * The API as a collection that Bruno imports, made from the OpenAPI document. `publicUrl` has no
 * trailing slash.
 */
export function brunoCollection(publicUrl: string) {
  const document = openApiDocument(publicUrl);
  return {
    name: document.info.title,
    version: '1',
    items: byFolder(operationsOf(document)).map(([name, operations], index) => ({
      type: 'folder',
      name,
      seq: index + 1,
      items: operations.map((operation, at) => requestOf(operation, at + 1)),
    })),
    environments: [
      environmentOf('Sandbox', `${publicUrl}/api/sandbox`),
      environmentOf('Production', `${publicUrl}/api/production`),
    ],
    root: { docs: `${document.info.description}\n\n${INTRODUCTION}` },
  };
}
