import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeServer, makeSession, unreachable } from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens } from '@/shared/testing';
import { setSingleKeys } from '@/ui/singleKeys';
import { useWorkspace, WorkspaceButton } from './WorkspaceButton';

const reasons: Session['workspace'] = [{ group: 'Know', label: 'Reason codes', to: 'work/reasons' }];

function Bar() {
  const workspace = useWorkspace();
  return (
    <>
      {workspace.isAvailable && <WorkspaceButton {...workspace} />}
      {workspace.palette}
      <input aria-label="Field" />
      <div contentEditable suppressContentEditableWarning>
        Text
      </div>
    </>
  );
}

async function show(workspace: Session['workspace'] = reasons) {
  renderScreens({ '/': Bar }, makeSession({ workspace }));
  await screen.findByLabelText('Field');
}

const dialog = () => screen.queryByRole('dialog', { name: 'Workspace' });
/** Returns whether the app handled the key. */
const press = (key: string, part: KeyboardEventInit = {}, on: Element = document.body) =>
  !fireEvent.keyDown(on, { key, ...part });

// Must be the first test, because a loaded chunk stays loaded.
test("shows an error when it couldn't load, and loads at the next click", async () => {
  let lose = () => {};
  const gone = new Promise<never>((_, reject) => {
    lose = () => reject(new Error('gone'));
  });
  gone.catch(() => {}); // it can fail before anything awaits it
  vi.doMock('@/features/command-palette/Palette', () => gone);
  fakeServer({ 'GET /js/config.json': unreachable });
  await show();
  const button = screen.getByRole('button', { name: 'Workspace' });
  await userEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  lose();
  await screen.findByText(/^Couldn't load the Workspace/);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
  vi.doUnmock('@/features/command-palette/Palette');
  await userEvent.click(button);
  await waitFor(() => expect(dialog()).toBeTruthy());
});

test('opens the Workspace and gets the focus back', async () => {
  await show();
  const button = screen.getByRole('button', { name: 'Workspace', expanded: false });
  await userEvent.click(button);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')));
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await userEvent.keyboard('7{Escape}');
  expect(dialog()).toBeNull();
  expect(document.activeElement).toBe(button);
  // The typed text isn't stored.
  await userEvent.click(button);
  expect((await screen.findByRole<HTMLInputElement>('combobox')).value).toBe('');
});

test('opens with its keys where they have no other meaning', async () => {
  await show();
  const field = screen.getByLabelText('Field');
  for (const [key, part, on] of [
    ['/', {}, field],
    ['/', {}, screen.getByText('Text')],
    ['/', { ctrlKey: true }],
    ['/', { altKey: true }],
    ['/', { metaKey: true }],
    ['k', {}],
    ['k', { metaKey: true, ctrlKey: true }],
    ['k', { ctrlKey: true, shiftKey: true }],
    ['k', { ctrlKey: true, altKey: true }],
  ] as const)
    expect(press(key, part, on), `${key} ${JSON.stringify(part)}`).toBe(false);
  for (const [key, part, on] of [
    ['/', {}, document.body],
    ['K', { ctrlKey: true }, field],
  ] as const) {
    expect(press(key, part, on)).toBe(true);
    await waitFor(() => expect(dialog()).toBeTruthy());
    // Not over itself.
    expect(press('k', { ctrlKey: true })).toBe(false);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(dialog()).toBeNull());
  }
});

test('does not open with a slash when single-key shortcuts are off', async () => {
  await show();
  const button = screen.getByRole('button', { name: 'Workspace' });
  expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+K /');
  act(() => setSingleKeys(false));
  expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+K');
  expect(press('/')).toBe(false);
  expect(press('k', { ctrlKey: true })).toBe(true);
  act(() => setSingleKeys(true));
});

test("doesn't exist without a Workspace, nor do its keys", async () => {
  await show(null);
  expect(screen.queryByRole('button')).toBeNull();
  expect(press('/')).toBe(false);
  expect(press('k', { ctrlKey: true })).toBe(false);
});
