import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Dialog } from './Dialog';
import { KitProvider } from './KitProvider';
import { Layer } from './Layer';
import { Popover } from './Popover';

it('announces what its button opens before it exists, and returns the focus', async () => {
  render(
    <KitProvider>
      <Popover label="CO-45">
        <button type="button">More</button>
      </Popover>
      <Layer />
    </KitProvider>,
  );
  const button = screen.getByRole('button', { name: 'CO-45' });
  expect(button.getAttribute('aria-haspopup')).toBe('dialog');
  expect(button.getAttribute('aria-expanded')).toBe('false');
  for (const _ of ['the first time', 'again']) {
    await userEvent.click(button);
    const panel = await screen.findByRole('dialog', { name: 'CO-45' });
    expect(screen.getByRole('button', { name: 'CO-45', expanded: true })).toBe(button);
    expect(button.getAttribute('aria-controls')).toBe(panel.id);
    await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(button));
  }
});

it('closes by Escape without the dialog around it', async () => {
  const close = vi.fn();
  render(
    <KitProvider>
      <Dialog open title="Bill" onClose={close}>
        <Popover label="CO-45">
          <button type="button">More</button>
        </Popover>
      </Dialog>
      <Layer />
    </KitProvider>,
  );
  const button = await screen.findByRole('button', { name: 'CO-45' });
  await userEvent.click(button);
  const panel = await screen.findByRole('dialog', { name: 'CO-45' });
  await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'CO-45' })).toBeNull());
  expect(close).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(button));
  await userEvent.keyboard('{Escape}');
  expect(close).toHaveBeenCalledOnce();
});
