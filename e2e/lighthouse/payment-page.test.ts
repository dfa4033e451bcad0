import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { findChromium } from '../chromium.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { expect, test } from '../pay/shop.ts';
import { freePort } from '../processes/processes.ts';

type Scores = Record<'performance' | 'accessibility' | 'best-practices', number>;

/** Other work on the machine only ever lowers a score: the best of some runs is nearest the truth. */
const RUNS = 3;
// Performance is a time, which a busy machine lengthens: it is reported and not asserted.
const ASSERTED = ['accessibility', 'best-practices'] as const;
const BARS: Scores = { performance: 95, accessibility: 100, 'best-practices': 95 };
const CATEGORIES = Object.keys(BARS) as (keyof Scores)[];

async function measure(url: string): Promise<Scores> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    // Lighthouse's defaults are its mobile preset: a slow phone on a slow network.
    const result = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: 'silent' });
    const scores = CATEGORIES.map((name) => {
      const score = result?.lhr.categories[name]?.score ?? 0;
      return [name, Math.round(score * 100)];
    });
    return Object.fromEntries(scores) as Scores;
  } finally {
    await browser.close();
  }
}

test('Lighthouse, mobile: 100 for accessibility, 95 and more for best practices; performance is reported', async ({
  shop,
}, info) => {
  test.setTimeout(300_000);
  const url = `${gatewayUnderTest().origin}/pay/${await shop.order()}`;
  const best: Scores = { performance: 0, accessibility: 0, 'best-practices': 0 };
  const reached = () => CATEGORIES.every((name) => best[name] >= BARS[name]);
  for (let run = 0; run < RUNS && !reached(); run++) {
    const scores = await measure(url);
    for (const name of CATEGORIES) best[name] = Math.max(best[name], scores[name]);
  }
  info.annotations.push({ type: 'Lighthouse', description: JSON.stringify(best) });
  process.stdout.write(`Lighthouse: ${JSON.stringify(best)}\n`);
  for (const name of ASSERTED) expect(best[name], name).toBeGreaterThanOrEqual(BARS[name]);
});
