import { Outlet } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { makeSession } from '@/api/testing';
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

test('asks on top of a dialog that opened after an earlier question', async () => {
  const frame = () => (
    <>
      <LeaveGuard />
      <Outlet />
    </>
  );
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
