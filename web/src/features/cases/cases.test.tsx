import type { RouterHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { bearer, Problem } from '@/api/client';
import { signIn } from '@/api/session';
import {
  type Call,
  configure,
  fakeServer,
  makeSession,
  neverReplies,
  type Replies,
  replyTo,
  unreachable,
} from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import { hasUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import * as uploading from '@/shared/useFileUpload';
import AskPage from './AskPage';
import type { CaseEntry, CaseThread } from './cases';
import DeskQuestionPage from './DeskQuestionPage';
import DeskQuestionsPage from './DeskQuestionsPage';
import QuestionPage from './QuestionPage';
import QuestionsPage from './QuestionsPage';
import RecordComplaintPage from './RecordComplaintPage';
import TimesPage from './TimesPage';

const number = 'C-4K7Q-29MX';

const entry = (id: number, kind: CaseEntry['kind'], body: string): CaseEntry => ({
  id,
  at: '2026-11-23T15:42:00Z',
  author: kind === 'MESSAGE' ? 'Ada King' : 'Kim Reyes',
  side: kind === 'MESSAGE' ? 'OFFICE' : 'NETWORK',
  kind,
  body,
});

const open: CaseThread = {
  number,
  kind: 'QUESTION',
  legalDue: null,
  files: [],
  contacts: 1,
  mergedInto: '',
  remittance: { id: '', number: '' },
  topic: 'PRICE',
  state: 'OPEN',
  ftin: '111111111',
  openedAt: '2026-11-23T15:42:00Z',
  dueAt: '2026-11-27T15:42:00Z',
  answeredAt: null,
  closedAt: null,
  helpful: '',
  unread: false,
  bills: [{ id: 'page-1', number: '7000001190' }],
  version: 1,
  office: '',
  mine: false,
  answerId: 0,
  openedBy: 'Ada King',
  owner: '',
  entries: [entry(1, 'MESSAGE', 'Why this price?')],
};

const answered: CaseThread = {
  ...open,
  state: 'ANSWERED',
  dueAt: null,
  answeredAt: '2026-11-24T15:42:00Z',
  version: 2,
  answerId: 2,
  owner: 'Kim Reyes',
  entries: [...open.entries, entry(2, 'ANSWER', 'By contract.\n\nSee line 2.')],
};

const complaint: CaseThread = {
  ...open,
  kind: 'COMPLAINT',
  topic: 'OTHER',
  legalDue: '2026-12-02',
  complaint: {
    categories: ['PAYMENT', 'FEES'],
    origin: 'PORTAL',
    receivedOn: '2026-11-25',
    lawState: 'Texas',
    complainant: '',
    outcome: '',
    ackDue: '2026-12-02',
    ackOn: null,
    resolveDue: '2026-12-25',
    resolveOn: null,
    citation: '28 TAC 10.121',
    letters: [{ id: 8, kind: 'ACK', madeAt: '2026-11-25T15:42:00Z', mailedOn: null }],
  },
};

const receipt =
  'We received your complaint on 11/25/2026 and will send a written resolution by 12/25/2026 (28 TAC 10.121).';

const saved = { id: 3, title: 'By contract', body: 'By contract.', version: 2 };

const figures = {
  open: 0,
  overdue: 0,
  answered: 0,
  median: null,
  p90: null,
  yes: 0,
  no: 0,
  calls: 0,
};

let replies: Replies;
let calls: Call[];

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {
    'GET /ftin/userFtins/prad.demo': { body: [] },
    'POST /work/cases/page': { body: { cases: [{ ...open, unread: true }], next: '' } },
    [`GET /work/cases/${number}`]: { body: answered },
    [`GET /work/cases/${number}/version`]: { body: { version: 2 } },
    [`GET /desk/cases/${number}`]: { body: open },
    'GET /desk/replies': { body: [saved] },
    [`POST /desk/cases/${number}/writing`]: { body: { names: [], version: 1 } },
    'GET /desk/cases': { body: { cases: [open], next: '' } },
    'GET /desk/cases/times': {
      body: {
        from: '2026-10-25',
        to: '2026-11-23',
        newBills: 1600,
        staff: [
          { ...figures, name: 'Kim Reyes', answered: 10, median: 5, p90: 30.25, yes: 6, no: 2, calls: 3 },
          { ...figures, name: '', open: 4, overdue: 1 },
        ],
        topics: [{ ...figures, name: 'PRICE', answered: 10, median: 5, p90: 30.25, yes: 6, no: 2, calls: 3 }],
      },
    },
  };
});

function show(path: string, component: () => ReactNode, permissions: string[], earlier?: RouterHistory) {
  calls = fakeServer(replies);
  const others = [
    '/work/cases',
    '/work/cases/new',
    '/work/cases/$number',
    '/desk/cases',
    '/desk/cases/new',
    '/desk/cases/times',
    '/desk/cases/$number',
  ];
  return renderScreens(
    { ...Object.fromEntries(others.map((own) => [own, () => `At ${own}`])), [path]: component },
    makeSession({ permissions }),
    { at: path.replace('$number', number), history: earlier },
  ).history;
}

const sent = (call: string) => calls.filter((made) => made.call === call).map(({ body }) => body);

test('lists the questions of the office', async () => {
  show('/work/cases', QuestionsPage, ['cases.own']);
  const row = within(await screen.findByRole('row', { name: /7000001190/ }));
  expect(row.getByRole('link', { name: number })).toBeTruthy();
  expect(row.getByText('New')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Answered' }));
  await waitFor(() => expect(sent('POST /work/cases/page')).toHaveLength(2));
  expect(sent('POST /work/cases/page')[1]).toMatchObject({ tab: 'answered', mine: false });
});

test('sends a question once, and opens it', async () => {
  replies['POST /work/cases'] = { body: open };
  show('/work/cases/new', AskPage, ['cases.own']);
  const send = await screen.findByRole('button', { name: 'Send question' });
  await userEvent.click(send);
  expect(await screen.findByText('Error: Select a topic')).toBeTruthy();
  expect(screen.getByText('Error: Enter your question')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Topic/)));
  await userEvent.selectOptions(screen.getByLabelText(/^Topic/), 'PRICE');
  await userEvent.type(screen.getByLabelText(/^Question/), 'Why this price?');
  await userEvent.dblClick(send);
  expect(await screen.findByText('At /work/cases/$number')).toBeTruthy();
  expect(sent('POST /work/cases')).toHaveLength(1);
  expect(sent('POST /work/cases')[0]).toMatchObject({ topic: 'PRICE', body: 'Why this price?', bills: [] });
});

