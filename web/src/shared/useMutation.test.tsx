import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useMutation } from './useMutation';

/** A button that sends a value and shows the outcome. */
function Sender({ call, next }: { call: (sent: unknown) => Promise<string>; next: () => unknown }) {
  const { mutate, mutateAsync, reset, isPending, data } = useMutation({ mutationFn: call, retry: false });
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => mutate(next())}>
        Send
      </button>
      <button type="button" disabled={isPending} onClick={() => void mutateAsync(next()).catch(() => {})}>
        Send and wait
      </button>
      <button type="button" onClick={reset}>
        Begin anew
      </button>
      <output>{data}</output>
    </>
  );
}

function show(next: () => unknown = () => undefined) {
  const sent: unknown[] = [];
  const answers: ((answer: string | Error) => void)[] = [];
  const call = (body: unknown) => {
    sent.push(body);
    return new Promise<string>((resolve, reject) => {
      answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Sender call={call} next={next} />
    </QueryClientProvider>,
  );
  const press = (name: string) => screen.getByRole('button', { name }).click();
  return {
    sent,
    press,
    /** A double click with the second click before a render. */
    twice: (name: string) =>
      act(() => {
        press(name);
        press(name);
      }),
    answer: (n: number, answer: string | Error) => act(async () => answers[n]?.(answer)),
  };
}

test.each(['Send', 'Send and wait'])(
  'two clicks on %s in one task send one request, and a later one another',
  async (name) => {
    const { sent, twice, answer } = show(() => ({ ids: [1, 2], reason: 'No' }));
    twice(name);
    await expect.poll(() => sent).toEqual([{ ids: [1, 2], reason: 'No' }]);
    await answer(0, 'first');
    await screen.findByText('first');
    twice(name);
    await expect.poll(() => sent).toHaveLength(2);
    await answer(1, 'second');
    await screen.findByText('second');
    expect(sent).toHaveLength(2);
  },
);

test('after a failure the same request is sent again', async () => {
  const { sent, twice, answer } = show();
  twice('Send');
  await expect.poll(() => sent).toHaveLength(1);
  await answer(0, new Error('lost'));
  twice('Send');
  await expect.poll(() => sent).toHaveLength(2);
});

test('different requests run in parallel, and files differ by identity', async () => {
  const files = [new File(['a'], 'one.csv'), new File(['a'], 'one.csv')];
  let n = 0;
  const { sent, twice } = show(() => ({ file: files[n++] }));
  twice('Send');
  await expect.poll(() => sent).toEqual([{ file: files[0] }, { file: files[1] }]);
});

test('an unmounted screen blocks nothing', async () => {
  const { sent, press } = show();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  act(() => {
    press('Begin anew');
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Send' }));
  await expect.poll(() => sent).toHaveLength(2);
});
