import { expect, test } from 'vitest';
import { bodyRefusal, isActionPost } from './action-posts.ts';

const PUBLIC = 'https://pay.example';
const ID = `60${'05a7be3418'.repeat(4)}`;

const post = (headers: Record<string, string>, body: BodyInit = '') =>
  new Request(PUBLIC, { method: 'POST', headers, body });

test('a bank may post to where the buyer comes back, in whatever encoding', () => {
  const from = (path: string) => {
    const [origin, type] = ['https://bank.example', 'multipart/form-data; boundary=x'];
    const headers = { origin, 'content-type': type, 'next-action': 'x' };
    return new Request(`${PUBLIC}${path}`, { method: 'POST', headers, body: '' });
  };
  expect(isActionPost(from('/pay/inv_1/return?attempt=pay_1'))).toBe(false);
  expect(isActionPost(from('/pay/inv_1?x=/pay/inv_1/return'))).toBe(true);
  expect(isActionPost(from('/pay/inv_1/return/x'))).toBe(true);
});

test('only calls of actions are looked into', async () => {
  expect(isActionPost(post({ 'content-type': 'application/x-www-form-urlencoded' }))).toBe(false);
  expect(isActionPost(new Request(PUBLIC, { headers: { 'next-action': 'x' } }))).toBe(false);
  expect(isActionPost(post({ 'next-action': 'x', 'content-type': 'text/plain' }))).toBe(true);
  expect(isActionPost(post({ 'content-type': 'Multipart/Form-Data; boundary=x' }))).toBe(true);
  expect(await bodyRefusal(post({ 'content-type': 'text/plain' }, 'x'.repeat(2 ** 20 + 1)))).toBe(
    413,
  );
});

test.each(['', '[]', '{', '[null,"$K1"]'])('a call without a form is refused: %s', async (body) => {
  for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
    const headers = { 'next-action': ID, 'content-type': type };
    expect(await bodyRefusal(post(headers, body)), type).toBe(400);
  }
});

function callWith(list?: string, id = ID): Request {
  const data = new FormData();
  data.set('_1_invoiceId', 'inv_1');
  if (list !== undefined) data.set('0', list);
  return new Request(PUBLIC, {
    method: 'POST',
    headers: { 'next-action': id },
    body: data,
  });
}

test.each<[string, boolean]>([
  ['["$K1"]', true],
  ['[null,"$K1"]', true],
  ['["$undefined","$K1"]', true],
  ['[{"serial":1,"name":"\\"$K1\\"","faults":{"number":"x"},"notice":null},"$K1"]', true],
  ['[{"name":"$$5"},"$K1"]', true],
  [`[{"name":"${'😀'.repeat(50)}"},"$K1"]`, true],
  ['', false],
  ['[]', false],
  ['[null]', false],
  ['[null,{}]', false],
  ['["$K1"', false],
  ['[null"$K1"]', false],
  ['["\\"$K1"]', false],
  ['["$K1","$K1"]', false],
  ['["$K2"]', false],
  ['["$Q9","$K1"]', false],
  ['{"a":["$K1"]', false],
])('arguments of a call %s', async (list, isOurs) => {
  expect(await bodyRefusal(callWith(list))).toBe(isOurs ? null : 400);
});

test('a call without arguments is refused, and so is what is nested until a stack is full', async () => {
  expect(await bodyRefusal(callWith())).toBe(400);
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  expect(await bodyRefusal(callWith(`[${deep},"$K1"]`))).toBe(400);
  expect(await bodyRefusal(form(`[${deep}]`))).toBe(400);
});

function form(bound: string, id = ID): Request {
  const data = new FormData();
  data.set('$ACTION_REF_3', '');
  data.set('$ACTION_3:0', `{"id":"${id}","bound":"$@1"}`);
  data.set('$ACTION_3:1', bound);
  data.set('nameOnCard', '["$@9"]');
  return new Request(PUBLIC, { method: 'POST', body: data });
}

test.each<[string, boolean]>([
  ['[null]', true],
  ['[{"serial":0,"name":"","faults":{},"notice":null}]', true],
  ['["wrong",{"x":"$undefined"}]', true],
  // React doubles a dollar sign that a text begins with.
  ['[{"name":"$$5"}]', true],
  [JSON.stringify([{ name: 'a "$5" bill' }]), true],
  ['[]', false],
  ['{}', false],
  ['[', false],
  ['["$@9"]', false],
  ['[{"name":"$F1"}]', false],
])('bound arguments %s', async (bound, isWhole) => {
  expect(await bodyRefusal(form(bound))).toBe(isWhole ? null : 400);
});

test.each(['', 'zz', `${ID}0`, ID.slice(1), ID.toUpperCase(), 'toString'])(
  'what is no id of an action is refused: %s',
  async (id) => {
    expect(await bodyRefusal(callWith('["$K1"]', id))).toBe(400);
    expect(await bodyRefusal(form('[null]', id))).toBe(400);
    const unbound = (action: string) => {
      const data = new FormData();
      data.set(`$ACTION_ID_${action}`, '');
      return bodyRefusal(new Request(PUBLIC, { method: 'POST', body: data }));
    };
    expect(await unbound(id)).toBe(400);
    expect(await unbound(ID)).toBeNull();
  },
);
