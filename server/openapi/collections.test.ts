import { runInNewContext } from 'node:vm';
import { collectionSchema } from '@usebruno/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../../e2e/small-gateway.ts';
import { ENDPOINTS } from '../rest/routes.ts';
import { brunoCollection } from './bruno.ts';
import { postmanCollection } from './postman.ts';

let gateway: SmallGateway;
beforeAll(async () => {
  gateway = await startSmallGateway();
});
afterAll(() => gateway.close());

type Variables = Map<string, unknown>;
type Pair = { key: string; value: string };
/** A request as the program would send it, variables still in it. */
type Tried = {
  name: string;
  method: string;
  url: string;
  headers: Pair[];
  body: string | undefined;
  before(variables: Variables): void;
  after(variables: Variables, answer: unknown): void;
};

function fill(text: string, variables: Variables): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined || value === '') throw new Error(`${name} is not set`);
    return String(value);
  });
}

/** Sends a request as it stands in the collection, scripts included. */
async function send(tried: Tried, variables: Variables) {
  tried.before(variables);
  const answer = await fetch(fill(tried.url, variables), {
    method: tried.method,
    headers: tried.headers.map(({ key, value }) => [key, fill(value, variables)]),
    body: tried.body && fill(tried.body, variables),
  });
  const json = await answer.json();
  tried.after(variables, json);
  return { status: answer.status, json };
}

const postman = () => JSON.parse(JSON.stringify(postmanCollection(gateway.origin)));
const bruno = () => JSON.parse(JSON.stringify(brunoCollection(gateway.origin)));

type PostmanItem = {
  name: string;
  event?: { listen: string; script: { exec: string[] } }[];
  request: {
    method: string;
    header: (Pair & { disabled?: boolean })[];
    url: { raw: string };
    body?: { raw: string };
  };
};

// What Postman's sandbox gives a script as parameters of the function that it wraps it in.
const POSTMAN_NAMES =
  'tests,globals,environment,data,request,responseCookies,responseHeaders,responseTime,' +
  'responseCode,responseBody,iteration,postman,_,CryptoJS,atob,btoa,tv4,xml2Json,Backbone,cheerio';

function postmanRequests(): Tried[] {
  const collection = postman();
  const bearer = collection.auth.bearer[0].value;
  const items: PostmanItem[] = collection.item.flatMap((folder: { item: unknown }) => folder.item);
  return items.map(({ name, request: { method, header, url, body }, event = [] }) => {
    const run = (listen: string, variables: Variables, answer: unknown) => {
      const set = (key: string, value: unknown) => variables.set(key, value);
      const pm = { collectionVariables: { set }, response: { json: () => answer } };
      for (const each of event) {
        if (each.listen !== listen) continue;
        runInNewContext(`(function (${POSTMAN_NAMES}) {${each.script.exec.join('\n')}\n})()`, {
          pm,
        });
      }
    };
    return {
      name,
      method,
      url: url.raw,
      headers: [
        ...header.filter(({ disabled }) => !disabled),
        { key: 'Authorization', value: `Bearer ${bearer}` },
      ],
      body: body?.raw,
      before: (variables) => run('prerequest', variables, null),
      after: (variables, answer) => run('test', variables, answer),
    };
  });
}

type BrunoItem = {
  name: string;
  request: {
    method: string;
    url: string;
    headers: { name: string; value: string; enabled: boolean }[];
    body: { mode: string; json?: string };
    auth: { bearer: { token: string } };
    script: { req?: string; res?: string };
  };
};

function brunoRequests(): Tried[] {
  const items: BrunoItem[] = bruno().items.flatMap((folder: { items: unknown }) => folder.items);
  return items.map(({ name, request: { method, url, headers, body, auth, script } }) => {
    const run = (text: string | undefined, variables: Variables, answer: unknown) => {
      const bru = { setVar: (key: string, value: unknown) => variables.set(key, value) };
      if (text) runInNewContext(text, { bru, res: { getBody: () => answer } });
    };
    return {
      name,
      method,
      url,
      headers: [
        ...headers.filter(({ enabled }) => enabled).map((each) => ({ ...each, key: each.name })),
        { key: 'Authorization', value: `Bearer ${auth.bearer.token}` },
        // Bruno sends it by the mode of the body.
        ...(body.mode === 'json' ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      body: body.json,
      before: (variables) => run(script.req, variables, null),
      after: (variables, answer) => run(script.res, variables, answer),
    };
  });
}

const pathOf = ({ url }: Tried): string => url.replace('{{base_url}}', '').split('?')[0] ?? '';

/** The status that each request leaves its invoice in; a resend answers without one. */
const EXPECTED: { [path: string]: number | undefined } = {
  '/invoice/create': 1,
  '/invoice/status': 1,
  '/invoice/cancel': 4,
  '/test/invoice/pay': 1,
  '/test/invoice/expire': 3,
};

describe.each([
  ['Postman', postmanRequests],
  ['Bruno', brunoRequests],
])('the collection for %s', (_, requests) => {
  test('has every endpoint of the handler that is for people, and no other', () => {
    const described = requests().map((tried) => `${tried.method} ${pathOf(tried)}`);
    const served = [...ENDPOINTS]
      .filter(([, { isToolsOwn }]) => !isToolsOwn)
      .map(([path, { method }]) => `${method} ${path}`);
    expect(described.sort()).toEqual(served.sort());
  });

  test('works as it is sent: a create first, then each request on its invoice', async () => {
    const [create, ...others] = requests();
    if (!create) throw new Error('nothing to send');
    for (const other of others) {
      const variables: Variables = new Map([
        ['base_url', gateway.baseUrl],
        ['merchant_id', gateway.merchant.id],
        ['token', gateway.token],
      ]);
      expect(await send(create, variables)).toMatchObject({ status: 200, json: { result: true } });
      const path = pathOf(other);
      // Before its status has changed an invoice has no callback to send again.
      const cancel = others.find((each) => pathOf(each) === '/invoice/cancel');
      if (cancel && path.endsWith('/resend')) await send(cancel, variables);
      const answer = await send(other, variables);
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 200,
        json: { data: { invoice_id: variables.get('invoice_id') } },
      });
      expect(answer.json.data.status).toBe(EXPECTED[path]);
    }
  });
});

test('both are told the gateway’s own addresses, and hold no secret', () => {
  const [baseUrl] = postman().variable;
  expect(baseUrl).toEqual({ key: 'base_url', value: gateway.baseUrl, type: 'string' });
  const addresses = bruno().environments.map(
    (each: { variables: { value: string }[] }) => each.variables[0]?.value,
  );
  expect(addresses).toEqual([gateway.baseUrl, `${gateway.origin}/api/production`]);
  expect(postman().info.schema).toMatch(/\/v2\.1\.0\/collection\.json$/);
});

/** Gives each part an id, as Bruno does when it imports a collection. */
function withIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withIds(each)]);
  const hasId = 'name' in value;
  return { ...(hasId && { uid: 'a'.repeat(21) }), ...Object.fromEntries(entries) };
}

test('Bruno’s own schema takes the collection', async () => {
  await collectionSchema.validate(withIds(bruno()));
  const broken = bruno();
  broken.items[0].items[0].request.method = '';
  await expect(collectionSchema.validate(withIds(broken))).rejects.toThrow('method is required');
});
