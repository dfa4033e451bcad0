import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/settings/settings.ts';
import { ENVELOPE_ERRORS } from './api-errors.ts';
import { errorHref } from './errors.ts';
import { VALIDATION_ERRORS } from './validation-errors.ts';

test.each([
  [404, 'Not found', undefined, 'not-found'],
  [404, 'Invoice not found', undefined, 'invoice-not-found'],
  [409, 'Invoice cannot be cancelled: it is already EXPIRED', undefined, 'cancel-final'],
  [409, 'Invoice cannot be paid: it is already CANCELED', undefined, 'pay-final'],
  [422, 'String should have at most 255 characters', 'string_too_long', 'string-too-long'],
  [422, "Input should be 'approved' or 'declined'", 'enum', 'enum'],
  [
    422,
    "Value error, the currency should be the invoice's, RUB",
    'value_error',
    'position-currency',
  ],
])('%i “%s” (%s) leads to #%s', (status, message, type, id) => {
  expect(errorHref(status, message, type)).toBe(`/docs/errors#${id}`);
});

test('every error leads to its own explanation, and what is not explained nowhere', () => {
  const page = readFileSync(path.join(projectRoot(), 'app/docs/_content/errors.md'), 'utf8');
  for (const { id, status, type, message } of [...ENVELOPE_ERRORS, ...VALIDATION_ERRORS]) {
    expect(errorHref(status, message, type)).toBe(`/docs/errors#${id}`);
    expect(page).toContain(`\`\`\`@errors ${status}\n`);
  }
  expect(errorHref(409, 'Something else')).toBeNull();
});
