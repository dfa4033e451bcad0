import { NextRequest } from 'next/server';
import { afterEach, expect, it, vi } from 'vitest';
import { forgetSettings } from '#server/testing/settings.ts';
import { proxy } from '../../proxy.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  forgetSettings();
});

it.each([
  ['https://pay.example', 'max-age=31536000'],
  ['http://pay.example', null],
  // All else that somebody tries on their own machine is on this host, too.
  ['https://localhost:3443', null],
])('a page of the gateway at %s keeps browsers on https: %s', async (publicUrl, transport) => {
  vi.stubEnv('PUBLIC_URL', publicUrl);
  forgetSettings();
  const answer = await proxy(new NextRequest(`${publicUrl}/dashboard/sign-in`));
  expect(answer.headers.get('X-Frame-Options')).toBe('DENY');
  expect(answer.headers.get('Strict-Transport-Security')).toBe(transport);
});
