import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import PayerContactsPage from './PayerContactsPage';
import type { Contact } from './queries';

const acme: Contact = {
  payerId: 'P1',
  name: 'Acme',
  phone: '6145550100',
  extension: '7',
  hours: '8 to 5 ET',
  ready: 'The claim number',
  version: 3,
  updatedAt: '2026-07-12T14:00:00Z',
  updatedBy: 'isad.demo',
};

let replies: Replies;

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = { 'GET /desk/payer-contacts': { body: [acme] } };
  fakeServer(replies);
});

const show = (permissions: string[]) =>
  renderScreens({ '/desk/payer-contacts': PayerContactsPage }, makeSession({ permissions }));

const manage = ['contacts.read', 'contacts.manage'];

test('lists contacts, and read-only administrators only view them', async () => {
  show(['contacts.read']);
  const row = (await screen.findByText('P1')).closest('tr') as HTMLElement;
  expect(row.textContent).toContain('614-555-0100, ext. 7');
  expect(row.textContent).toContain('by isad.demo');
  expect(screen.queryByRole('button', { name: 'Add payer contact' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete Acme' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'View Acme' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Acme' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Hours/).value).toBe('8 to 5 ET');
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('adds a contact, after its errors are fixed', async () => {
  const sent: unknown[] = [];
  replies['PUT /desk/payer-contacts/P2'] = (body) => {
    sent.push(body);
    return { body: { ...acme, payerId: 'P2' } };
  };
  show(manage);
  await userEvent.click(await screen.findByRole('button', { name: 'Add payer contact' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add payer contact' }));
  await userEvent.type(dialog.getByLabelText(/^Phone/), '555');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  for (const error of [
    'Error: Enter the payer ID',
    "Error: Enter the payer's name",
    'Error: Enter a phone number of 10 to 15 digits',
  ])
    expect((await dialog.findAllByText(error)).length).toBeGreaterThan(0);
  expect(sent).toEqual([]);
  await userEvent.type(dialog.getByLabelText(/^Payer ID/), 'p2');
  await userEvent.type(dialog.getByLabelText(/^Payer\b(?! ID)/), 'Baker');
  await userEvent.clear(dialog.getByLabelText(/^Phone/));
  await userEvent.type(dialog.getByLabelText(/^Phone/), '614 555 0101');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent).toEqual([
      { name: 'Baker', phone: '614-555-0101', extension: '', hours: '', ready: '', version: 0 },
    ]),
  );
});

test('confirms a contact by saving it again', async () => {
  const sent: unknown[] = [];
  replies['PUT /desk/payer-contacts/P1'] = (body) => {
    sent.push(body);
    return { body: acme };
  };
  show(manage);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Acme' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Acme' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toMatchObject([{ name: 'Acme', version: 3 }]));
});

test('deletes a contact after confirmation, unless someone else changed it', async () => {
  replies['DELETE /desk/payer-contacts/P1'] = {
    status: 409,
    body: { message: 'Someone else changed this contact. Reload the page, then try again.' },
  };
  show(manage);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Acme' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the contact of Acme?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(/Someone else changed this contact/)).toBeTruthy();
  replies['DELETE /desk/payer-contacts/P1'] = { status: 204 };
  replies['GET /desk/payer-contacts'] = { body: [] };
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(/No payer contacts yet/)).toBeTruthy();
});

test('others are not permitted', async () => {
  show([]);
  expect(await screen.findByRole('heading', { name: 'Payer contacts' })).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});
