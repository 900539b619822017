import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog } from './Dialog';
import { KitProvider } from './KitProvider';
import { Layer } from './Layer';

function Two() {
  const [open, setOpen] = useState(['Lower', 'Upper']);
  return open.map((title) => (
    <Dialog
      key={title}
      open
      title={title}
      onClose={() => setOpen((open) => open.filter((t) => t !== title))}
    />
  ));
}

test('Escape closes only the dialog on top', async () => {
  render(
    <KitProvider>
      <Two />
      <Layer />
    </KitProvider>,
  );
  await screen.findByRole('dialog', { name: 'Upper' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Upper' })).toBeNull());
  expect(screen.getByRole('dialog', { name: 'Lower' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Lower' })).toBeNull());
});
