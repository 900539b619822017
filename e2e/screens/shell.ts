import type { Page } from '@playwright/test';
import { mockReply } from '../replies';
import { accounts, openAs, expect } from '../portal';
import { type Screen, type ScreenGroup, dialog, dismiss, navigate, screen } from './screen';

const failedMails = [
  {
    id: 1,
    kind: 'password-reset',
    to: 'a.person.with.a.long.name@orthopedics-and-sports-medicine.example.com',
    status: 'failed',
    attempts: 13,
    error: '550 5.1.1 The email account that you tried to reach does not exist.',
    createdAt: '2026-03-02T15:00:00Z',
  },
  {
    id: 2,
    kind: 'registration',
    to: 'ada@example.com',
    status: 'waiting',
    attempts: 2,
    error: 'dial tcp 192.0.2.7:587: connect: connection refused',
    createdAt: '2026-03-03T09:30:00Z',
  },
];

export const screens: (Screen | ScreenGroup)[] = [
  screen('Page Not Found, signed out', async (page) => {
    await page.goto('/wcpp/PageNotFound');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }),
  [
    screen('Home', async (page) => {
      await openAs(page, accounts.PRUS);
      await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
    }),
    screen('Bell', async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
    }),
    screen('Contact Us', async (page) => {
      await page.getByRole('button', { name: 'Contact Us' }).click();
      await expect(dialog(page)).toBeVisible();
    }),
    screen('News', async (page) => {
      await dismiss(page);
      await navigate(page, 'News');
      await expect(page.getByRole('heading', { name: 'News' })).toBeVisible();
    }),
    screen('Tech Support', async (page) => {
      await page.getByRole('button', { name: 'Tech Support' }).click();
      const conversation = page.frameLocator('iframe[title="Conversation with Tech Support"]');
      await expect(conversation.getByText('prus.demo@example.com')).toBeVisible();
    }),
  ],
  screen('Page Not Found', async (page) => {
    await openAs(page, accounts.PRUS, '/wcpp/nowhere');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }),
  screen(
    'Menu on a narrow window',
    async (page) => {
      await page.setViewportSize({ width: 320, height: 900 });
      await openAs(page, accounts.PRUS);
      await page.getByRole('button', { name: 'Menu' }).click();
      await expect(page.getByRole('button', { name: 'Menu' })).toHaveAttribute('aria-expanded', 'true');
    },
    { narrow: true },
  ),
  [
    screen('Home, failed emails unknown', async (page) => {
      await mockReply(page, '**/api/mails/failed', { status: 400 });
      await openAs(page, accounts.ISAD);
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    }),
    screen('Home with failed emails', async (page) => {
      await mockReply(page, '**/api/mails/failed', { json: failedMails });
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('table')).toBeVisible();
    }),
  ],
  screen('Home of an administrator', async (page) => {
    await openAs(page, accounts.ISAD);
    await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
  }),
  screen('Tech Support, unreachable', async (page) => {
    await mockReply(page, '**/api/support/chat', { status: 503 });
    await openAs(page, accounts.PRUS);
    await page.getByRole('button', { name: 'Tech Support' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
];
