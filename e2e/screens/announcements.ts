import { mockReply, restore } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, screen, tryAgain } from './screen';

const lines = '**/api/desk/status';
const shown = '**/js/status.json';

const warning = {
  text: 'Between 8 PM and 10 PM the portal is worked on: searches may take longer, and remittances of today come tomorrow. What you have entered is kept, and nothing of it is lost meanwhile, so go on.',
  kind: 'WARNING',
  to: '2099-12-30T22:00:00Z',
};

const rows = [
  { id: 3, ...warning, from: '2026-03-02T13:00:00Z', createdAt: '2026-03-01T13:00:00Z', createdBy: accounts.ISAD },
  {
    id: 1,
    text: 'Remittances of the second bill system are back.',
    kind: 'INFO',
    from: '2026-02-02T13:00:00Z',
    to: '2026-02-03T13:00:00Z',
    createdAt: '2026-02-02T13:00:00Z',
    createdBy: accounts.ISAD,
  },
];

export const screens: (Screen | ScreenGroup)[] = [
  screen('Sign-in below a status line', async (page) => {
    await mockReply(page, shown, { json: warning });
    await page.goto('/wcpp/login');
    await expect(page.getByText(warning.text)).toBeVisible();
  }),
  [
    screen('Announcement', async (page) => {
      await mockReply(page, lines, { json: rows });
      await mockReply(page, shown, { json: { ...warning, kind: 'INFO' } });
      await openAs(page, accounts.ISAD, '/wcpp/desk/status');
      await expect(page.getByRole('button', { name: /^End now/ })).toBeVisible();
    }),
    screen('Announcement with errors', async (page) => {
      await page.getByRole('button', { name: 'Publish' }).click();
      await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
    }),
  ],
  screen('Announcement, failed', async (page) => {
    await mockReply(page, lines, { status: 503 });
    await openAs(page, accounts.ISAD, '/wcpp/desk/status');
    await expect(tryAgain(page)).toBeVisible();
    await restore(page, lines);
  }),
];