test('names a Tax ID that the user lost while writing, and keeps the text', async () => {
  replies['GET /ftin/userFtins/prad.demo'] = { body: [{ ftin: '111111111' }] };
  replies['POST /work/cases'] = { status: 404 };
  show('/work/cases/new', AskPage, ['cases.own']);
  await userEvent.selectOptions(await screen.findByLabelText(/^Topic/), 'PRICE');
  await userEvent.selectOptions(screen.getByLabelText(/^Tax ID/), '111111111');
  await userEvent.type(screen.getByLabelText(/^Question/), 'Why this price?');
  await userEvent.click(screen.getByRole('button', { name: 'Send question' }));
  expect(await screen.findByText('Error: You no longer have access to this Tax ID')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Tax ID/)));
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Question/).value).toBe('Why this price?');
  await userEvent.selectOptions(screen.getByLabelText(/^Tax ID/), 'No Tax ID');
  expect(screen.queryByText('Error: You no longer have access to this Tax ID')).toBeNull();
});

test('shows the answer first, and closes the question', async () => {
  replies[`POST /work/cases/${number}/helpful`] = {
    body: { ...answered, state: 'CLOSED', helpful: 'YES', version: 3 },
  };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  expect((await screen.findByRole('region', { name: 'Answer' })).textContent).toContain('See line 2.');
  await userEvent.click(screen.getByRole('button', { name: 'Yes, it answered my question' }));
  expect(await screen.findByText('You confirmed that the answer helped.')).toBeTruthy();
  expect(sent(`POST /work/cases/${number}/helpful`)).toEqual([{ version: 2 }]);
  expect(screen.queryByRole('button', { name: 'Send reply' })).toBeNull();
});

test('shows an answer that arrives while a reply is typed', async () => {
  replies[`GET /work/cases/${number}`] = { body: open };
  replies[`GET /work/cases/${number}/version`] = { body: { version: 1 } };
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    show('/work/cases/$number', QuestionPage, ['cases.own']);
    const type = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await type.type(await screen.findByLabelText('Reply'), 'Line 3?');
    replies[`GET /work/cases/${number}`] = { body: answered };
    replies[`GET /work/cases/${number}/version`] = { body: { version: 2 } };
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await screen.findByRole('region', { name: 'Answer' })).textContent).toContain('See line 2.');
    expect(screen.getByLabelText<HTMLTextAreaElement>('No, I still need to know').value).toBe('Line 3?');
  } finally {
    vi.useRealTimers();
  }
});

test('an entry about merging links the other question, and names its payment', async () => {
  const merged = entry(3, 'MERGE', 'C-7TTT-2222 about payment T 2');
  replies[`GET /work/cases/${number}`] = { body: { ...answered, entries: [...answered.entries, merged] } };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  const link = await screen.findByRole('link', { name: 'C-7TTT-2222' });
  expect(link.getAttribute('href')).toMatch(/C-7TTT-2222$/);
  expect(link.parentElement?.textContent).toBe('C-7TTT-2222 about payment T 2');
});

test.each([
  ['CLOSED', '', 'The answer had no reply for 14 days.'],
  ['MERGED', 'C-7TTT-2222', 'This question was merged with C-7TTT-2222.'],
] as const)('keeps a typed reply when the question is %s', async (state, mergedInto, lead) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    show('/work/cases/$number', QuestionPage, ['cases.own']);
    const type = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await type.type(await screen.findByLabelText('No, I still need to know'), 'Line 3?');
    replies[`GET /work/cases/${number}`] = { body: { ...answered, state, mergedInto, version: 3 } };
    replies[`GET /work/cases/${number}/version`] = { body: { version: 3 } };
    await vi.advanceTimersByTimeAsync(15_000);
    const unsent = within(await screen.findByRole('region', { name: 'Your unsent reply' }));
    expect(unsent.getByText('Line 3?')).toBeTruthy();
    expect(document.querySelector('.page-lead')?.textContent).toBe(lead);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['WITHDRAWN', ''],
  ['MERGED', 'C-7TTT-2222'],
] as const)('restores a typed reply after a reload when the question was %s', async (state, mergedInto) => {
  replies['POST /authenticate'] = { body: { username: 'x', token: 'token-1' } };
  replies['GET /session'] = { body: makeSession() };
  replies['PUT /session/form-key'] = { body: { key: btoa('k'.repeat(32)) } };
  fakeServer(replies);
  await signIn({ username: 'x', password: 'x' });
  const history = show('/work/cases/$number', QuestionPage, ['cases.own']);
  await userEvent.type(await screen.findByLabelText('No, I still need to know'), 'Line 3?');
  await waitFor(() => expect(history.location.state.typed?.reply).toBeTruthy());
  cleanup();
  replies[`GET /work/cases/${number}`] = { body: { ...answered, state, mergedInto, version: 3 } };
  show('/work/cases/$number', QuestionPage, ['cases.own'], history);
  const unsent = within(await screen.findByRole('region', { name: 'Your unsent reply' }));
  expect(unsent.getByText('Line 3?')).toBeTruthy();
  await userEvent.click(unsent.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(history.location.state.typed?.reply).toBeUndefined());
});

test('opens the question that another one was merged with', async () => {
  replies[`GET /work/cases/${number}`] = {
    body: { ...answered, state: 'MERGED', mergedInto: 'C-7TTT-2222', version: 3 },
  };
  replies['GET /work/cases/C-7TTT-2222'] = { body: { ...open, number: 'C-7TTT-2222' } };
  replies['GET /work/cases/C-7TTT-2222/version'] = { body: { version: 1 } };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  expect(await screen.findByText('C-7TTT-2222')).toBeTruthy();
  expect(await screen.findByLabelText('Reply')).toBeTruthy();
});

