import { expect, type Route } from '@playwright/test';
import { test } from '../fixtures.ts';
import { newShop } from './new-shop.ts';
import { signInAt } from './person.ts';

// axe looks at a whole screen in both themes.
test.slow();

/** Carries out the request and loses the answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

const SHOWN_ONCE = { name: 'Copy it now: it is shown only once.', exact: true };

test('a token whose text was lost on the way is told of, and one that came takes the focus', async ({
  page,
  gateway,
}) => {
  const merchant = await newShop(gateway, 'Losing shop');
  await signInAt(page, merchant.owner, '/dashboard/sandbox/developers');
  const tokens = page.getByRole('region', { name: 'API tokens', exact: true });
  const name = tokens.getByLabel('Name of a new token', { exact: true });
  const create = tokens.getByRole('button', { name: 'Create token', exact: true });
  const lost = page.getByText('A token may have been created');
  const again = page.getByRole('button', { name: 'Reload', exact: true });
  const dialog = page.getByRole('dialog');
  const found = tokens.getByRole('button', { name: 'Rotate: Found', exact: true });
  const rotate = dialog.getByRole('button', { name: 'Rotate', exact: true });
  await expect(tokens.getByRole('button', { name: /^Rotate: / })).toHaveCount(1);

  await page.route('**/developers.createToken*', loseAnswer, { times: 1 });
  await name.fill('Lost');
  await create.click();
  await expect(lost).toBeVisible();
  await again.click();
  await expect(tokens.getByRole('button', { name: 'Rotate: Lost', exact: true })).toBeVisible();

  for (const each of ['Found', 'Second']) {
    await name.fill(each);
    await create.click();
    await expect(
      tokens.getByRole('button', { name: `Rotate: ${each}`, exact: true }),
    ).toBeVisible();
    await expect(tokens.getByRole('region', SHOWN_ONCE)).toBeFocused();
  }

  await page.route('**/developers.rotateToken*', loseAnswer, { times: 1 });
  await found.click();
  await rotate.click();
  await expect(lost).toBeVisible();
  await again.click();
  await expect(found).toHaveCount(2);
  await found.first().click();
  await rotate.click();
  await expect(dialog.getByRole('region', SHOWN_ONCE)).toBeFocused();
});
