import type { Page } from '@playwright/test';
import { mockReply, type Reply } from '../replies';
import { accounts, openAs, expect, mirror, openSession, getSearchButton, changeSearch } from '../portal';
import { type Screen, type ScreenGroup, dialog, dismiss, navigate, openBell, screen } from './screen';

const rateCodes = Array.from({ length: 12 }, (_, n) => ({
  nationalRateCd: `OH-WC-${String((n % 3) + 1).padStart(2, '0')}`,
  provLctnName: `Lakeside Orthopedics and Sports Medicine - ${['Cleveland', 'Akron', 'Toledo'][n % 3]}`,
  provLctnAddr: `${100 + n} Superior Avenue, Cleveland, OH`,
  provLctnDetails: n % 2 ? 'Satellite office' : 'Main office',
  lctnZipCd: `${44101 + n}`,
  cpdProvId: '200100',
}));
const feeSchedules = [
  { feeSchedRqstId: 3, fileName: 'Fee_Schedule_OH-WC-01_200100_111111111_WC_2026-03-02.xlsx', fileViwed: 'N' },
  { feeSchedRqstId: 2, fileName: 'Fee_Schedule_OH-AUT-02_500100_111111111_Auto_2026-02-11.xlsx', fileViwed: 'Y' },
].map((file) => ({ ...file, schedUri: `/feeSchedule/file/${file.feeSchedRqstId}` }));

const lost = ['OH-01', 'OH-WC-02'].map((nationalRateCd, n) => ({
  id: n + 1,
  nationalRateCd,
  provLctnName: rateCodes[n]?.provLctnName,
  lctnZipCd: '44114',
  askedAt: '2026-11-20T15:00:00Z',
}));

/** Finds the rate codes of a provider of this type. Another Tax ID requests them again. */
async function findRateCodes(page: Page, codes: object[] = rateCodes, prvProviderType = 'A', nth = 0) {
  const provider = { prvId: `20010${nth}`, prvName: 'Lakeside Orthopedics', prvProviderType };
  await mockReply(page, '**/api/provider/page', { json: { rows: [provider], count: 1 } });
  await mockReply(page, '**/api/feeSchedule/rateCodes/page', { json: { rows: codes.slice(0, 10), count: codes.length } });
  await chooseTin(page, nth);
  await page.getByRole('combobox', { name: 'Provider' }).click();
  await option(page, 0).click();
  await getSearchButton(page).click();
  await expect(page.getByRole('heading', { name: 'Rate Codes' })).toBeVisible();
}
async function chooseTin(page: Page, nth: number) {
  await page.getByRole('combobox', { name: 'Tax ID' }).fill('9');
  await option(page, nth).click();
}
const option = (page: Page, nth: number) => page.getByRole('listbox').getByRole('option').nth(nth);

/** Requests a fee schedule with this stream message. */
async function requestFeeSchedule(page: Page, told: string | null) {
  await mockReply(page, '**/api/feeSchedule/addFeeSchedRequest/**', { json: 3 });
  const stream: Reply = told === null ? 'unanswered' : { contentType: 'text/event-stream', body: told };
  await mockReply(page, '**/api/feeSchedule/submitFeeScheduleAndNotify*', stream);
  await page
    .getByRole('button', { name: /^Select/ })
    .first()
    .click();
  await expect(dialog(page)).toBeVisible();
}

export const screens: (Screen | ScreenGroup)[] = [
  [
    screen('Bell, fee schedules not refreshed', async (page) => {
      await mockReply(page, '**/api/feeSchedule/getUserFeeSchedRequests/**', { status: 400 });
      await openAs(page, accounts.PRUS);
      await openBell(page);
      await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
    }),
    screen('Bell with fee schedules', async (page) => {
      await mockReply(page, '**/api/feeSchedule/getUserFeeSchedRequests/**', { json: { successCount: 2, feeSchedList: feeSchedules } });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(page.getByRole('link', { name: /^Fee_Schedule_/ })).toHaveCount(2);
    }),
  ],
  [
    screen('PPO Fee Schedule', async (page) => {
      await openAs(page, accounts.PRUS, '/wcpp/FeeSchedule');
      await expect(getSearchButton(page)).toBeVisible();
    }),
    screen('PPO Fee Schedule with errors', async (page) => {
      await getSearchButton(page).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
    screen('PPO Fee Schedule, no provider', async (page) => {
      await mockReply(page, '**/api/provider/page', { json: { rows: [], count: 0 } });
      await chooseTin(page, 0);
      await expect(page.getByText('Error: Provider not found')).toBeVisible();
    }),
    screen('PPO Fee Schedule with rate codes', async (page) => {
      await findRateCodes(page, rateCodes, 'A', 1);
      await expect(page.getByRole('button', { name: /^Select/ })).toHaveCount(10);
    }),
    screen('PPO Fee Schedule without rate codes', async (page) => {
      await changeSearch(page);
      await findRateCodes(page, [], 'A', 2);
      await expect(page.getByText(/^There are no Rate Codes/)).toBeVisible();
    }),
    screen('PPO Fee Schedule of a hospital', async (page) => {
      await findRateCodes(page, [], 'H', 3);
      await expect(page.getByText(/company letterhead/)).toBeVisible();
    }),
    screen('Fee schedule, failed', async (page) => {
      await findRateCodes(page, rateCodes.slice(0, 3), 'A', 4);
      await requestFeeSchedule(page, 'event: failed\ndata: No.\n\n');
      await expect(dialog(page)).toContainText('Your request could not be submitted');
    }),
    screen('Fee schedule under way', async (page) => {
      await dismiss(page);
      await requestFeeSchedule(page, null);
      await expect(dialog(page)).toContainText('Your request is in progress');
    }),
    screen('Fee schedule, ready', async (page) => {
      const files = { successCount: 2, feeSchedList: feeSchedules };
      await dismiss(page);
      await requestFeeSchedule(page, `data: ${JSON.stringify(files)}\n\n`);
      await expect(dialog(page).getByRole('link')).toBeVisible();
    }),
  ],
  screen('PPO Fee Schedule while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/FeeSchedule');
    await findRateCodes(page, rateCodes.slice(0, 3));
    await expect(page.getByText(/You can't request fee schedules while mirroring/)).toBeVisible();
  }),
  [
    screen('PPO Fee Schedule with failed requests', async (page) => {
      await mockReply(page, '**/api/feeSchedule/lost', { json: lost });
      await openAs(page, accounts.PRUS, '/wcpp/FeeSchedule');
      await expect(page.getByText(/^Couldn't create fee schedule/)).toHaveCount(2);
      await expect(getSearchButton(page)).toBeVisible();
    }),
    screen('Today with a failed fee schedule', async (page) => {
      await navigate(page, 'work');
      await expect(page.getByText(/^Couldn't create fee schedule/)).toHaveCount(2);
      await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
    }),
  ],
  screen('PPO Fee Schedule without Tax IDs', async (page) => {
    await openAs(page, 'jperez', '/wcpp/FeeSchedule');
    await expect(page.getByText(/^No Tax IDs/)).toBeVisible();
  }),
  screen('PPO Fee Schedule of a non-network user', async (page) => {
    await openAs(page, accounts.NNUS, '/wcpp/FeeSchedule');
    await expect(page.getByText("You don't have access")).toBeVisible();
  }),
];
