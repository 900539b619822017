import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { ActionMenu } from './ActionMenu';
import { KitProvider } from './KitProvider';
import { Layer } from './Layer';

function Menu() {
  const [open, setOpen] = useState(false);
  const actions = [
    { label: 'Edit', onSelect: () => {} },
    { label: 'Remove', onSelect: () => {} },
  ];
  return (
    <KitProvider>
      <button type="button">Before</button>
      <ActionMenu open={open} onOpenChange={setOpen} actions={actions}>
        <button type="button">Actions</button>
      </ActionMenu>
      <button type="button">After</button>
      <Layer />
    </KitProvider>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
/** Waits long enough for a delayed focus return. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

test.each([
  ['on', {}, 'After'],
  ['back', { shift: true }, 'Before'],
])("Tab moves %s from a menu's button and closes the menu", async (_, options, name) => {
  render(<Menu />);
  button('Actions').focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'));
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.tab(options);
  await settled();
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  expect(document.activeElement).toBe(button(name));
});

test('Escape closes the menu also before the focus has moved into it', async () => {
  render(<Menu />);
  button('Actions').focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('menu', { hidden: true });
  button('Actions').focus();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu', { hidden: true })).toBeNull());
});
