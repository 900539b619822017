import type { RouterHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import ProviderResourcesPage from './ProviderResourcesPage';

const entry = (name: string, category: string, href = `/assets/${name}.pdf`) => ({
  properties: { name, category, walkmeId: `tour-${name}` },
  links: [{ href }],
});

const settings = {
  resourceUrl: '/api/resources',
  resourceAssetPath: '/assets',
  resourceContentPath: '/documents',
  websiteUrl: 'https://www.network.example/',
};
const reading = 'GET /resources/provider-resources.json';
let replies: Replies;
let list: unknown;
let sent: { url: string; authorization: string | null }[];

beforeEach(async () => {
  list = [entry('Zebra', 'Training'), entry('alpha', 'Provider Manuals'), entry('Beta', 'Training')];
  sent = [];
  bearer.token = 'token-1';
  await configure(settings);
  replies = {
    [reading]: (_, { url, headers }) => {
      sent.push({ url, authorization: headers.get('Authorization') });
      return { body: list };
    },
  };
  fakeServer(replies);
});

const show = (history?: RouterHistory) =>
  renderScreens({ '/': ProviderResourcesPage }, makeSession(), { history }).history;
const names = async () =>
  within(await screen.findByRole('table', { name: 'Documents' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

test('lists the documents by name, each with its link and its guided-tour ID', async () => {
  show();
  expect(await names()).toEqual(['alpha', 'Beta', 'Zebra']);
  expect(sent).toEqual([
    { url: 'http://localhost:3000/api/resources/provider-resources.json', authorization: 'Bearer token-1' },
  ]);
  const link = screen.getByRole('link', { name: 'alpha' });
  expect(link.getAttribute('href')).toBe('http://localhost:3000/api/resources/documents/alpha.pdf');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(link.getAttribute('rel')).toContain('noopener');
  expect(link.getAttribute('data-walkme-id')).toBe('tour-alpha');
});

test('offers exactly the categories, and filters by category and name', async () => {
  show();
  await names();
  const category = screen.getByRole('combobox', { name: 'Category' });
  expect(
    within(category)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Select All',
    'Notifications',
    'Press Releases',
    'Provider Manuals',
    'Release Notes',
    'Training',
  ]);
  await userEvent.selectOptions(category, 'Training');
  expect(await names()).toEqual(['Beta', 'Zebra']);
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter by Name' }), ' ZE ');
  expect(await names()).toEqual(['Zebra']);
  await userEvent.selectOptions(category, 'Release Notes');
  expect(screen.getByText('No documents match this category and name.')).toBeTruthy();
  await userEvent.selectOptions(category, 'Select All');
  expect(await names()).toEqual(['Zebra']);
});

test('restores filters, order and page on the way back', async () => {
  list = Array.from({ length: 12 }, (_, n) => entry(`Doc ${String(n).padStart(2, '0')}`, 'Training'));
  const history = show();
  await names();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Training');
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter by Name' }), 'doc');
  await userEvent.click(screen.getByRole('button', { name: /^Name/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await waitFor(() => expect(history.location.state.kept?.table.page).toBe(1));
  cleanup();
  show(history);
  expect(await names()).toEqual(['Doc 01', 'Doc 00']);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter by Name' }).value).toBe('doc');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Category' }).value).toBe('Training');
});

test('sorts, and returns to the first page when filtered', async () => {
  list = Array.from({ length: 12 }, (_, n) => entry(`Doc ${String(n).padStart(2, '0')}`, 'Training'));
  show();
  expect(await names()).toHaveLength(10);
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(await names()).toEqual(['Doc 10', 'Doc 11']);
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter by Name' }), 'doc');
  expect(await names()).toHaveLength(10);
  await userEvent.click(screen.getByRole('button', { name: /^Name/ }));
  expect((await names())[0]).toBe('Doc 11');
});

test("opens the network's website in a new window", async () => {
  show();
  const link = await screen.findByRole('link', { name: /^Visit our website/ });
  expect(link.getAttribute('href')).toBe('https://www.network.example/');
  expect(link.getAttribute('rel')).toContain('noopener');
});

test('counts skipped entries', async () => {
  list = [entry('alpha', 'Training'), entry('evil', 'Training', 'javascript:alert(1)'), 5];
  show();
  expect(await names()).toEqual(['alpha']);
  expect(screen.getByText(/^2 documents can't be shown/)).toBeTruthy();
});

test('shows that the list is empty', async () => {
  list = [];
  show();
  expect(await screen.findByText('No documents yet.')).toBeTruthy();
});

test.each<[string, Replies[typeof reading]]>([
  ['the host fails', { status: 503, body: { message: 'no' } }],
  ['the list is none', { body: { documents: [] } }],
])('offers a retry when %s', async (_, failing) => {
  replies[reading] = failing;
  show();
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(
    screen.getByText(
      'Error: There was an error retrieving data. Please try again or contact Customer Service.',
    ),
  ).toBeTruthy();
  replies[reading] = { body: [entry('alpha', 'Training')] };
  await userEvent.click(again);
  expect(await names()).toEqual(['alpha']);
});
