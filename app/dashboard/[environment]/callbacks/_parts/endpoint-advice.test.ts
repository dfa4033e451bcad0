import { expect, it } from 'vitest';
import type { EndpointReportView } from '#server/trpc/rows.ts';
import { adviceFor } from './endpoint-advice.ts';

type Sample = EndpointReportView['samples'][number];

const KEPT: Sample = {
  of: 'PAID',
  messageId: 'msg_test_1',
  body: '{}',
  reached: 'kept',
  inTime: 'kept',
  httpOk: 'kept',
  json: 'kept',
  success: 'kept',
  sameAnswer: 'kept',
  failure: null,
  reason: null,
  reasonAgain: null,
  httpStatus: 200,
  durationMs: 1,
  answer: '{"success":true}',
};

/** A report of a sample without an answer, in the gateway's form. */
const unanswered = (
  failure: NonNullable<Sample['failure']>,
  reached: Sample['reached'],
): Sample => ({
  ...KEPT,
  reached,
  inTime: 'unknown',
  httpOk: 'unknown',
  json: 'unknown',
  success: 'unknown',
  sameAnswer: 'unknown',
  failure,
  reason: failure,
  httpStatus: null,
  answer: null,
});

it.each([
  ['url_invalid', 'broken', 'address'],
  ['address_refused', 'broken', 'address'],
  ['port_refused', 'broken', 'address'],
  ['no_signing_secret', 'broken', 'secret'],
  ['malformed_answer', 'kept', 'malformed'],
  ['connection_refused', 'broken', 'reached'],
  ['tls', 'broken', 'reached'],
  ['connection_closed', 'kept', 'unclear'],
] as const)('%s is mended by its own advice', (failure, reached, advice) => {
  expect(adviceFor([unanswered(failure, reached), unanswered(failure, reached)])).toEqual([advice]);
});

it('of each sample the first point that is broken', () => {
  const late: Sample = { ...unanswered('timeout', 'kept'), inTime: 'broken' };
  const wrong: Sample = { ...KEPT, httpOk: 'broken', json: 'broken', httpStatus: 500 };
  expect(adviceFor([late, KEPT, wrong])).toEqual(['inTime', 'httpOk']);
});

it.each([401, 403])('a %i is about the signature, not about the status', (httpStatus) => {
  const refused: Sample = { ...KEPT, httpOk: 'broken', json: 'broken', httpStatus, answer: '' };
  expect(adviceFor([refused, refused, refused])).toEqual(['refused']);
});

it('nothing to mend where all is kept, and JSON where an answer broke off', () => {
  expect(adviceFor([KEPT])).toEqual([]);
  const cut: Sample = { ...KEPT, json: 'unknown', failure: 'too_large', reason: 'too long' };
  expect(adviceFor([cut])).toEqual(['json']);
});