test('preserves a reply that fails', async () => {
  replies[`POST /work/cases/${number}/reply`] = { status: 503 };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  const reply = await screen.findByLabelText('No, I still need to know');
  await userEvent.type(reply, 'Line 3?');
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  expect(await screen.findByText(/Couldn't send the reply/)).toBeTruthy();
  expect((reply as HTMLTextAreaElement).value).toBe('Line 3?');
});

test('staff answer the version that they read', async () => {
  replies[`POST /desk/cases/${number}/answer`] = { body: answered };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  await userEvent.type(await screen.findByLabelText('Answer'), 'By contract.');
  await userEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(await screen.findByRole('region', { name: 'Answer' })).toBeTruthy();
  expect(sent(`POST /desk/cases/${number}/answer`)).toEqual([
    { requestKey: expect.any(String), version: 1, body: 'By contract.', files: [] },
  ]);
  expect(screen.queryByRole('region', { name: 'Your unsent answer' })).toBeNull();
});

test('an answer that comes too late stays readable, and does not become a note', async () => {
  replies[`POST /desk/cases/${number}/answer`] = { status: 409, body: { message: 'It was answered.' } };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  await userEvent.type(await screen.findByLabelText('Answer'), 'By contract.');
  replies[`GET /desk/cases/${number}`] = { body: answered };
  await userEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  const unsent = within(await screen.findByRole('region', { name: 'Your unsent answer' }));
  expect(unsent.getByText('By contract.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Internal note').value).toBe('');
  await userEvent.click(unsent.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Your unsent answer' })).toBeNull());
});

test('says that a long queue is cut', async () => {
  const cases = Array.from({ length: 200 }, (_, at) => ({ ...open, number: `C-${at}` }));
  replies['GET /desk/cases'] = { body: { cases, next: '' } };
  show('/desk/cases', DeskQuestionsPage, ['cases.desk']);
  expect(await screen.findByText('Showing the first 200, the earliest due first.')).toBeTruthy();
});

test('staff see which office asked, and take only what they have not taken', async () => {
  replies[`GET /desk/cases/${number}`] = {
    body: { ...open, office: 'Lakeside', owner: 'Kim Reyes', mine: true },
  };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  await screen.findByRole('button', { name: 'Release' });
  expect(screen.getByText('Lakeside')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Take' })).toBeNull();
});

test('staff add a note, and merge the question', async () => {
  const other = 'C-7TTT-2222';
  replies[`POST /desk/cases/${number}/note`] = {
    body: { ...open, version: 2, entries: [...open.entries, entry(2, 'NOTE', 'See the contract.')] },
  };
  replies[`POST /desk/cases/${other}/writing`] = { body: { names: [], version: 1 } };
  replies[`GET /desk/cases/${other}`] = { body: { ...open, number: other } };
  replies[`POST /desk/cases/${number}/merge`] = { body: { ...open, state: 'MERGED', mergedInto: other } };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  await userEvent.type(await screen.findByLabelText('Answer'), 'See the contract.');
  await userEvent.click(screen.getByRole('button', { name: 'Add internal note' }));
  expect(await screen.findByText('Staff only')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Merge' }));
  expect(await dialog.findByText('Error: Enter the number of an open question')).toBeTruthy();
  await userEvent.type(dialog.getByRole('textbox'), other);
  await userEvent.click(dialog.getByRole('button', { name: 'Merge' }));
  await waitFor(() =>
    expect(sent(`POST /desk/cases/${number}/merge`)).toEqual([{ version: 2, into: other }]),
  );
});

test.each([
  ['/work/cases/$number', QuestionPage, 'Reply'],
  ['/desk/cases/$number', DeskQuestionPage, 'Answer'],
] as const)('at %s, unsent text and files stay with their question', async (path, page, label) => {
  replies[`GET /work/cases/${number}`] = { body: open };
  for (const screens of ['work', 'desk'] as const)
    replies[`GET /${screens}/cases/C-7TTT-2222`] = { body: { ...open, number: 'C-7TTT-2222' } };
  replies['GET /work/cases/C-7TTT-2222/version'] = { body: { version: 1 } };
  replies['POST /desk/cases/C-7TTT-2222/writing'] = { body: { names: [], version: 1 } };
  const history = show(path, page, ['cases.own', 'cases.desk', 'cases.work']);
  await screen.findByLabelText(label);
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  expect(hasUnsavedChanges()).toBe(true);
  await userEvent.type(screen.getByLabelText(label), 'See the file.');
  // The other question is loaded already when the user returns to the first.
  for (const next of ['C-7TTT-2222', number, 'C-7TTT-2222']) {
    history.push(path.replace('$number', next));
    await waitFor(() => expect(document.querySelector('h1')?.textContent).toContain(next));
    expect(screen.getByLabelText<HTMLTextAreaElement>(label).value).toBe('');
    expect(screen.queryByRole('button', { name: /^Remove a\.pdf/ })).toBeNull();
  }
  expect(hasUnsavedChanges()).toBe(false);
});

test('files are uploaded once, with the message', async () => {
  const uploads = vi.spyOn(uploading, 'sendFile').mockResolvedValue({ id: 5 });
  replies[`POST /work/cases/${number}/reply`] = { status: 500, body: {} };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  await userEvent.type(await screen.findByLabelText('No, I still need to know'), 'See the file.');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  for (const count of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
    await waitFor(() => expect(sent(`POST /work/cases/${number}/reply`)).toHaveLength(count));
  }
  // The repeated request has the same key, and one with another text has its own.
  const [first, again] = sent(`POST /work/cases/${number}/reply`) as { requestKey: string }[];
  expect(again).toEqual({ requestKey: first?.requestKey, body: 'See the file.', files: [5] });
  expect(uploads).toHaveBeenCalledOnce();
  expect(screen.getByLabelText<HTMLTextAreaElement>('No, I still need to know').value).toBe('See the file.');
  await userEvent.type(screen.getByLabelText('No, I still need to know'), ' Line 3?');
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  await waitFor(() => expect(sent(`POST /work/cases/${number}/reply`)).toHaveLength(3));
  const other = sent(`POST /work/cases/${number}/reply`)[2] as { requestKey: string };
  expect(other.requestKey).not.toBe(first?.requestKey);
});

test('a file that will be refused is refused when it is selected', async () => {
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  await screen.findByLabelText('No, I still need to know');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  const large = new File(['x'], 'b.pdf');
  Object.defineProperty(large, 'size', { value: 25 * 2 ** 20 + 1 });
  const user = userEvent.setup({ applyAccept: false });
  for (const [file, message] of [
    [new File(['x'], 'a.docx'), "a.docx isn't a PDF, TIFF, JPEG or PNG file. Scan it, or save it as a PDF."],
    [large, 'b.pdf is larger than 25 MB. Split it, or scan it at a lower resolution.'],
    [new File([], 'c.pdf'), 'c.pdf is empty.'],
  ] as const) {
    await user.upload(input as HTMLInputElement, file);
    expect(await screen.findByText(`Error: ${message}`)).toBeTruthy();
    expect(screen.queryByRole('button', { name: `Remove ${file.name}` })).toBeNull();
  }
  // The content of a file without an extension is checked by the server.
  await user.upload(input as HTMLInputElement, new File(['x'], 'scan'));
  expect(await screen.findByRole('button', { name: 'Remove scan' })).toBeTruthy();
  expect(screen.queryByText(/is empty/)).toBeNull();
});

test('a rejected file says why, and can be removed', async () => {
  const message = "a.pdf can't be opened. Save it again without a password.";
  vi.spyOn(uploading, 'sendFile').mockRejectedValue(new Problem(400, 'INVALID', message));
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  await userEvent.type(await screen.findByLabelText('No, I still need to know'), 'See the file.');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  // At the field and in the toast.
  expect(await screen.findAllByText(`Error: ${message}`)).toHaveLength(2);
  expect(sent(`POST /work/cases/${number}/reply`)).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: /^Remove a\.pdf/ }));
  expect(screen.getAllByText(`Error: ${message}`)).toHaveLength(1);
});

test("the text can't change while its files are uploaded", async () => {
  let finish: (file: { id: number }) => void = () => {};
  vi.spyOn(uploading, 'sendFile').mockReturnValue(
    new Promise((resolve) => {
      finish = resolve;
    }),
  );
  replies[`POST /work/cases/${number}/reply`] = { body: open };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  const text = await screen.findByLabelText<HTMLTextAreaElement>('No, I still need to know');
  await userEvent.type(text, 'See the file.');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  expect(await screen.findByText('Uploading a.pdf…')).toBeTruthy();
  await userEvent.type(text, ' And this.');
  expect(text.value).toBe('See the file.');
  finish({ id: 5 });
  await waitFor(() => expect(sent(`POST /work/cases/${number}/reply`)).toHaveLength(1));
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Reply').readOnly).toBe(false));
});

test('loads a changed question with the next poll if the first attempt failed', async () => {
  replies[`GET /work/cases/${number}`] = { body: open };
  replies[`GET /work/cases/${number}/version`] = { body: { version: 1 } };
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    show('/work/cases/$number', QuestionPage, ['cases.own']);
    expect(await screen.findByLabelText('Reply')).toBeTruthy();
    replies[`GET /work/cases/${number}`] = { status: 429, body: { message: 'Wait.' } };
    replies[`GET /work/cases/${number}/version`] = { body: { version: 2 } };
    await vi.advanceTimersByTimeAsync(20_000);
    replies[`GET /work/cases/${number}`] = { body: { ...answered, version: 2 } };
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await screen.findByRole('region', { name: 'Answer' })).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test("a question that the user doesn't see anymore disappears, and isn't checked again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    show('/work/cases/$number', QuestionPage, ['cases.own']);
    expect(await screen.findByText('Why this price?')).toBeTruthy();
    for (const path of ['', '/version'] as const)
      replies[`GET /work/cases/${number}${path}`] = { status: 404, body: { message: 'Not yours.' } };
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await screen.findByText('Error: Not yours.')).toBeTruthy();
    expect(screen.queryByText('Why this price?')).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent(`GET /work/cases/${number}/version`)).toHaveLength(2);
    expect(sent(`GET /work/cases/${number}`)).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('staff who only read have no buttons', async () => {
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk']);
  expect(await screen.findByText('Why this price?')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send answer' })).toBeNull();
});

test('lists what staff have to answer, with legal days only if there are any', async () => {
  const legal = () => screen.queryByRole('columnheader', { name: 'Law requires by' });
  show('/desk/cases', DeskQuestionsPage, ['cases.desk']);
  expect(await screen.findByRole('link', { name: number })).toBeTruthy();
  expect(legal()).toBeNull();
  replies['GET /desk/cases'] = { body: { cases: [complaint], next: '' } };
  await userEvent.click(screen.getByRole('button', { name: 'Legal deadlines' }));
  await waitFor(() => expect(legal()).toBeTruthy());
});

test.each([
  ['2020-11-27T15:42:00Z', "We promised an answer by 11/27/2020, 10:42 AM ET. It's late."],
  ['2999-11-27T15:42:00Z', "You'll have an answer by 11/27/2999, 10:42 AM ET."],
])('an answer due by %s: %s', async (dueAt, text) => {
  replies[`GET /work/cases/${number}`] = { body: { ...open, dueAt } };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  expect(await screen.findByText(text)).toBeTruthy();
});

test('the page of a logged call describes the call', async () => {
  replies[`GET /work/cases/${number}`] = { body: { ...open, kind: 'CALL', state: 'CLOSED', dueAt: null } };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  expect(await screen.findByText('Network staff logged a call from your office.')).toBeTruthy();
});

test('a question can be a complaint, with categories instead of a topic', async () => {
  replies['POST /work/cases'] = { body: complaint };
  show('/work/cases/new', AskPage, ['cases.own']);
  await userEvent.click(await screen.findByLabelText('This is a complaint'));
  const send = screen.getByRole('button', { name: 'Send complaint' });
  await userEvent.type(screen.getByLabelText(/^State/), 'texas');
  await userEvent.click(send);
  for (const problem of ['Select a category', 'Enter a 2-letter state code', 'Enter your complaint'])
    expect(await screen.findByText(`Error: ${problem}`)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Quality of care or services'));
  await userEvent.clear(screen.getByLabelText(/^State/));
  await userEvent.type(screen.getByLabelText(/^State/), 'tx');
  await userEvent.click(screen.getByLabelText('Fee disputes'));
  await userEvent.click(screen.getByLabelText('Bill payment'));
  await userEvent.click(screen.getByLabelText('Fee disputes'));
  await userEvent.type(screen.getByRole('textbox', { name: /^Complaint/ }), 'Nobody called back.');
  await userEvent.click(send);
  expect(await screen.findByText(receipt)).toBeTruthy();
  expect(sent('POST /work/cases')).toMatchObject([
    { topic: 'OTHER', complaint: { categories: ['PAYMENT'], lawState: 'TX' } },
  ]);
});

test("a question's fields can't change while it's sent", async () => {
  replies['GET /ftin/userFtins/prad.demo'] = { body: [{ ftin: '111111111' }] };
  replies['POST /work/cases'] = neverReplies;
  show('/work/cases/new', AskPage, ['cases.own']);
  const topic = await screen.findByLabelText<HTMLSelectElement>(/^Topic/);
  await userEvent.selectOptions(topic, 'PRICE');
  await userEvent.type(screen.getByLabelText(/^Question/), 'Why this price?');
  await userEvent.click(screen.getByRole('button', { name: 'Send question' }));
  await userEvent.selectOptions(topic, 'OTHER');
  await userEvent.selectOptions(screen.getByLabelText(/^Tax ID/), '111111111');
  await userEvent.click(screen.getByLabelText('This is a complaint'));
  expect(topic.value).toBe('PRICE');
  expect(screen.getByLabelText<HTMLSelectElement>(/^Tax ID/).value).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>('This is a complaint').checked).toBe(false);
});

test('promises a date only if a rule sets one', async () => {
  replies[`GET /work/cases/${number}`] = { body: complaint };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  const card = within(await screen.findByRole('region', { name: 'Complaint' }));
  expect(screen.getAllByText(receipt)).not.toHaveLength(0);
  expect(card.getByText('12/02/2026')).toBeTruthy();
  expect(card.getByRole('button', { name: 'Acknowledgment (PDF)' })).toBeTruthy();
  expect(card.queryByRole('button', { name: 'Mark as mailed' })).toBeNull();
});

test('without a rule, a complaint has no date', async () => {
  const details = { ...complaint.complaint, ackDue: null, resolveDue: null, citation: '' };
  replies[`GET /work/cases/${number}`] = { body: { ...complaint, legalDue: null, complaint: details } };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  expect(
    await screen.findByText('We received your complaint on 11/25/2026 and will send a written resolution.'),
  ).toBeTruthy();
});

test('staff resolve a complaint with an outcome, and mark its letters as mailed', async () => {
  replies[`GET /desk/cases/${number}`] = { body: complaint };
  replies[`POST /desk/cases/${number}/answer`] = { body: { ...complaint, state: 'ANSWERED' } };
  replies[`POST /desk/cases/${number}/letters/8/mailed`] = { body: complaint };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  await userEvent.type(await screen.findByLabelText('Resolution'), 'Paid now.');
  await userEvent.click(screen.getByRole('button', { name: 'Send resolution' }));
  expect(screen.getByText('Error: Select an outcome')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText(/^Outcome/), 'Partly upheld');
  await userEvent.click(screen.getByRole('button', { name: 'Send resolution' }));
  expect(await screen.findByText('Resolution sent')).toBeTruthy();
  expect(hasUnsavedChanges()).toBe(false);
  expect(sent(`POST /desk/cases/${number}/answer`)).toEqual([
    { requestKey: expect.any(String), version: 1, body: 'Paid now.', files: [], outcome: 'PARTLY' },
  ]);
  const day = screen.getByLabelText('Mailed on, Acknowledgment');
  await userEvent.clear(day);
  await userEvent.type(day, '2026-11-27');
  await userEvent.click(screen.getByRole('button', { name: 'Mark as mailed' }));
  expect(await screen.findByText('Letter marked as mailed')).toBeTruthy();
  expect(sent(`POST /desk/cases/${number}/letters/8/mailed`)).toEqual([
    { version: 1, mailedOn: '2026-11-27' },
  ]);
});

test.each([
  ['OPEN', 2],
  ['WITHDRAWN', 0],
] as const)('a complaint that is %s has %s late days', async (state, late) => {
  const due = { ackDue: '2020-12-02', resolveDue: '2020-12-25' };
  replies[`GET /work/cases/${number}`] = {
    body: { ...complaint, state, complaint: { ...complaint.complaint, ...due } },
  };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  await screen.findByText('Resolve by');
  expect(screen.queryAllByText('Late')).toHaveLength(late);
});

test('a selected outcome is unsaved', async () => {
  replies[`GET /desk/cases/${number}`] = { body: complaint };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  await userEvent.selectOptions(await screen.findByLabelText(/^Outcome/), 'Partly upheld');
  expect(hasUnsavedChanges()).toBe(true);
  replies[`POST /desk/cases/${number}/ask`] = { body: { ...complaint, state: 'WAITING', dueAt: null } };
  await userEvent.type(screen.getByLabelText('Resolution'), 'Which line?');
  await userEvent.click(screen.getByRole('button', { name: 'Ask the office instead' }));
  expect(await screen.findByText('The office was asked')).toBeTruthy();
  expect(hasUnsavedChanges()).toBe(false);
});

test('a letter that the office opened need not be mailed, also after the complaint is open again', async () => {
  replies[`GET /desk/cases/${number}`] = {
    body: {
      ...complaint,
      complaint: { ...complaint.complaint, ackOn: '2026-11-26', resolveOn: '2026-11-26' },
    },
  };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  expect(await screen.findByText('First resolved')).toBeTruthy();
  expect(screen.queryByText('Resolved')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Mark as mailed' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Record mailing of Acknowledgment' }));
  expect(screen.getByRole('button', { name: 'Mark as mailed' })).toBeTruthy();
});

test('staff record a complaint by phone, with the errors at their fields', async () => {
  replies['POST /desk/cases'] = {
    status: 400,
    body: {
      code: 'INVALID',
      message: 'No.',
      fields: [{ path: 'bills', code: 'INVALID', message: 'Enter bills' }],
    },
  };
  show('/desk/cases/new', RecordComplaintPage, ['cases.work']);
  const save = await screen.findByRole('button', { name: 'Record complaint' });
  await userEvent.click(save);
  for (const problem of [
    'Select how it came',
    'Enter a username, or the name of someone without an account',
    'Select a category',
    'Enter the complaint',
  ])
    expect(await screen.findByText(`Error: ${problem}`)).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText(/^Channel/), 'Phone');
  await userEvent.type(screen.getByLabelText(/^Username/), 'prad.demo');
  await userEvent.type(screen.getByLabelText(/^Tax ID/), '11-1111111');
  await userEvent.type(screen.getByLabelText(/^Bill numbers/), '7000001190, AB 123; C,');
  await userEvent.click(screen.getByLabelText('Miscellaneous'));
  await userEvent.type(screen.getByRole('textbox', { name: /^Complaint/ }), 'Nobody called back.');
  await userEvent.click(save);
  expect(await screen.findAllByText('Error: Enter bills')).not.toHaveLength(0);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Bill numbers/)));
  replies['POST /desk/cases'] = { body: complaint };
  await userEvent.click(save);
  expect(await screen.findByText('At /desk/cases/$number')).toBeTruthy();
  expect(sent('POST /desk/cases')[1]).toMatchObject({
    userName: 'prad.demo',
    ftin: '111111111',
    bills: ['7000001190', 'AB 123', 'C'],
    origin: 'PHONE',
    categories: ['OTHER'],
  });
});

