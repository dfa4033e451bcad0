import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { MerchantHealthView } from '#server/trpc/rows.ts';
import { HealthBadge, merchantState } from './health.tsx';

type Activity = MerchantHealthView['activity'][number];

const QUIET = {
  paid: { count: 0, byCurrency: [] },
  callbacksDue: 0,
  callbacksDueIsMore: false,
  callbackLagMs: 0,
  exhausted: 0,
  exhaustedIsMore: false,
};

const merchant = (
  sandbox: Partial<Activity>,
  production: Partial<Activity>,
): MerchantHealthView => ({
  id: 'mer_1',
  name: 'Shop',
  status: 'active',
  ownerEmails: [],
  createdAtMs: 0,
  suspendedAtMs: null,
  activity: [
    { ...QUIET, ...sandbox, environment: 'sandbox' },
    { ...QUIET, ...production, environment: 'production' },
  ],
});

it('what fails in one environment is not said of the other', () => {
  const trying = merchant({ exhausted: 1 }, { paid: { count: 2, byCurrency: [] } });
  expect(merchantState(trying, 'production', [])).toBe('well');
  expect(merchantState(trying, 'sandbox', [])).toBe('failing');
  const selling = merchant({}, { callbackLagMs: 60_001 });
  expect(merchantState(selling, 'production', [])).toBe('late');
  expect(merchantState(selling, 'sandbox', [])).toBe('quiet');
});

it('a merchant with troubles is not said to be well, nor of the other environment', () => {
  const troubles = [{ environment: 'production' }] as const;
  const selling = merchant({}, { paid: { count: 2, byCurrency: [] } });
  expect(merchantState(selling, 'production', troubles)).toBe('troubled');
  expect(merchantState(selling, 'sandbox', troubles)).toBe('quiet');
});

it('a suspended merchant is suspended in both', () => {
  const suspended = { ...merchant({ exhausted: 1 }, {}), status: 'suspended' as const };
  expect(merchantState(suspended, 'production', [])).toBe('suspended');
  expect(merchantState(suspended, 'sandbox', [])).toBe('suspended');
});

it('a badge is one where colours are forced, too', () => {
  const markup = renderToStaticMarkup(
    createElement(HealthBadge, { state: 'failing', locale: 'en' }),
  );
  expect(markup).toMatch(/^<span class="badge /);
});
