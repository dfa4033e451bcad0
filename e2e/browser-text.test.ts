import { createBody } from '#server/testing/rest.ts';
import { newShop } from './dashboard/new-shop.ts';
import { expectDashboardFits, expectDocsFit, expectFits, expectOperatorFits } from './fits.ts';
import { test } from './fixtures.ts';

// Each goes through many pages.
test.slow();

// By the setting of the browser, which the widths go by at which a page is laid out otherwise.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'];
    await use({ ...launchOptions, args });
  },
});

const LOOK = { widths: [360] };

test('the documentation fits on a phone whose text is of 200 %', ({ page }) =>
  expectDocsFit(page, LOOK));

test('the dashboard fits on a phone whose text is of 200 %', ({ page, gateway }) =>
  expectDashboardFits(page, gateway, LOOK));

test('the operator’s pages fit on a phone whose text is of 200 %', ({ page, gateway }) =>
  expectOperatorFits(page, gateway, LOOK));

test('a payment page fits on a phone whose text is of 200 %, whatever the shop’s name is', async ({
  page,
  gateway,
}) => {
  const { merchantId, sandbox } = await newShop(
    gateway,
    'НижегородскоеАвтоспецоборудование'.repeat(2),
  );
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${gateway.origin}/api/sandbox${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.apiToken}`,
        'x-merchant': merchantId,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: { invoice_id: string } }).data.invoice_id;
  };
  const large = { amount: 2 ** 53 - 1, currency: 'UZS' };
  const position = { title: 'A thing', amount: 1, currency: 'UZS' };
  const open = await post('/invoice/create', createBody({ ...large, positions: [position] }));
  const canceled = await post('/invoice/create', createBody());
  await post('/invoice/cancel', { invoice_id: canceled });
  const paid = await post('/invoice/create', createBody());
  await post('/test/invoice/pay', { invoice_id: paid, outcome: 'approved' });
  const pages = [open, canceled, paid, `${paid}/receipt`].map((each) => `/pay/${each}?lang=ru`);
  await expectFits(page, pages, { widths: [320, 360] });
});
