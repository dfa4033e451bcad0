import { expect, it, vi } from 'vitest';
import { messagesAt } from '#server/i18n/translator.ts';
import { refusedExport } from './refused-export.ts';

vi.mock('#app/_i18n/request-locale.ts', () => ({ surfaceLocale: async () => 'ru' }));

const asked = (search: string) =>
  new Request(`https://pay.example/export${search}`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });

it('the page of another merchant than the session’s gets no file, and reads why', async () => {
  for (const merchant of [{ id: 'mer_2' }, null]) {
    const refused = await refusedExport(asked('?merchant=mer_1'), merchant);
    expect(refused?.status).toBe(412);
    expect(refused?.headers.get('cache-control')).toBe('no-store');
    expect(await refused?.text()).toBe(messagesAt('ru', 'dashboard').otherMerchant);
  }
});

it('nothing is wrong with the session’s own page, nor with an address that names no merchant', async () => {
  expect(await refusedExport(asked('?merchant=mer_1'), { id: 'mer_1' })).toBeNull();
  expect(await refusedExport(asked(''), { id: 'mer_1' })).toBeNull();
});
