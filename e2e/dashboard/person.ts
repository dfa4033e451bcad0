import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expectAccessible } from '../accessible.ts';
import type { GatewayUnderTest } from '../gateway.ts';

const PHONE_WIDTHS = [320, 390];
const DESKTOP = { width: 1280, height: 900 };

/** Fills in the sign-in page. */
export async function signIn(page: Page, email: string, password: string | null): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Signs a person in by the requests that the form sends, and opens a page of the dashboard. The form
 * has journeys of its own, and drawing it takes longer than many a page that a journey is about.
 */
export async function signInAt(
  page: Page,
  { email, password }: { email: string; password: string },
  path: string,
): Promise<void> {
  const { request } = page;
  const token = await request.get('/api/auth/csrf');
  const { csrfToken } = (await token.json()) as { csrfToken: string };
  const answer = await request.post('/api/auth/callback/credentials', {
    headers: { origin: new URL(token.url()).origin },
    form: { email, password, callbackUrl: '/dashboard', csrfToken, json: 'true' },
  });
  const { url } = (await answer.json()) as { url: string };
  expect(url).toMatch(/\/dashboard$/);
  await page.goto(path);
}

/** Begins a second factor and reads its key off the screen, as an app would. */
export async function beginSecondFactor(page: Page, password: string): Promise<string> {
  const setUp = page.getByRole('button', { name: 'Set up' });
  const field = page.getByLabel('Your password');
  // The page that demands it asks at once; a press has no effect before the script is there.
  await expect(async () => {
    if (!(await field.isVisible())) await setUp.click();
    await expect(field).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await field.fill(password);
  await setUp.click();
  const shown = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent();
  return (shown ?? '').replaceAll(' ', '');
}

/** Sets up a second factor with the first code of its key. */
export async function setUpSecondFactor(
  page: Page,
  password: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const secret = await beginSecondFactor(page, password);
  await page.getByLabel('Code shown in the app now').fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Confirm' }).click();
  const codes = page.getByRole('region', { name: 'Your recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recoveryCodes = await codes.allTextContents();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  return { secret, recoveryCodes };
}

/** Checks both themes on a desktop and on phones; nothing may be wider than the screen. */
export async function expectGood(page: Page): Promise<void> {
  await expectAccessible(page);
  for (const width of PHONE_WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.setViewportSize(DESKTOP);
}

/** The link in the newest e-mail in the outbox to somebody that has a working link. */
export async function linkFor({ dataDir }: GatewayUnderTest, email: string): Promise<string> {
  const outbox = path.join(dataDir, 'outbox');
  let link = '';
  await expect(async () => {
    for (const name of (await readdir(outbox)).sort().reverse()) {
      const message = (await readFile(path.join(outbox, name), 'utf8')).replaceAll('=\r\n', '');
      if (!message.includes(`To: ${email}`)) continue;
      link =
        /http:\S+\/dashboard\/(?:invitation|new-password)\/\S+?(?=[\s"<])/.exec(message)?.[0] ?? '';
      if (link !== '') break;
    }
    expect(link).not.toBe('');
  }).toPass({ timeout: 5_000 });
  return link;
}
