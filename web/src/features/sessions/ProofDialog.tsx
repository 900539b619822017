import { type FormEvent, useId, useState } from 'react';
import { api, unwrap } from '@/api/client';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { PasswordInput } from '@/ui/form/inputs';
import styles from './ProofDialog.module.css';

/** Asks for the signed-in user's password again. Waiting requests then continue or fail. */
export default function ProofDialog({ onDone }: { onDone: (proven: boolean) => void }) {
  const { user } = useSession();
  const formId = useId();
  const [password, setPassword] = useState('');
  const [state, setState] = useState<{ busy?: boolean; error?: string }>({});

  async function submit(event: FormEvent) {
    event.preventDefault();
    // Not a submit of the form below the dialog.
    event.stopPropagation();
    if (state.busy) return;
    if (!password) return setState({ error: 'Error: Enter Password' });
    setState({ busy: true });
    try {
      await unwrap(api.POST('/session/proof', { body: { password } }));
      onDone(true);
    } catch (error) {
      const { status, message } = toProblem(error);
      setState({
        error: status === 400 || status === 429 ? message : 'Error: An error has occurred. Please try again.',
      });
    }
  }

  return (
    <Dialog
      open
      title="Confirm your password"
      onClose={state.busy ? undefined : () => onDone(false)}
      keepOnClickOutside
      actions={
        <>
          <Button onClick={() => onDone(false)} disabled={state.busy}>
            CANCEL
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={state.busy}>
            CONTINUE
          </Button>
        </>
      }
    >
      <p>To protect your account, enter your password to make this change. We'll keep what you entered.</p>
      <form id={formId} noValidate onSubmit={submit}>
        {/* Links the password to its username for password managers. */}
        <input type="text" name="username" value={user.userNm} autoComplete="username" readOnly hidden />
        <PasswordInput
          className={styles.password}
          label="Password"
          name="password"
          value={password}
          error={state.error}
          onChange={({ target }) => setPassword(target.value)}
          required
          data-autofocus
        />
      </form>
    </Dialog>
  );
}
