import { createMemoryHistory } from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { makeSession, makeUser } from '@/api/testing';
import type { Session } from '@/api/types';
import * as paths from '@/shared/paths';
import { renderScreens } from '@/shared/testing';
import ManageRecipientsPage from './ManageRecipientsPage';
import NotificationsPage from './NotificationsPage';
import type { Notification } from './notification';

export const isad = makeSession({
  username: 'isad.demo',
  user: makeUser({ id: 9, userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
  permissions: ['notifications.manage', 'users.search'],
});

/** Shows a screen and the next one. */
export function show(
  path: typeof paths.notifications | typeof paths.manageRecipients,
  session: Session = isad,
  state: object = {},
) {
  const history = createMemoryHistory({ initialEntries: ['/'] });
  history.push(path, state);
  const screens = {
    [paths.notifications]: NotificationsPage,
    [paths.manageRecipients]: ManageRecipientsPage,
    $: () => <p>Elsewhere</p>,
  };
  return renderScreens(screens, session, { history });
}

export const makeNotification = (part: Partial<Notification> = {}): Notification => ({
  wcp_notification_id: 4,
  name: 'Spring newsletter',
  sendDt: null,
  status: 'READY',
  sendEmail: 'NO',
  campaign: 'Spring',
  requestedBy: 'Marketing',
  createDt: '2026-03-02T15:00:00.000000Z',
  lastUpdate: '2026-03-03T15:00:00.000000Z',
  lastUpdateBy: 'isad.demo',
  userNotList: '5,6',
  link: 'https://news.example.com/spring',
  ...part,
});

export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`));

export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

/** The focused message. */
export const messageText = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;

/** The first column's text in each row of a table. */
export const readRows = async (table: string) =>
  within(await screen.findByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(2);