test("a complaint's text can't change while it's recorded", async () => {
  replies['POST /desk/cases'] = neverReplies;
  show('/desk/cases/new', RecordComplaintPage, ['cases.work']);
  await userEvent.selectOptions(await screen.findByLabelText(/^Channel/), 'Phone');
  await userEvent.type(screen.getByLabelText(/^Username/), 'prad.demo');
  await userEvent.click(screen.getByLabelText('Miscellaneous'));
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Complaint/ });
  await userEvent.type(text, 'Sent.');
  await userEvent.click(screen.getByRole('button', { name: 'Record complaint' }));
  await userEvent.type(text, ' Not sent.');
  expect(text.value).toBe('Sent.');
});

test('asks for the state of a complaint about bills, too', async () => {
  show('/desk/cases/new', RecordComplaintPage, ['cases.work']);
  await userEvent.type(await screen.findByLabelText(/^State/), 'texas');
  await userEvent.type(screen.getByLabelText(/^Bill numbers/), '7000001190');
  await userEvent.click(screen.getByRole('button', { name: 'Record complaint' }));
  expect(await screen.findByText('Error: Enter a 2-letter state code')).toBeTruthy();
  const state = screen.getByLabelText<HTMLInputElement>(/^State/);
  expect(state.value).toBe('TEXAS');
  expect(screen.getByText(/A state named by a bill's file takes precedence/)).toBeTruthy();
});

test('staff export the log of complaints', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:log');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(); // otherwise the page navigates
  replies['GET /desk/cases/log'] = { body: 'Number' };
  show('/desk/cases', DeskQuestionsPage, ['cases.desk', 'cases.work', 'cases.lead']);
  await userEvent.click(await screen.findByRole('button', { name: 'Complaint log' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.filter(({ call }) => call.startsWith('GET /desk/cases/log'))).toHaveLength(1);
});

test('shows answer times by person and topic', async () => {
  show('/desk/cases/times', TimesPage, ['cases.lead']);
  const staff = within(await screen.findByRole('table', { name: 'Staff' }));
  const row = staff.getByRole('row', { name: /Kim Reyes/ });
  expect(row.textContent).toMatch(/10.*5\.0 h.*30\.3 h.*6.*2.*3/);
  expect(staff.getByRole('row', { name: /Unassigned/ }).textContent).toMatch(/4.*1.*0/);
  expect(within(screen.getByRole('table', { name: 'Topics' })).getByText("Network's price")).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Calls' }).textContent).toBe(
    'Calls3New bills1,600Calls per 1,000 new bills1.9',
  );
  const from = screen.getByLabelText('From');
  await userEvent.clear(from);
  await userEvent.type(from, '01/01/2025');
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect((await screen.findAllByText('Error: Use a range of 366 days or fewer')).length).toBeGreaterThan(0);
  await userEvent.clear(from);
  await userEvent.type(from, 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect((await screen.findAllByText('Error: Enter a date as MM/DD/YYYY')).length).toBeGreaterThan(0);
  expect(calls.filter(({ call }) => call === 'GET /desk/cases/times')).toHaveLength(1);
});

test('shows who else is replying, and that the question changed', async () => {
  replies[`POST /desk/cases/${number}/writing`] = { body: { names: ['Kim Reyes', 'Ann Poe'], version: 2 } };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  expect(await screen.findByText('Kim Reyes and Ann Poe are replying.')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Answer'), 'S');
  await waitFor(() => expect(sent(`POST /desk/cases/${number}/writing`)).toContainEqual({ writes: true }));
  replies[`GET /desk/cases/${number}`] = {
    body: { ...open, version: 2, entries: [...open.entries, entry(2, 'MESSAGE', 'Line 3?')] },
  };
  await userEvent.click(screen.getByRole('button', { name: 'Show the change' }));
  expect(await screen.findByText('Line 3?')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show the change' })).toBeNull();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Answer').value).toBe('S');
});

test('inserts a saved reply below the text, but not while it is sent', async () => {
  replies[`POST /desk/cases/${number}/answer`] = neverReplies;
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  const text = await screen.findByLabelText<HTMLTextAreaElement>('Answer');
  await userEvent.type(text, 'Hello.');
  await userEvent.selectOptions(await screen.findByLabelText('Saved reply'), 'By contract');
  expect(text.value).toBe('Hello.\n\nBy contract.');
  await userEvent.type(text, '{Control>}{Enter}{/Control}');
  expect(screen.getByLabelText<HTMLSelectElement>('Saved reply').disabled).toBe(true);
});

test('leads add, change and delete saved replies', async () => {
  replies['POST /desk/replies'] = { body: saved };
  replies['DELETE /desk/replies/3'] = { status: 204 };
  show('/desk/cases', DeskQuestionsPage, ['cases.desk', 'cases.work', 'cases.lead']);
  await userEvent.click(await screen.findByRole('button', { name: 'Saved replies' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Add reply' }));
  await userEvent.type(await screen.findByLabelText(/^Title/), 'Fees');
  await userEvent.type(screen.getByLabelText(/^Text/), 'See the fee schedule.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit By contract' }));
  await userEvent.type(await screen.findByLabelText(/^Text/), ' See line 2.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent('POST /desk/replies')).toEqual([
      { id: 0, title: 'Fees', body: 'See the fee schedule.', version: 0 },
      { ...saved, body: 'By contract. See line 2.' },
    ]),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete By contract' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Reply deleted')).toBeTruthy();
});

test('a saved reply that someone else changed can be saved over theirs', async () => {
  const field = { path: 'body', code: 'CHANGED', message: '', value: 'Theirs.' };
  replies['POST /desk/replies'] = { status: 409, body: { code: 'STALE', version: '3', fields: [field] } };
  show('/desk/cases', DeskQuestionsPage, ['cases.desk', 'cases.work', 'cases.lead']);
  await userEvent.click(await screen.findByRole('button', { name: 'Saved replies' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit By contract' }));
  await userEvent.type(await screen.findByLabelText(/^Text/), ' See line 2.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Theirs\./)).toBeTruthy();
  replies['POST /desk/replies'] = { body: saved };
  await userEvent.click(screen.getByRole('button', { name: 'Apply mine' }));
  await waitFor(() => expect(sent('POST /desk/replies')).toHaveLength(2));
  expect(sent('POST /desk/replies')[1]).toEqual({ ...saved, body: 'By contract. See line 2.', version: 3 });
});

test('staff promise to call an office back', async () => {
  replies[`GET /desk/cases/${number}`] = { body: { ...open, kind: 'CALL', state: 'CLOSED', dueAt: null } };
  replies[`POST /desk/cases/${number}/open`] = { body: { ...open, version: 2 } };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  await userEvent.click(await screen.findByRole('button', { name: 'Promise callback' }));
  await userEvent.selectOptions(await screen.findByLabelText('Call back within'), '1 business hour');
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Promise callback' }));
  expect(await screen.findByText('Callback promised')).toBeTruthy();
  expect(sent(`POST /desk/cases/${number}/open`)).toEqual([{ version: 1, callbackHours: 1 }]);
});

test.each([
  ['/work/cases/new', AskPage, 'POST /work/cases', 'Send question', 'question'],
  ['/desk/cases/new', RecordComplaintPage, 'POST /desk/cases', 'Record complaint', 'complaint'],
  ['/work/cases/$number', QuestionPage, `POST /work/cases/${number}/reply`, 'Send reply', 'reply'],
] as const)(
  'at %s, a text whose response was lost has the same key after a reload',
  async (path, page, call, send, stored) => {
    replies['POST /authenticate'] = { body: { username: 'x', token: 'token-1' } };
    replies['GET /session'] = { body: makeSession() };
    replies['PUT /session/form-key'] = { body: { key: btoa('k'.repeat(32)) } };
    replies[call] = { status: 502 };
    fakeServer(replies);
    await signIn({ username: 'x', password: 'x' });
    const history = show(path, page, ['cases.own', 'cases.work']);
    const button = await screen.findByRole('button', { name: send });
    if (page === AskPage) await userEvent.selectOptions(screen.getByLabelText(/^Topic/), 'PRICE');
    if (page === RecordComplaintPage) {
      await userEvent.selectOptions(screen.getByLabelText(/^Channel/), 'Phone');
      await userEvent.type(screen.getByLabelText(/^Username/), 'prad.demo');
      await userEvent.click(screen.getByLabelText('Miscellaneous'));
    }
    await userEvent.type(screen.getByRole('textbox', { name: /^(Question|Complaint|No, I)/ }), 'Line 3?');
    await waitFor(() => expect(history.location.state.typed?.[stored]).toBeTruthy());
    const unsent = history.location.state.typed?.[stored];
    await userEvent.click(button);
    await waitFor(() => expect(history.location.state.typed?.[stored]).not.toBe(unsent));
    const [lost] = sent(call);
    cleanup();
    show(path, page, ['cases.own', 'cases.work'], history);
    expect(await screen.findByDisplayValue('Line 3?')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: send }));
    await waitFor(() => expect(sent(call)).toEqual([lost]));
  },
);

/** Fills in all but the text of the form for a question or a complaint. Returns its first field. */
async function choose(page: typeof AskPage | typeof RecordComplaintPage) {
  const choice = screen.getByLabelText(page === AskPage ? /^Topic/ : /^Channel/);
  await userEvent.selectOptions(choice, page === AskPage ? 'PRICE' : 'Phone');
  if (page === RecordComplaintPage) {
    await userEvent.type(screen.getByLabelText(/^Username/), 'prad.demo');
    await userEvent.click(screen.getByLabelText('Miscellaneous'));
  }
  return choice;
}

test.each([
  ['/work/cases/new', AskPage, 'POST /work/cases', 'Send question'],
  ['/desk/cases/new', RecordComplaintPage, 'POST /desk/cases', 'Record complaint'],
] as const)(
  'at %s, a text that was stored before it changed links what was stored',
  async (path, page, call, send) => {
    const message = `This was already sent as ${number}, with other details.`;
    const fields = [{ path: 'requestKey', code: 'SENT', message, value: number }];
    replies = {
      ...replies,
      ...replyTo(call, [{ status: 502 }, { status: 409, body: { code: 'CONFLICT', message, fields } }]),
    };
    show(path, page, ['cases.own', 'cases.work']);
    const button = await screen.findByRole('button', { name: send });
    await choose(page);
    const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^(Question|Complaint)/ });
    await userEvent.type(text, 'Line 3?');
    await userEvent.click(button);
    await waitFor(() => expect(sent(call)).toHaveLength(1));
    await waitFor(() => expect(text.readOnly).toBe(false));
    await userEvent.type(text, ' Line 4?');
    await userEvent.click(button);
    expect((await screen.findByRole('link', { name: number })).getAttribute('href')).toContain(number);
    const [lost, changed] = sent(call) as { requestKey: string }[];
    expect(changed?.requestKey).toBe(lost?.requestKey);
    await userEvent.click(screen.getByRole('button', { name: /as a new (question|complaint)$/ }));
    await waitFor(() => expect(sent(call)).toHaveLength(3));
    const { requestKey, ...rest } = (sent(call) as { requestKey: string }[])[2] ?? { requestKey: '' };
    expect(requestKey).toBeTruthy();
    expect(requestKey).not.toBe(lost?.requestKey);
    expect({ ...rest, requestKey: lost?.requestKey }).toEqual(changed);
  },
);

test.each([
  ['/work/cases/new', AskPage, 'POST /work/cases', 'Send question'],
  ['/desk/cases/new', RecordComplaintPage, 'POST /desk/cases', 'Record complaint'],
] as const)('at %s, a text after an emptied one is another', async (path, page, call, send) => {
  replies = { ...replies, ...replyTo(call, [{ status: 502 }, { status: 502 }]) };
  show(path, page, ['cases.own', 'cases.work']);
  const button = await screen.findByRole('button', { name: send });
  const choice = await choose(page);
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^(Question|Complaint)/ });
  await userEvent.type(text, 'Line 3?');
  await userEvent.click(button);
  await waitFor(() => expect(sent(call)).toHaveLength(1));
  await waitFor(() => expect(text.readOnly).toBe(false));
  await userEvent.clear(text);
  if (page === AskPage) {
    await userEvent.selectOptions(choice, '');
    expect(hasUnsavedChanges()).toBe(false);
    await userEvent.selectOptions(choice, 'PRICE');
  }
  await userEvent.type(text, 'Why?');
  await userEvent.click(button);
  await waitFor(() => expect(sent(call)).toHaveLength(2));
  const [first, other] = sent(call) as { requestKey: string }[];
  expect(other?.requestKey).not.toBe(first?.requestKey);
});

