import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

// The one without windows, as Debian packages it, comes first: it takes a third of the processor
// time, because the others make a whole window with its own pages for each test.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/**
 * The Chromium to test with: CHROMIUM_PATH, else Playwright's own, else the best one on PATH.
 *
 * @returns undefined if there is none
 */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...onPath];
  return candidates.find((file) => file !== undefined && file !== '' && existsSync(file));
}
