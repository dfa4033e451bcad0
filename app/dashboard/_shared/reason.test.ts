import { expect, test } from 'vitest';
import { unsent } from '#server/callbacks/http/send.ts';
import { classify } from '#server/callbacks/outcome.ts';
import type { SendFailure } from '#server/callbacks/types.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { reasonText } from './reason.tsx';

const russian = translatorOf('ru', 'reasons');
const NOW = new Date('2026-11-21T12:00:00.000Z');

// `satisfies` requires every key, so that a new failure has to be added here.
const FAILURES = Object.keys({
  url_invalid: 1,
  address_refused: 1,
  port_refused: 1,
  name_not_found: 1,
  name_lookup_failed: 1,
  connection_refused: 1,
  unreachable: 1,
  connection_closed: 1,
  tls: 1,
  timeout: 1,
  too_large: 1,
  malformed_answer: 1,
  no_signing_secret: 1,
  other: 1,
} satisfies Record<SendFailure, 1>) as SendFailure[];

const seen = (more: object) => {
  const outcome = classify({ ...unsent(NOW, 'other'), failure: null, ...more });
  return outcome.delivered ? '' : outcome.reason;
};

const REASONS = [
  ...FAILURES.map((failure) => seen({ failure })),
  ...FAILURES.map((failure) => seen({ failure, httpStatus: 200 })),
  seen({ httpStatus: 500 }),
  seen({ httpStatus: 301 }),
  seen({ httpStatus: 302, location: '/x' }),
  ...['', 'x', '[]', '{}', '{"success":1}'].map((body) =>
    seen({ httpStatus: 200, body: Buffer.from(body) }),
  ),
  seen({ httpStatus: 200, body: Buffer.from('x'), isEncoded: true }),
];

test.each(REASONS)('“%s” can be read in Russian', (reason) => {
  expect(reason).not.toBe('');
  expect(reasonText(reason, translatorOf('en', 'reasons'))).toBe(reason);
  expect(reasonText(reason, russian)).not.toMatch(/[a-z]{3,} [a-z]{2,}/i);
  expect(reasonText(reason, russian)).toMatch(/[а-я]/);
});

test('a reason that nobody translated is shown as it is', () => {
  expect(reasonText('something new', russian)).toBe('something new');
});
