import { expect, test } from './shop.ts';

test.use({ timezoneId: 'Asia/Kathmandu' });

test('the time to pay by is in the buyer’s own zone, and in the shop’s without a script', async ({
  page,
  shop,
}) => {
  const mistakes: string[] = [];
  page.on('console', (message) => message.type() === 'error' && mistakes.push(message.text()));
  page.on('pageerror', (error) => mistakes.push(error.message));
  const id = await shop.order();
  const answer = await page.request.get(`/pay/${id}`);
  expect(await answer.text()).toMatch(/<time [^>]*>[^<]+ GMT\+5<\/time>/);
  await page.goto(`/pay/${id}`);
  const time = page.locator('time');
  await expect(time).toHaveText(/^\d+ \w+ \d{4} at \d\d:\d\d GMT\+5:45$/);
  const [shown, meant] = await time.evaluate((element: HTMLTimeElement) => [
    element.textContent,
    new Date(element.dateTime).toLocaleTimeString('en-GB').slice(0, 5),
  ]);
  expect(shown).toContain(` ${meant} `);
  expect(mistakes).toEqual([]);
});

test('it is so in a language whose months the browser has no names of', async ({ page, shop }) => {
  const id = await shop.order();
  await page.goto(`/pay/${id}?lang=uz`, { waitUntil: 'networkidle' });
  const time = page.locator('time');
  await expect(time).toHaveText(/^\d{4}-yil \d+-[a-z]+, \d\d:\d\d GMT\+5:45$/);
  const [shown, meant] = await time.evaluate((element: HTMLTimeElement) => [
    element.textContent,
    new Date(element.dateTime).toLocaleTimeString('en-GB').slice(0, 5),
  ]);
  expect(shown).toContain(` ${meant} `);
});
