import { messagesAt } from '#server/i18n/translator.ts';
import { SandboxAcquirer } from '#server/payments/providers/sandbox/sandbox.ts';
import { CARDS, expect, payWith, type Shop, test } from './shop.ts';

const en = messagesAt('en', 'pay');

test.beforeEach(async ({ page, shop }, { annotations }) => {
  const id = await shop.order();
  annotations.push({ type: 'invoice', description: id });
  await page.goto(`/pay/${id}`);
  await payWith(page, CARDS.challenge);
  await page.waitForURL(/\/challenge\?attempt=pay_/);
});

const APPROVE = { name: 'Approve payment' };
const COMPLETE = { name: 'Payment complete' };

const invoiceOf = ({ annotations }: { annotations: { description?: string }[] }): string =>
  annotations[0]?.description ?? '';

test('approved: paid', async ({ page, shop }, info) => {
  await page.getByRole('button', { name: 'Approve payment' }).click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect(await shop.ledger(invoiceOf(info))).toEqual(['authorisation', 'capture']);
});

test('failed: told why, nothing charged, the form is there again', async ({ page, shop }, info) => {
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(page.getByText(en.declined.reasons.authentication_failed)).toBeVisible();
  await expect(page.getByText('You haven’t been charged.')).toBeVisible();
  expect(await shop.ledger(invoiceOf(info))).toEqual([]);
  await payWith(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
});

test('left: told so, and another card pays', async ({ page }) => {
  await page.getByRole('button', { name: 'Leave without confirming' }).click();
  await expect(page.getByText(en.declined.reasons.challenge_abandoned)).toBeVisible();
  await payWith(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
});

test('back button: the page offers the way to the open confirmation', async ({ page }, info) => {
  await page.goto(`/pay/${invoiceOf(info)}`);
  await expect(page.getByText('Your bank is waiting for you')).toBeVisible();
  await page.getByRole('link', { name: 'Continue to confirmation' }).click();
  await page.getByRole('button', { name: 'Approve payment' }).click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
});

test('back within the page: what it kept is looked at before any time has passed', async ({
  page,
}) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Continue to confirmation' })).toBeVisible();
});

/** Confirms without the page's knowledge; returns the acquirer's address for the buyer. */
async function confirmedElsewhere(shop: Shop, challengeUrl: string): Promise<string> {
  const attemptId = new URL(challengeUrl).searchParams.get('attempt') ?? '';
  const acquirer = new SandboxAcquirer(shop.pool);
  const said = await acquirer.lookup({ id: attemptId }, new Date());
  if (said.state !== 'challenge') throw new Error(said.state);
  await acquirer.answerChallenge(said.authorisationId, 'approve', new Date());
  return challengeUrl.replace('/challenge?', '/return?');
}

test('back from a bank of its own by a link: paid, once, however often', async ({
  page,
  shop,
}, info) => {
  const back = await confirmedElsewhere(shop, page.url());
  for (let i = 0; i < 2; i++) {
    await page.goto(back);
    await expect(page).toHaveURL(new RegExp(`/pay/${invoiceOf(info)}$`));
    await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
  }
  expect(await shop.ledger(invoiceOf(info))).toEqual(['authorisation', 'capture']);
});

test('back from a bank of its own by a form of the bank’s: paid', async ({ page, shop }, info) => {
  const back = await confirmedElsewhere(shop, page.url());
  await page.goto('about:blank');
  await page.setContent(`<form method="post" action="${back}"><button>Back</button></form>`);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
  expect(await shop.status(invoiceOf(info))).toBe('PAID');
});

test('back by a form in parts, which the bank says is its own: paid', async ({
  page,
  shop,
}, info) => {
  const back = await confirmedElsewhere(shop, page.url());
  const answer = await page.request.post(back, {
    headers: { origin: 'https://bank.example' },
    multipart: { cres: 'eyJ9' },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  expect(answer.headers().location).toBe(`/pay/${invoiceOf(info)}`);
  expect(await shop.status(invoiceOf(info))).toBe('PAID');
});

test('a bank of its own: the page has the link to it', async ({ page, shop }, info) => {
  const url = 'https://bank.example/3ds?id=1';
  await shop.pool.query('UPDATE payment_attempts SET challenge_url = $2 WHERE invoice_id = $1', [
    invoiceOf(info),
    url,
  ]);
  await page.goto(`/pay/${invoiceOf(info)}`);
  const link = page.getByRole('link', { name: 'Continue to confirmation' });
  await expect(link).toHaveAttribute('href', url);
});

test('another card instead: the open confirmation is given up', async ({ page, shop }, info) => {
  const challenge = page.url();
  await page.goto(`/pay/${invoiceOf(info)}`);
  await payWith(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await page.goto(challenge);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect(await shop.ledger(invoiceOf(info))).toEqual(['authorisation', 'capture']);
});

test('the invoice expires meanwhile: nothing is charged and the page says so', async ({
  page,
  shop,
}, info) => {
  const id = invoiceOf(info);
  await page.route('**/state', () => undefined);
  await shop.pool.query(`UPDATE invoices SET end_date = now() - interval '1 s' WHERE id = $1`, [
    id,
  ]);
  await page.getByRole('button', { name: 'Approve payment' }).click();
  await expect(page.getByRole('heading', { name: en.expired.title })).toBeVisible();
  await expect(page.getByText('You haven’t been charged.')).toBeVisible();
  expect(await shop.status(id)).toBe('EXPIRED');
  expect((await shop.ledger(id)).includes('capture')).toBe(false);
  await page.unroute('**/state');
});

test('the invoice expires while the page waits: it leaves by itself', async ({
  page,
  shop,
}, info) => {
  const id = invoiceOf(info);
  await shop.pool.query(`UPDATE invoices SET end_date = now() - interval '1 s' WHERE id = $1`, [
    id,
  ]);
  await expect(page.getByRole('heading', { name: en.expired.title })).toBeVisible({
    timeout: 15_000,
  });
});

test('a connection that drops says so, and the buyer can try again', async ({
  page,
  shop,
  context,
}, info) => {
  await context.setOffline(true);
  await page.getByRole('button', APPROVE).click();
  await expect(page.getByRole('alert').filter({ hasText: en.notices.lost })).toBeFocused();
  expect(await shop.attempts(invoiceOf(info))).toEqual(['challenge']);
  await context.setOffline(false);
  await page.getByRole('button', APPROVE).click();
  await expect(page.getByRole('heading', COMPLETE)).toBeVisible();
});

const ENDS = [
  ['challenge_failed', 'fail', 'authentication_failed'],
  ['challenge_abandoned', 'leave', 'challenge_abandoned'],
] as const;

for (const [outcome, end, reason] of ENDS) {
  test(`the card that stands for ${outcome} says so and ends so, whatever is pressed`, async ({
    page,
    shop,
  }) => {
    const id = await shop.order();
    await page.goto(`/pay/${id}`);
    for (const name of ['Approve payment', 'Fail authentication', 'Leave without confirming']) {
      await payWith(page, CARDS[outcome]);
      await page.waitForURL(/\/challenge\?attempt=pay_/);
      await expect(page.getByText(en.challenge.test[end])).toBeVisible();
      await page.getByRole('button', { name }).click();
      await page.waitForURL(new RegExp(`/pay/${id}$`));
      await expect(page.getByText(en.declined.reasons[reason])).toBeVisible();
    }
    expect(await shop.status(id)).toBe('PENDING');
    expect(await shop.ledger(id)).toEqual([]);
  });
}
