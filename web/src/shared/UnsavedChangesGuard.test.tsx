import { fireEvent, screen } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { expect, test } from 'vitest';
import { decryptValue } from '@/api/formKey';
import { signIn } from '@/api/session';
import { fakeServer, makeSession } from '@/api/testing';
import { PasswordField, TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { advanceTime, fakeTime, renderScreens } from './testing';
import { UnsavedChangesGuard } from './UnsavedChangesGuard';

function Form() {
  const form = useForm({ defaultValues: { name: '', word: '' } });
  return (
    <>
      <UnsavedChangesGuard form={form} storageName="form" />
      <TextField control={form.control} name="name" label="Name" kind={line(9)} />
      <PasswordField control={form.control} name="word" label="Word" />
    </>
  );
}

test('stores the input, but no password', async () => {
  fakeServer({
    'POST /authenticate': { body: { username: 'x', token: 'token-1' } },
    'GET /session': { body: makeSession() },
    'PUT /session/form-key': { body: { key: btoa('k'.repeat(32)) } },
  });
  await signIn({ username: 'x', password: 'x' });
  fakeTime();
  const { history } = renderScreens({ '/': Form }, makeSession());
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Ada' } });
  fireEvent.change(screen.getByLabelText('Word'), { target: { value: 'Secret-1' } });
  const sealed = () => history.location.state.typed?.form;
  while (!sealed()) await advanceTime(200);
  expect(await decryptValue(sealed() ?? '')).toEqual({ name: 'Ada' });
});
