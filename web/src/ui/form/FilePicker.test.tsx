import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { FilePicker } from './FilePicker';

function Picker({ multiple = false, disabled = false }) {
  const [files, setFiles] = useState<File[]>([]);
  return (
    <FilePicker label="Files" files={files} onChange={setFiles} multiple={multiple} disabled={disabled} />
  );
}

const file = (name: string) => new File(['x'], name, { lastModified: 1 });
const input = () => document.querySelector('input[type=file]') as HTMLInputElement;
const chosen = () => screen.queryAllByRole('listitem').map((item) => item.querySelector('span')?.textContent);

it('adds selections, never the same file twice, and removes them', async () => {
  render(<Picker multiple />);
  expect(screen.getByText('No files selected')).toBeTruthy();
  await userEvent.upload(input(), [file('a.csv')]);
  await userEvent.upload(input(), [file('b.csv'), file('a.csv')]);
  expect(chosen()).toEqual(['a.csv', 'b.csv']);
  await userEvent.click(screen.getByRole('button', { name: 'Remove a.csv' }));
  expect(chosen()).toEqual(['b.csv']);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Browse…' }));
});

it('accepts one file unless several are allowed', async () => {
  render(<Picker />);
  await userEvent.upload(input(), file('a.csv'));
  await userEvent.upload(input(), file('b.csv'));
  expect(chosen()).toEqual(['b.csv']);
});

it('accepts dropped files, but not while disabled', () => {
  const { rerender } = render(<Picker multiple />);
  const drop = () =>
    fireEvent.drop(screen.getByText('Select one or more files'), {
      dataTransfer: { files: [file('c.csv')] },
    });
  rerender(<Picker multiple disabled />);
  drop();
  expect(chosen()).toEqual([]);
  rerender(<Picker multiple />);
  drop();
  expect(chosen()).toEqual(['c.csv']);
});
