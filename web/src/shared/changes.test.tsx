import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { useAnnounceChange } from './changes';
import { PortalQueryClient } from './PortalQueryClient';

test('the first request of a list is sent again after a change', async () => {
  const answers: ((answer: string) => void)[] = [];
  function Groups() {
    const announce = useAnnounceChange();
    const { data } = useQuery({
      queryKey: ['groups', 'all'],
      queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    });
    return (
      <button type="button" onClick={() => void announce('groups')}>
        {data ?? 'Asking'}
      </button>
    );
  }
  render(
    <QueryClientProvider client={new PortalQueryClient()}>
      <Groups />
    </QueryClientProvider>,
  );
  expect(answers).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Asking' }));
  expect(answers).toHaveLength(2);
  answers[0]?.('as it was');
  answers[1]?.('changed');
  await screen.findByRole('button', { name: 'changed' });
});
