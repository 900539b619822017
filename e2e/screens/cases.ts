import { accounts, expect, openAs } from '../portal';
import { type ScreenGroup, screen } from './screen';

export const screens: ScreenGroup[] = [
  [
    screen('Ask the network, with errors', async (page) => {
      await openAs(page, accounts.PRUS, '/wcpp/work/cases/new');
      await page.getByRole('button', { name: 'Send question' }).click();
      await expect(page.getByText('Error: Select a topic')).toBeVisible();
    }),
    screen('A question of an office', async (page) => {
      await page.getByLabel('Topic').selectOption({ label: 'Something else' });
      await page.getByLabel('Question', { exact: false }).last().fill('Which documents do you need?');
      await page.getByRole('button', { name: 'Send question' }).click();
      await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible();
    }),
    screen('Questions of an office', async (page) => {
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Questions' }).click();
      await expect(page.getByRole('table', { name: 'Questions' })).toBeVisible();
    }),
    screen('Questions at the service desk', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/cases');
      await expect(page.getByRole('table', { name: 'Questions' })).toBeVisible();
    }),
    screen('Record a complaint, with errors', async (page) => {
      await page.getByRole('link', { name: 'Record complaint' }).click();
      await page.getByRole('button', { name: 'Record complaint' }).click();
      await expect(page.getByText('Error: Select a category')).toBeVisible();
    }),
    screen('A question at the service desk', async (page) => {
      await page.goBack();
      await page.getByRole('table', { name: 'Questions' }).getByRole('link').last().click();
      await expect(page.getByRole('button', { name: /^Send (answer|resolution)$/ })).toBeVisible();
    }),
    screen('A question to assign', async (page) => {
      await page.getByRole('button', { name: 'Assign to…' }).click();
      await expect(page.getByLabel('Staff member')).toBeVisible();
    }),
  ],
  [
    screen('Staff roles', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/staff');
      await expect(page.getByRole('row', { name: /clerk\.demo/ })).toBeVisible();
    }),
    screen('A staff role to change', async (page) => {
      await page.getByRole('row', { name: /clerk\.demo/ }).getByRole('button').click();
      await expect(page.getByLabel('Role', { exact: true })).toBeVisible();
    }),
    screen('Answer times', async (page) => {
      await openAs(page, accounts.ISAD, '/wcpp/desk/cases/times');
      await expect(page.getByRole('table', { name: 'Staff' })).toBeVisible();
    }),
  ],
];
