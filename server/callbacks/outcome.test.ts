import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify } from './outcome.ts';
import type { Observation, SendFailure } from './types.ts';

function observed(httpStatus: number | null, body: string, more: Partial<Observation> = {}) {
  return classify({
    startedAt: new Date(0),
    durationMs: 1,
    httpStatus,
    body: Buffer.from(body),
    failure: null,
    retryAfter: null,
    location: null,
    ...more,
  });
}

function reasonOf(...input: Parameters<typeof observed>): string {
  const outcome = observed(...input);
  return outcome.delivered ? 'delivered' : outcome.reason;
}

describe('classify', () => {
  test.each(['{"success":true}', ' {"success": true, "more": 1} ', '\uFEFF{"success":true}'])(
    'delivered: 200 and %s',
    (body) => {
      expect(observed(200, body)).toEqual({ delivered: true });
    },
  );

  test.each([
    ['{"success":"true"}', '200, but `success` was not true'],
    ['{"success":1}', '200, but `success` was not true'],
    ['{"success":false}', '200, but `success` was not true'],
    ['{"success":null}', '200, but `success` was not true'],
    ['{}', '200, but `success` was missing'],
    ['{"__proto__":{"success":true}}', '200, but `success` was missing'],
    ['{"data":{"success":true}}', '200, but `success` was missing'],
    ['[{"success":true}]', '200, but the answer was not a JSON object'],
    ['true', '200, but the answer was not a JSON object'],
    ['null', '200, but the answer was not a JSON object'],
    ['<html>', '200, but the answer was not JSON'],
    ['{"success":true', '200, but the answer was not JSON'],
    ['', '200, but the answer was empty'],
  ])('200 and %s: %s', (body, reason) => {
    expect(reasonOf(200, body)).toBe(reason);
  });

  test.each([201, 202, 204, 400, 404, 429, 500, 503])('%i is a failure, whatever it says', (s) => {
    expect(reasonOf(s, '{"success":true}')).toBe(`answered ${s}, not 200`);
  });

  test('a redirect shows where it pointed, without password and query', () => {
    const location = 'https://user:pass@shop.example/in\u00e9?token=secret#x';
    expect(reasonOf(302, '', { location })).toBe(
      'redirected (302) to https://shop.example/in?, which is not followed',
    );
    expect(reasonOf(307, '')).toBe('answered 307, a redirect, which is not followed');
    expect(reasonOf(301, '', { location: 'x'.repeat(5000) }).length).toBeLessThan(300);
  });

  test.each<[SendFailure, number | null, string]>([
    ['timeout', null, 'no complete answer within 10 s'],
    ['timeout', 200, '200, but no complete answer within 10 s'],
    ['connection_refused', null, 'connection refused'],
    [
      'name_not_found',
      null,
      'the name of the host was not found, or does not lead to a public address',
    ],
    ['too_large', 200, '200, but answer longer than 64 KiB'],
    ['too_large', 500, 'answered 500, not 200'],
    ['timeout', 500, 'answered 500, not 200'],
    ['too_large', 302, 'answered 302, a redirect, which is not followed'],
  ])('%s (%s): %s', (failure, httpStatus, reason) => {
    expect(reasonOf(httpStatus, '{"success":true}', { failure })).toBe(reason);
  });

  test('nothing but 200 with success true is ever delivered', () => {
    // Random numbers and documents alone would hardly ever come near it.
    const statuses = fc.oneof(
      fc.constantFrom(200, 200, 201, 204),
      fc.integer({ min: 100, max: 599 }),
    );
    const success = fc.oneof(fc.constantFrom(true, true, 'true', 1, null), fc.jsonValue());
    const answers = fc.record({ success }).map((answer) => JSON.stringify(answer));
    const bodies = fc.oneof(answers, fc.json());
    fc.assert(
      fc.property(statuses, bodies, (httpStatus, body) => {
        const parsed = JSON.parse(body) as { success?: unknown } | null;
        const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
        const expected = httpStatus === 200 && isObject && parsed.success === true;
        expect(observed(httpStatus, body).delivered).toBe(expected);
      }),
    );
  });
});

describe('classify an event’s answer', () => {
  const ofEvent = (httpStatus: number | null, more: Partial<Observation> = {}) =>
    classify(
      {
        startedAt: new Date(0),
        durationMs: 1,
        httpStatus,
        body: Buffer.from(''),
        failure: null,
        retryAfter: null,
        location: null,
        ...more,
      },
      'event',
    );

  test.each([200, 201, 202, 204, 299])('delivered: %i, whatever comes after it', (httpStatus) => {
    expect(ofEvent(httpStatus)).toEqual({ delivered: true });
    expect(ofEvent(httpStatus, { failure: 'too_large' })).toEqual({ delivered: true });
  });

  test.each([
    [199, {}, 'answered 199, not 2xx'],
    [304, {}, 'answered 304, not 2xx'],
    [500, {}, 'answered 500, not 2xx'],
    [302, { location: '/sign-in?a=1' }, 'redirected (302) to /sign-in, which is not followed'],
    [null, { failure: 'timeout' }, 'no complete answer within 10 s'],
  ] as const)('failed: %s', (httpStatus, more, reason) => {
    expect(ofEvent(httpStatus, more)).toEqual({ delivered: false, reason });
  });
});
