import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import { DeskBillPage } from './BillPage';
import { makePage } from './testing';

const open = () =>
  renderScreens(
    { '/desk/bill/$id': DeskBillPage, '/desk/cases/$number': () => <p>Question</p> },
    makeSession({ permissions: ['desk.open'] }),
    { at: '/desk/bill/sealed-1' },
  );

test('staff open documents through the service desk, and see why one is refused', async () => {
  vi.stubGlobal('open', () => null);
  const late = "You've opened 200 items in the last hour. Wait 5 minutes, or ask a system administrator.";
  for (const [refusal, shown] of [
    [{ status: 404, body: {} }, 'Error: The image selected is not available.'],
    [
      { status: 400, body: { message: 'Start a support session first.' } },
      'Error: Start a support session first.',
    ],
    [{ status: 429, body: { message: late } }, `Error: ${late}`],
  ] as const) {
    const replies: Replies = {
      'POST /desk/bills/open': { body: { page: makePage(), questions: [] } },
      'POST /desk/bills/document': refusal,
    };
    const calls = fakeServer(replies);
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Bill image' }));
    expect((await screen.findByRole('alert')).textContent).toBe(shown);
    expect(calls.at(-1)).toEqual({
      call: 'POST /desk/bills/document',
      body: { id: 'sealed-1', kind: 'image' },
    });
    cleanup();
  }
});

test("a bill's open questions are shown before a call is logged", async () => {
  const number = 'C-4K7Q-29MX';
  fakeServer({
    'POST /desk/bills/open': {
      body: { page: makePage(), questions: [{ number, state: 'WAITING', office: 'Lakeside' }] },
    },
  });
  open();
  const link = await screen.findByRole('link', { name: number });
  expect(link.closest('dd')?.textContent).toBe(`${number}, waiting for the office (Lakeside)`);
  await userEvent.click(link);
  expect(await screen.findByText('Question')).toBeTruthy();
});
