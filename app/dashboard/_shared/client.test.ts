import { TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { dashboardClient } from './client.ts';
import { toastManager } from './show-toast.ts';

const shown = vi.hoisted(() => ({ locale: 'en' as Locale }));
vi.mock('#app/_i18n/messages-provider.tsx', () => ({
  pageTranslator: () => translatorOf(shown.locale, 'script'),
}));
afterEach(() => vi.unstubAllGlobals());

/** The result of a call on a page with this network, and its toasts. */
async function called(network: () => Promise<Response>, locale: Locale = 'en') {
  const asked = vi.spyOn(toastManager, 'add').mockClear();
  shown.locale = locale;
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('fetch', network);
  const failure: unknown = await dashboardClient('sandbox')
    .account.endOtherSessions.mutate()
    .then(
      () => null,
      (error: unknown) => error,
    );
  return { failure, toasts: asked.mock.calls.flat() };
}

const page = () =>
  Promise.resolve(
    new Response('<!doctype html><title>502 Bad Gateway</title>', {
      status: 502,
      headers: { 'Content-Type': 'text/html' },
    }),
  );

it.each([
  ['a proxy sends a page of its own', page],
  ['a proxy sends JSON of its own', () => Promise.resolve(Response.json({ message: 'no' }))],
  ['the answer is empty', () => Promise.resolve(new Response(null, { status: 500 }))],
  ['there is no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])('says in the page’s words that the gateway cannot be reached where %s', async (_, network) => {
  const { failure } = await called(network);
  expect(failure).toMatchObject({
    message: 'The gateway cannot be reached. Check your connection and try again.',
  });
  expect((await called(network, 'ru')).failure).toMatchObject({
    message: 'Шлюз недоступен. Проверьте соединение и попробуйте снова.',
  });
});

it('says the same where nobody answers for a minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const call = called(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await call).failure).toMatchObject({
    message: 'The gateway cannot be reached. Check your connection and try again.',
  });
});

function refusal(code: string, message: string) {
  const data = { code, httpStatus: 401, reason: null };
  const error = superjson.serialize({ code: -32_001, message, data });
  return () => Promise.resolve(Response.json({ error }, { status: 401 }));
}

it('passes on what a procedure answers, and offers the way to the sign-in after a session', async () => {
  const ended = await called(refusal('UNAUTHORIZED', 'Sign in first.'));
  expect(ended.failure).toBeInstanceOf(TRPCClientError);
  expect(ended.failure).toMatchObject({ message: 'Sign in first.', data: { httpStatus: 401 } });
  const text = 'Sign in first.';
  expect(ended.toasts).toMatchObject([
    { description: text, type: 'sign_in', data: { tone: 'negative' } },
  ]);

  const other = await called(refusal('PRECONDITION_FAILED', 'Reload it.'));
  expect(other.toasts).toMatchObject([{ type: 'reload' }]);

  const refused = await called(refusal('FORBIDDEN', 'Your role does not allow this.'));
  expect(refused.failure).toMatchObject({ message: 'Your role does not allow this.' });
  expect(refused.toasts).toEqual([]);
});
