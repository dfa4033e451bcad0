import { NextRequest } from 'next/server';
import { afterEach, expect, it, vi } from 'vitest';
import { forgetSettings } from '#server/testing/settings.ts';
import { proxy } from '../../proxy.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  forgetSettings();
});

it('404 for a call of an action that Next sends on to another page', async () => {
  const publicUrl = 'https://pay.example';
  vi.stubEnv('PUBLIC_URL', publicUrl);
  forgetSettings();
  const body = new FormData();
  body.set('0', '["$K1"]');
  const sent = (headers: Record<string, string>) => {
    const all = { origin: publicUrl, 'next-action': `60${'a'.repeat(40)}`, ...headers };
    return new NextRequest(`${publicUrl}/dashboard`, { method: 'POST', headers: all, body });
  };
  expect((await proxy(sent({}))).status).toBe(200);
  expect((await proxy(sent({ 'x-action-forwarded': '1' }))).status).toBe(404);
});
