import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { useAnnounceChange } from './changes';

test('a request sent before a change and answered after it is repeated', async () => {
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
    <QueryClientProvider client={new QueryClient()}>
      <Groups />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Asking' }));
  expect(answers).toHaveLength(1);
  answers[0]?.('as it was');
  await screen.findByRole('button', { name: 'as it was' });
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('changed');
  await screen.findByRole('button', { name: 'changed' });
});
