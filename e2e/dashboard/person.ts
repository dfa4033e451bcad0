import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../accessible.ts';
import type { GatewayUnderTest } from '../gateway.ts';

const PHONE_WIDTHS = [320, 390];
const DESKTOP = { width: 1280, height: 900 };

/** Fills in the page that asks for it. */
export async function signIn(page: Page, email: string, password: string | null): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Both themes, on a desk and on phones, where nothing may be wider than the screen. */
export async function expectGood(page: Page): Promise<void> {
  await expectAccessible(page);
  for (const width of PHONE_WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.setViewportSize(DESKTOP);
}

/** The link in the newest letter to somebody in the outbox that has one which opens something. */
export async function linkFor({ dataDir }: GatewayUnderTest, email: string): Promise<string> {
  const outbox = path.join(dataDir, 'outbox');
  let link = '';
  await expect(async () => {
    for (const name of (await readdir(outbox)).sort().reverse()) {
      const letter = (await readFile(path.join(outbox, name), 'utf8')).replaceAll('=\r\n', '');
      if (!letter.includes(`To: ${email}`)) continue;
      link =
        /http:\S+\/dashboard\/(?:invitation|new-password)\/\S+?(?=[\s"<])/.exec(letter)?.[0] ?? '';
      if (link !== '') break;
    }
    expect(link).not.toBe('');
  }).toPass({ timeout: 5_000 });
  return link;
}
