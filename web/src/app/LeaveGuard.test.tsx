import { Outlet } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { fakeServer, makeSession } from '@/api/testing';
import { encryptDraft, startDraft } from '@/features/notifications/draft';
import ManageRecipientsPage from '@/features/notifications/ManageRecipientsPage';
import { renderScreens } from '@/shared/testing';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { Dialog } from '@/ui/Dialog';
import { LeaveGuard } from './LeaveGuard';

function Changed() {
  const [isOpen, setOpen] = useState(false);
  useUnsavedChanges(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && <Dialog open title="Panel" />}
    </>
  );
}

const frame = () => (
  <>
    <LeaveGuard />
    <Outlet />
  </>
);

test('asks on top of a dialog that opened after an earlier question', async () => {
  const { router } = renderScreens({ '/': Changed, '/other': () => 'Other' }, makeSession(), { frame });
  await screen.findByRole('button', { name: 'Open' });
  void router.navigate({ to: '/other' as never });
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const panel = await screen.findByRole('dialog', { name: 'Panel' });
  void router.navigate({ to: '/other' as never });
  const question = await screen.findByRole('dialog', { name: 'Leave this page?' });
  // Both have the same z-index, so the later one is on top.
  expect(panel.compareDocumentPosition(question)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test("asks before a notification's recipients or criteria are lost", async () => {
  fakeServer({ 'POST /notifications/audience': { body: { count: 3, excluded: 0 } } });
  const screens = {
    '/ManageRecipients': ManageRecipientsPage,
    '/Notifications': () => <h1>Notifications</h1>,
    '/other': () => 'Other',
  };
  const permissions = ['notifications.manage', 'users.search', 'announcements.manage'];
  const state = await encryptDraft({ ...startDraft(null), audience: {} });
  const { router, history } = renderScreens(screens, makeSession({ permissions }), { frame, state });
  const stay = async () => userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  await userEvent.click(await screen.findByLabelText(/^States/));
  void router.navigate({ to: '/other' as never });
  await stay();

  // The notification's screen gets the draft, but not what is still being typed.
  await userEvent.paste('TX');
  void router.navigate({ to: '/Notifications' as never });
  await stay();
  expect(history.location.pathname).toBe('/ManageRecipients');
  await userEvent.click(screen.getByRole('button', { name: 'CLOSE' }));
  expect(await screen.findByRole('heading', { name: 'Notifications' })).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});
