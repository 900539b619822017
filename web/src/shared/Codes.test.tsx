import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { SessionContext } from '@/api/session';
import { fakeServer, makeSession } from '@/api/testing';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import { Codes, ReasonChips } from './Codes';
import { makeReason } from './testing';

const show = (codes: string[]) => draw(<ReasonChips codes={codes} />);

function draw(codes: ReactNode) {
  fakeServer({
    'GET /codes': {
      body: [
        makeReason({ code: 'Q1', title: 'The sum is too high.' }),
        makeReason({ code: 'Q1', title: 'In California it is other.', jurisdiction: 'CA' }),
        makeReason({ code: 'Q2', title: 'The form is old.' }),
        makeReason({ list: 'RARC', code: 'QN1', title: 'A paper is missing.' }),
      ],
    },
  });
  return render(
    <SessionContext value={makeSession({ permissions: ['codes.read'] })}>
      <QueryClientProvider client={new QueryClient()}>
        <KitProvider>
          <main>
            {codes}
            <Layer />
          </main>
        </KitProvider>
      </QueryClientProvider>
    </SessionContext>,
  );
}

const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

test('of several reasons only the first appears, and its button shows all, by keyboard too', async () => {
  show(['ZZ-Q1', 'ZZ-Q2', 'QN1']);
  const chip = await screen.findByRole('button', { name: 'ZZ-Q1 +2 more reason codes' });
  expect(buttons()).toHaveLength(1);
  chip.focus();
  await userEvent.keyboard('{Enter}');
  const panel = within(await screen.findByRole('dialog', { name: 'ZZ-Q1 +2 more reason codes' }));
  await panel.findByText(/The sum is too high\./);
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'ZZ-Q1 The sum is too high. What can I do? About ZZ-Q1',
    'ZZ-Q2 The form is old. What can I do? About ZZ-Q2',
    'QN1 A paper is missing. What can I do? About QN1',
  ]);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(chip);
});

test("a pharmacy code doesn't use a remark with the same letters, and a state's own text takes precedence", async () => {
  draw(<ReasonChips codes={['ZZ-Q1', 'QN1', 'RX-QN1']} jurisdiction="CA" />);
  await userEvent.click(await screen.findByRole('button', { name: /^ZZ-Q1/ }));
  const panel = within(await screen.findByRole('dialog'));
  await panel.findByText(/In California it is other\./);
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'ZZ-Q1 In California it is other. What can I do? About ZZ-Q1',
    'QN1 A paper is missing. What can I do? About QN1',
    "RX-QN1 We don't have an explanation for this code yet. ",
  ]);
});

test('one more uses the singular', () => {
  show(['ZZ-Q1', 'QN1']);
  expect(buttons()).toEqual(['ZZ-Q1 +1 more reason code']);
});

test('a single reason has no button next to it, and no reasons render nothing', async () => {
  const { unmount } = show(['ZZ-Q1']);
  await screen.findByRole('button', { name: 'ZZ-Q1' });
  expect(buttons()).toEqual(['ZZ-Q1']);
  unmount();
  show([]);
  expect(screen.queryByRole('button')).toBeNull();
});

test('in a line each code has an explanation next to its amount, and more on click', async () => {
  draw(
    <Codes
      variant="line"
      adjustments={[
        { group: 'ZZ', reason: 'Q1', amount: 12.5 },
        { group: 'ZZ', reason: 'Q9', amount: 1 },
      ]}
      remarks={[
        { list: 'HE', code: 'QN1' },
        { list: 'RX', code: 'QN1' },
      ]}
    />,
  );
  await screen.findByText('The sum is too high.');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'ZZ-Q1$12.50The sum is too high.',
    "ZZ-Q9$1.00We don't have an explanation for this code yet.",
    'QN1A paper is missing.',
    "RX-QN1We don't have an explanation for this code yet.",
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'ZZ-Q1' }));
  await screen.findByRole('dialog', { name: 'ZZ-Q1' });
});

test('in an overview of amounts, chips have no explanations', async () => {
  draw(<Codes variant="chips" adjustments={[{ group: 'ZZ', reason: 'Q1', amount: 12.5 }]} remarks={[]} />);
  await screen.findByRole('button', { name: 'ZZ-Q1' });
  expect(screen.queryByText('The sum is too high.')).toBeNull();
});
