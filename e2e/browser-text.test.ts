import { expectPaymentFits } from './fits.ts';
import { test } from './fixtures.ts';

// Each journey goes through many pages.
test.slow();

// The browser's setting changes the widths at which a page changes its layout.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'];
    await use({ ...launchOptions, args });
  },
});

test('a payment page fits on a phone whose text is of 200 %, whatever the shop’s name is', ({
  page,
  gateway,
}) => expectPaymentFits(page, gateway, { widths: [320, 360] }));