test('a file is uploaded again for a new question', async () => {
  const fields = [{ path: 'requestKey', code: 'SENT', message: 'Already sent', value: number }];
  const refusal = { status: 409, body: { code: 'CONFLICT', message: 'Already sent', fields } };
  replies = { ...replies, ...replyTo('POST /work/cases', [{ status: 502 }, refusal]) };
  vi.spyOn(uploading, 'sendFile').mockResolvedValueOnce({ id: 5 }).mockResolvedValueOnce({ id: 6 });
  show('/work/cases/new', AskPage, ['cases.own']);
  await userEvent.selectOptions(await screen.findByLabelText(/^Topic/), 'PRICE');
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Question/ });
  await userEvent.type(text, 'Line 3?');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send question' }));
  await waitFor(() => expect(sent('POST /work/cases')).toHaveLength(1));
  await waitFor(() => expect(text.readOnly).toBe(false));
  await userEvent.type(text, ' Line 4?');
  await userEvent.click(screen.getByRole('button', { name: 'Send question' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send as a new question' }));
  await waitFor(() => expect(sent('POST /work/cases')).toHaveLength(3));
  const files = sent('POST /work/cases').map((body) => (body as { files: number[] }).files);
  expect(files).toEqual([[5], [5], [6]]);
});

test.each(['changed', 'replaced'])('a file is uploaded again for a %s reply', async (how) => {
  const call = `POST /work/cases/${number}/reply` as const;
  replies[call] = { status: 500, body: {} };
  vi.spyOn(uploading, 'sendFile').mockResolvedValueOnce({ id: 5 }).mockResolvedValueOnce({ id: 6 });
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  const text = await screen.findByLabelText<HTMLTextAreaElement>('No, I still need to know');
  await userEvent.type(text, 'See the file.');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  await waitFor(() => expect(sent(call)).toHaveLength(1));
  await waitFor(() => expect(text.readOnly).toBe(false));
  if (how === 'replaced') await userEvent.clear(text);
  await userEvent.type(text, 'Line 3?');
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  await waitFor(() => expect(sent(call)).toHaveLength(2));
  expect(sent(call)).toMatchObject([{ files: [5] }, { files: [6] }]);
});

const asked: CaseThread = {
  ...open,
  state: 'WAITING',
  dueAt: null,
  version: 2,
  entries: [...open.entries, entry(2, 'ASK', 'Which line?')],
};

test.each([
  ['Ask the office instead', 'ask', asked],
  ['Send answer', 'answer', answered],
] as const)(
  '%s: a text that is stored is not shown as unsent if its response was lost',
  async (button, path, stored) => {
    const call = `POST /desk/cases/${number}/${path}` as const;
    replies[call] = (body) => {
      const { requestKey } = body as { requestKey: string };
      const entries = stored.entries.map((each) => (each.id === 2 ? { ...each, requestKey } : each));
      replies[`GET /desk/cases/${number}`] = { body: { ...stored, entries } };
      return unreachable();
    };
    show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
    await userEvent.type(await screen.findByLabelText('Answer'), 'Which line?');
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    vi.spyOn(uploading, 'sendFile').mockResolvedValue({ id: 5 });
    await userEvent.upload(input as HTMLInputElement, new File(['x'], 'a.pdf', { type: 'application/pdf' }));
    await userEvent.click(screen.getByRole('button', { name: button }));
    expect(
      await screen.findByText(stored.state === 'WAITING' ? 'Waiting for the office' : 'Answered'),
    ).toBeTruthy();
    const keys = sent(call).map((body) => (body as { requestKey: string }).requestKey);
    expect(keys).toEqual([keys[0], keys[0]]);
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    expect(screen.queryByRole('region', { name: 'Your unsent answer' })).toBeNull();
    for (const field of screen.getAllByRole<HTMLTextAreaElement>('textbox')) expect(field.value).toBe('');
    expect(screen.queryByRole('button', { name: /^Remove a\.pdf/ })).toBeNull();
  },
);

test.each([
  ['Ask the office instead', 'ask', ''],
  ['Add internal note', 'note', 'PARTLY'],
] as const)(
  '%s: if its response was lost, the outcome is the same as after one',
  async (button, path, left) => {
    const call = `POST /desk/cases/${number}/${path}` as const;
    replies[`GET /desk/cases/${number}`] = { body: complaint };
    replies[call] = (body) => {
      const { requestKey } = body as { requestKey: string };
      const entries = [...complaint.entries, { ...entry(2, 'NOTE', 'Which line?'), requestKey }];
      replies[`GET /desk/cases/${number}`] = { body: { ...complaint, version: 2, entries } };
      return unreachable();
    };
    show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
    const outcome = await screen.findByLabelText<HTMLSelectElement>(/^Outcome/);
    await userEvent.selectOptions(outcome, 'Partly upheld');
    await userEvent.type(screen.getByLabelText('Resolution'), 'Which line?');
    await userEvent.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Resolution').value).toBe(''));
    expect(outcome.value).toBe(left);
  },
);

test('a reply whose response was lost is sent again, and counts once', async () => {
  const stored = { body: { ...answered, state: 'OPEN', version: 3 } } as const;
  let isLost = true;
  replies[`POST /work/cases/${number}/reply`] = () => {
    const lost = isLost;
    isLost = false;
    return lost ? unreachable() : stored;
  };
  show('/work/cases/$number', QuestionPage, ['cases.own']);
  await userEvent.type(await screen.findByLabelText('No, I still need to know'), 'Line 3?');
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Reply')).value).toBe('');
  const [first, again] = sent(`POST /work/cases/${number}/reply`);
  expect(again).toEqual(first);
});
