import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { DECLINE_REASONS } from '../payments/types.ts';
import { requestIdOf } from '../rest/request-id.ts';
import { ENDPOINTS } from '../rest/routes.ts';
import { invoiceCallbackRequest } from '../wire/callback.ts';
import { createInvoiceRequest, parseCreateRequest } from '../wire/create-request.ts';
import { createdInvoice } from '../wire/invoice-responses.ts';
import { openApiDocument } from './openapi.ts';
import { callbackExample, createdExample, createExample } from './openapi-examples.ts';

type Taking = { parameters?: object[] };

const document = JSON.parse(JSON.stringify(openApiDocument('https://pay.example')));

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('the document of an address is made once, whoever asks for it', () => {
  const [ours, other] = ['https://pay.example', 'https://other.example'].map(openApiDocument);
  expect(openApiDocument('https://pay.example')).toBe(ours);
  expect(JSON.stringify(other)).toContain('https://other.example/api/sandbox');
  expect(JSON.stringify(ours)).not.toContain('other.example');
});

test('every endpoint of the handler is described with its method, and no other', () => {
  const described = Object.entries(document.paths as Record<string, object>).map(
    ([path, item]) => `${Object.keys(item).filter((key) => key !== 'servers')} ${path}`,
  );
  const served = [...ENDPOINTS].map(([path, { method }]) => `${method.toLowerCase()} ${path}`);
  expect(described.sort()).toEqual(served.sort());
});

test('every operation takes an X-Request-Id, and refuses none of another form', () => {
  expect(requestIdOf('not sane!')).toMatch(/^req_/);
  const description = expect.stringContaining('is not an error');
  const items = Object.values(
    document.paths as { [path: string]: { post?: Taking; get?: Taking } },
  );
  for (const { post, get } of items) {
    expect((post ?? get)?.parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: 'X-Request-Id', description }),
    );
  }
});

test('a create says the rules that a schema cannot', () => {
  const { InvoiceCreateRequest, Position, InvoiceCreated } = document.components.schemas;
  const { end_date, ...fields } = InvoiceCreateRequest.properties;
  expect(end_date.description).toContain('in the future');
  for (const name of ['success_url', 'error_url', 'callback_url']) {
    expect(fields[name].description).toContain('no user name or password');
  }
  expect(Position.properties.currency.description).toContain("the invoice's");
  expect(InvoiceCreated.properties.invoice_url.example).toBe(createdExample.invoice_url);
});

// A program that makes requests from the document does not read descriptions.
test.each([
  ['merchant_transaction_id', ['Заказ 7 😀', ' a b '], ['a\nb', 'a\u007fb', 'a\u0085b']],
  [
    'callback_url',
    ['HTTPS://Shop.Example:8443/a@b?c=d#e', 'http://localhost', 'http://[::1]:4000/?a'],
    ['urn:shop:1', 'ftp://shop.example/', 'https:///a', 'https://me:x@shop.example/', '/callback'],
  ],
])('the pattern of %s takes and refuses what a create does', (name, good, bad) => {
  const { pattern } = document.components.schemas.InvoiceCreateRequest.properties[name];
  const isTaken = (value: string) => {
    const body = Buffer.from(JSON.stringify({ ...createExample, [name]: value }));
    return parseCreateRequest(body, 'application/json', 0).ok;
  };
  for (const value of [...good, ...bad]) {
    expect([value, new RegExp(pattern, 'u').test(value)]).toEqual([value, isTaken(value)]);
  }
  expect([...good, ...bad].filter(isTaken)).toEqual(good);
});

test('the callback is a webhook with the models that the contract names', () => {
  const { post } = document.webhooks.invoiceCallback;
  expect(post.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/InvoiceCallbackRequest',
  });
  expect(post.responses['200'].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/InvoiceCallbackResponse',
  });
  expect(post.security).toEqual([]);
});

test('no answer is closed to fields that it may get one day', () => {
  const closed = JSON.stringify(document).match(/"additionalProperties":false/g);
  expect(closed).toBeNull();
});

test('every failure of the contract has an example', () => {
  const { responses } = document.paths['/invoice/create'].post;
  expect(Object.keys(responses)).toEqual([
    '200',
    '401',
    '403',
    '405',
    '409',
    '413',
    '422',
    '429',
    '500',
    '503',
  ]);
  for (const response of Object.values<{ content: object }>(responses)) {
    const { examples } = Object.values(response.content)[0] as { examples: object };
    expect(Object.keys(examples).length).toBeGreaterThan(0);
  }
});

test('the example of a create is taken as it stands, today', () => {
  const { example } =
    document.paths['/invoice/create'].post.requestBody.content['application/json'];
  const body = Buffer.from(JSON.stringify(example));
  expect(parseCreateRequest(body, 'application/json', Date.now())).toMatchObject({ ok: true });
});

test('a declined test payment names one of the reasons that there are', () => {
  const { decline_reason } = document.components.schemas.TestPayment.properties;
  expect(decline_reason.anyOf).toEqual([
    { type: 'string', enum: [...DECLINE_REASONS] },
    { type: 'null' },
  ]);
});

test('the examples keep to the schemas', () => {
  expect(createInvoiceRequest.safeParse(createExample).error).toBeUndefined();
  expect(createdInvoice.safeParse(createdExample).error).toBeUndefined();
  expect(invoiceCallbackRequest.safeParse(callbackExample).error).toBeUndefined();
});
