import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { readMaxLength } from '@/ui/form/testing';
import { ProfileForm } from './ProfileForm';
import type { Details, Editor } from './profile';
import { field, listed, makeDetails, show } from './profileTesting';

async function open(account: Partial<Details>, editor: Editor) {
  const onSave = vi.fn(async () => undefined);
  show(() => <ProfileForm account={makeDetails(account)} editor={editor} onSave={onSave} />);
  await screen.findByLabelText('Username');
  return onSave;
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'SAVE' }));

it.each(['group-administrator', 'internal-administrator'] as const)(
  'shows a %s another text about the phone number',
  async (editor) => {
    await open({ phoneNum: '1' }, editor);
    await save();
    expect(await listed()).toEqual(['Error: Enter a valid Phone Number']);
  },
);

it('lets an internal administrator change the employee ID of internal staff', async () => {
  const onSave = await open(
    { typeCd: 'IRAD', internalStaffFlag: true, employeeId: 'E-1' },
    'internal-administrator',
  );
  expect(readMaxLength(field('Employee ID'))).toBe(120);
  await userEvent.clear(field('Employee ID'));
  await save();
  expect(await listed()).toEqual(['Error: Enter a valid Employee ID']);
  await userEvent.type(field(/^Employee ID/), 'E-2');
  await save();
  expect(onSave).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ employeeId: 'E-2' }));
});

it('asks a non-network user for the affiliation, whoever edits', async () => {
  await open({ typeCd: 'NNUS', affiliationCd: '' }, 'internal-administrator');
  await save();
  expect(await listed()).toEqual(['Error: Select Affiliation']);
});

it('shows that an invited user gets another link at a new address', async () => {
  await open({ statusCd: 'NEW' }, 'internal-administrator');
  await userEvent.clear(field('Email Address'));
  await userEvent.type(field('Email Address'), 'pola@example.com');
  await save();
  await screen.findByText(/We sent a new registration link to the new address\./);
});
