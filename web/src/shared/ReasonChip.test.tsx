import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { SessionContext } from '@/api/session';
import { fakeServer, makeSession, type Reply } from '@/api/testing';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import { ReasonChip, RemarkChip } from './ReasonChip';
import type { Reason } from './reasons';
import { makeReason } from './testing';

const reasons = [
  makeReason({ list: 'CAGC', code: 'ZZ', title: 'Nobody bears this part.', plain: 'It is invented.' }),
  makeReason({
    code: 'Q1',
    title: 'The sum is <b>bold</b>.',
    plain: 'More of it.',
    advice: 'Count it again.',
  }),
  makeReason({ code: 'Q1', jurisdiction: 'CA', title: 'In California it is other.', plain: 'Theirs.' }),
  makeReason({ code: 'Q2', official: 'As its owner says.', status: 'ENDED', ended: '2025-12-31' }),
  makeReason({ list: 'RARC', code: 'QN1', title: 'A paper is missing.', advice: 'Send it.' }),
];

function show(chips: ReactNode, reply: Reply<Reason[]> = { body: reasons }, permissions = ['codes.read']) {
  const calls = fakeServer({ 'GET /codes': reply });
  render(
    <SessionContext value={makeSession({ permissions })}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <KitProvider>
          <main>
            {chips}
            <Layer />
          </main>
        </KitProvider>
      </QueryClientProvider>
    </SessionContext>,
  );
  return calls;
}

test('a code has one explanation as text, and more on request, starting with the responsible party', async () => {
  show(<ReasonChip group="ZZ" reason="Q1" />);
  await screen.findByText(/The sum is <b>bold<\/b>\./);
  const more = screen.getByRole('button', { name: 'What can I do? About ZZ-Q1' });
  expect(screen.queryByText('More of it.')).toBeNull();
  expect(more.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(more);
  expect(more.getAttribute('aria-expanded')).toBe('true');
  const panel = document.getElementById(more.getAttribute('aria-controls') ?? '') as HTMLElement;
  expect(
    within(panel)
      .getAllByText(/./, { selector: 'p' })
      .map((p) => p.textContent),
  ).toEqual(['Nobody bears this part. It is invented.', 'More of it.', 'Count it again.']);
});

test('a table only shows the chip, and its panel opens by keyboard', async () => {
  show(<RemarkChip list="RARC" code="QN1" compact />);
  const chip = await screen.findByRole('button', { name: 'QN1' });
  expect(screen.queryByText('A paper is missing.')).toBeNull();
  chip.focus();
  await userEvent.keyboard('{Enter}');
  const panel = await screen.findByRole('dialog', { name: 'QN1' });
  expect(panel.textContent).toBe('A paper is missing.Send it.');
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(chip);
});

test("the jurisdiction's own text takes precedence, and another's is ignored", async () => {
  show(
    <>
      <ReasonChip group="ZZ" reason="Q1" jurisdiction="CA" />
      <ReasonChip group="ZZ" reason="Q1" jurisdiction="NV" />
    </>,
  );
  await screen.findByText(/In California it is other/);
  expect(screen.getByText(/The sum is/)).toBeTruthy();
});

test('the official text is the fallback, and an inactive code says so', async () => {
  show(<RemarkChip list="CARC" code="Q2" />);
  await screen.findByText(/As its owner says\./);
  await userEvent.click(screen.getByRole('button', { name: /What can I do/ }));
  expect(screen.getByText('This code has been inactive since 12/31/2025.')).toBeTruthy();
});

test('an unexplained code says so, and has no details', async () => {
  show(<RemarkChip list="RARC" code="QX9" />);
  await screen.findByText(/We don't have an explanation for this code yet\./);
  expect(screen.queryByRole('button')).toBeNull();
});

test("codes load once, and stay plain if they can't load", async () => {
  const calls = show(
    <>
      <ReasonChip group="ZZ" reason="Q1" />
      <RemarkChip list="RARC" code="QN1" compact />
    </>,
    { status: 503 },
  );
  await expect.poll(() => calls.length).toBe(1);
  expect(screen.getByText('ZZ-Q1').tagName).toBe('SPAN');
  expect(screen.getByText('QN1').tagName).toBe('SPAN');
});

test('without the Workspace nothing is requested', () => {
  expect(show(<ReasonChip group="ZZ" reason="Q1" />, undefined, [])).toEqual([]);
  expect(screen.getByText('ZZ-Q1')).toBeTruthy();
});
