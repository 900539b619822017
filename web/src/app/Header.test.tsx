import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { makeSession } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import { Header } from './Header';
import { useWorkspace } from './WorkspaceButton';

vi.mock(import('./Bell'), () => ({ Bell: () => <></> }));

const Bar = () => <Header workspace={useWorkspace()} />;

test('returns the focus to the menu button after Contact Us in the menu', async () => {
  renderScreens({ '/': Bar }, makeSession());
  const menu = await screen.findByRole('button', { name: 'Menu', expanded: false });
  await userEvent.click(menu);
  const list = screen.getByRole('navigation', { name: 'Main' });
  await userEvent.click(within(list).getByRole('button', { name: 'Contact Us' }));
  await screen.findByRole('dialog', { name: 'Contact Us' });
  expect(menu.getAttribute('aria-expanded')).toBe('false');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(menu);
});
