import { accounts, expect, getMenu, openAs, signIn, test } from './portal';

test.use({ ownBrowser: true });

const typed = 'Typed before mirroring';

test('mirroring in one tab covers the others, and Revert restores them with all input', async ({
  page,
  context,
}) => {
  await openAs(page, accounts.ISAD, '/wcpp/Notifications');
  const campaign = page.getByRole('textbox', { name: 'Campaign', exact: true });
  await campaign.fill(typed);

  const other = await context.newPage();
  await other.goto('/wcpp/UserSearch');
  await other.getByLabel('Username').fill(accounts.PRUS);
  await other.getByRole('button', { name: 'SEARCH', exact: true }).click();
  await other.getByRole('button', { name: /^Actions for/ }).click();
  await other.getByRole('menuitem', { name: 'Mirror', exact: true }).click();
  const banner = other.getByRole('region', { name: 'Mirroring' });
  await expect(banner).toBeVisible();
  const name = (await banner.textContent())?.match(/Mirroring \((.*)\)/)?.[1];
  const cover = page.getByRole('heading', { name: `You're mirroring ${name} in another tab` });
  await expect(cover).toBeVisible();
  await expect(campaign).toBeHidden();

  await banner.getByRole('button', { name: 'Revert' }).click();
  await other.getByRole('button', { name: 'YES' }).click();
  await expect(cover).toHaveCount(0);
  await expect(campaign).toHaveValue(typed);
  await expect(page).toHaveURL(/\/wcpp\/Notifications$/);
  await expect(getMenu(page).getByRole('link', { name: 'User Search' })).toBeVisible();
});

test("a rejected page in one tab doesn't affect the others", async ({ page, context }) => {
  await openAs(page, accounts.PRUS, '/wcpp/UserProfile');
  const title = page.getByLabel('Job Title');
  await title.fill(typed);
  await expect.poll(() => page.evaluate(() => Object.keys(history.state.typed ?? {}).length)).toBe(1);
  const other = await context.newPage();
  await other.goto('/wcpp/UserSearch');
  await expect(other.getByText(/your account can't open that page/)).toBeVisible();
  await expect(page.getByText('Your session ended. Sign in again.')).toBeVisible();
  await signIn(other, accounts.PRUS);
  await expect(title).toHaveValue(typed);
  await expect(page).toHaveURL(/\/wcpp\/UserProfile$/);
});
