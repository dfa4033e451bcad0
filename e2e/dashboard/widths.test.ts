import { expect, type Page } from '@playwright/test';
import { test } from '../fixtures.ts';
import { openAsOperator } from './as-operator.ts';

// Each looks at its screens in many widths.
test.slow();

/** What of the texts and pictures in the cards sticks out of its card. */
async function expectWithinCards(page: Page, at: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const faults = await page.evaluate(() => {
    const seen: string[] = [];
    for (const card of document.querySelectorAll('main .card')) {
      const { left, right } = card.getBoundingClientRect();
      const look = (name: string, boxes: Iterable<DOMRect>) => {
        for (const box of boxes) {
          if (box.width > 1 && (box.left < left || box.right > right)) seen.push(name);
        }
      };
      for (const picture of card.querySelectorAll('svg, svg text')) {
        look(picture.textContent ?? '', [picture.getBoundingClientRect()]);
      }
      const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        // The head of a folded table is read aloud only.
        if (text.parentElement?.closest('thead')?.clientWidth === 1) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        look(text.textContent ?? '', range.getClientRects());
      }
    }
    return seen;
  });
  expect(faults, at).toEqual([]);
}

const WIDTHS = [320, 360, 390, 600, 640, 768, 820, 912, 1023, 1024, 1180, 1280, 1440];

test('the operator’s figures stay in their tiles at every width', async ({ page, gateway }) => {
  await openAsOperator(page, gateway, '/operator/overview');
  await page.goto('/operator/overview?lang=ru');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await expectWithinCards(page, `${width} px`);
  }
});
