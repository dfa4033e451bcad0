import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, test, vi } from 'vitest';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import { openShops } from '#server/testing/acquirers/yookassa-shop.ts';
import { withOwnDataDir } from '#server/testing/settings.ts';
import { Methods, OnlyMethod } from './form/methods.tsx';
import { POST } from './start/route.ts';

let shops: Awaited<ReturnType<typeof openShops>>;

vi.mock('next/headers', () => ({
  headers: async () => new Headers({ 'accept-language': 'ru' }),
  cookies: async () => new Map(),
}));
vi.mock(import('#server/db/pool.ts'), async (original) => ({
  ...(await original()),
  getPool: () => shops.pool,
}));

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());

/** Chooses the account that sends receipts, as a form without script does. */
async function choose(invoiceId: string, email?: string) {
  const body = new URLSearchParams({ method: shops.withReceipts.id });
  if (email !== undefined) body.set('email', email);
  const request = new Request('http://localhost:3000/', { method: 'POST', body });
  const { status, headers } = await POST(request, { params: Promise.resolve({ invoiceId }) });
  return { status, to: headers.get('location') ?? '', cookie: headers.get('set-cookie') };
}

test('without a valid address the buyer stays, what was typed is remembered, and nothing begins', async () => {
  const { bank, newInvoice, attemptsOf, withReceipts } = shops;
  const invoiceId = await newInvoice({ endDateMs: Date.now() + 3_600_000 });
  const stays = `/pay/${invoiceId}?begun=email_demanded&method=${withReceipts.id}`;
  expect(await choose(invoiceId)).toEqual({ status: 303, to: stays, cookie: null });
  const mistyped = await choose(invoiceId, 'anna@example');
  expect(mistyped).toMatchObject({ status: 303, to: stays.replace('demanded', 'wrong') });
  expect(mistyped.cookie).toBe(
    `buyer_email=anna%40example; Path=/pay/${invoiceId}; Max-Age=86400; HttpOnly; SameSite=Lax`,
  );
  expect(await attemptsOf(invoiceId)).toEqual([]);
  const right = await choose(invoiceId, ' anna@example.com ');
  expect(right.to).toMatch(new RegExp(`^${bank.url}/pay/`));
  expect(right.cookie).toContain('anna%40example.com');
  expect(bank.of(invoiceId)[0]?.receipt?.customer).toEqual({ email: 'anna@example.com' });
});

it.each(['en', 'ru', 'uz'] as const)(
  'the address is asked for where a method wants it, in %s',
  (locale) => {
    const t = translatorOf(locale, 'pay');
    const words = messagesAt(locale, 'pay').methods;
    const method = {
      id: 'acq_1',
      kind: 'account',
      provider: 'yookassa',
      name: 'YooKassa',
      isDown: false,
      asksEmail: true,
    } as const;
    const given = { invoiceId: 'inv_1', email: 'anna@example', offersEmail: false, t };
    const one = renderToStaticMarkup(
      createElement(OnlyMethod, { ...given, method, isEmailWrong: true }),
    );
    const hint = t('methods.emailHint', { method: method.name });
    for (const said of [words.email, hint, words.emailFault]) {
      expect(one).toContain(said);
    }
    expect(one).toMatch(/<input[^>]* type="email"[^>]* value="anna@example"/);
    expect(one).toContain('aria-invalid="true"');
    const other = { ...method, id: 'acq_2', asksEmail: false };
    const both = renderToStaticMarkup(
      createElement(Methods, { ...given, methods: [method, other], isEmailWrong: false }),
    );
    expect(both.match(/type="email"/g)).toHaveLength(1);
    expect(both).not.toContain(words.emailFault);
    // One of them demands none, so the field does not.
    expect(both).toContain(words.emailOptional);
    expect(both).not.toContain('required');
    const none = renderToStaticMarkup(
      createElement(Methods, { ...given, methods: [other], isEmailWrong: false }),
    );
    expect(none).not.toContain('type="email"');
    const offered = renderToStaticMarkup(
      createElement(Methods, {
        ...given,
        offersEmail: true,
        methods: [other],
        isEmailWrong: false,
      }),
    );
    expect(offered).toContain(words.emailOurs);
  },
);
