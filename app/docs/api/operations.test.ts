import { expect, test } from 'vitest';
import { ENDPOINTS } from '#server/rest/routes.ts';
import { createInvoiceRequest } from '#server/wire/create-request.ts';
import { answersEverywhere, operations, splitAnswers } from './operations.ts';

const ALL = operations('https://pay.example');

test('the reference shows every endpoint of the handler, and what is sent', () => {
  const shown = ALL.map(({ method, path }) => `${method} ${path}`);
  const served = [...ENDPOINTS].map(([path, { method }]) => `${method} ${path}`);
  const sent = ['callback_url', 'your address for events', 'your address for events'];
  expect(shown).toEqual([...served, ...sent.map((path) => `POST ${path}`)]);
  expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
});

test('what stands in the sandbox alone is told apart', () => {
  const sandboxOnly = ALL.filter(({ isSandboxOnly }) => isSandboxOnly).map(({ path }) => path);
  const served = [...ENDPOINTS].filter(([, { sandboxOnly }]) => sandboxOnly).map(([path]) => path);
  expect(sandboxOnly).toEqual(served);
});

test('a create lists every field of its schema, those of a position after it', () => {
  const create = ALL.find(({ id }) => id === 'createInvoice');
  const names = create?.body.map(({ name }) => name) ?? [];
  expect(names).toEqual(expect.arrayContaining(Object.keys(createInvoiceRequest.shape)));
  expect(names.slice(names.indexOf('positions'))).toEqual(
    expect.arrayContaining(['positions[].title', 'positions[].amount', 'positions[].currency']),
  );
  expect(create?.body.find(({ name }) => name === 'description')).toEqual({
    name: 'description',
    type: 'string',
    isRequired: true,
    description: '',
    rules: '1 to 1024 characters',
  });
  expect(create?.body.find(({ name }) => name === 'amount')?.rules).toBe('at least 1');
  expect(create?.body.find(({ name }) => name === 'positions')).toMatchObject({
    type: 'array of objects',
    rules: '1 to 500 elements',
  });
});

test('every answer says when it comes and has an example', () => {
  for (const { id, responses } of ALL) {
    for (const { status, description, examples } of responses) {
      expect(description, `${id} ${status}`).not.toBe('');
      expect(examples.length, `${id} ${status}`).toBeGreaterThan(0);
    }
  }
});

test('what all endpoints answer in the same way stands once, and nothing is lost', () => {
  const everywhere = answersEverywhere(ALL);
  const statuses = everywhere.map(({ status }) => status);
  expect(statuses).toEqual(expect.arrayContaining(['401', '429', '500', '503']));
  expect(new Set(statuses).size).toBe(statuses.length);
  for (const operation of ALL) {
    const { own, shared } = splitAnswers(operation, everywhere);
    expect([...own, ...shared].map(({ status }) => status).sort()).toEqual(
      operation.responses.map(({ status }) => status).sort(),
    );
    for (const { status, examples } of shared) {
      expect(everywhere.find((each) => each.status === status)?.examples).toEqual(examples);
    }
    // An operation's own faults are not shared.
    expect(own.map(({ status }) => status)).toEqual(
      expect.arrayContaining(operation.isCallback ? ['200'] : ['200', '422']),
    );
  }
});
