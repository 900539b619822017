import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { getConfig } from '@/api/config';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatDate, today } from '@/ui/dates';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { formatTooLong, line } from '@/ui/form/kinds';
import { Failed, Loading } from '@/ui/PageState';
import { download } from '@/ui/window';
import { getReason } from './getReason';
import { NoPasskey } from './passkeys';
import { useAddApp, useAddPasskey, useNewApp } from './queries';
import styles from './security.module.css';

interface Props {
  /** Called with the new recovery codes to show, if any. */
  onAdded: (codes: readonly string[]) => void;
  onClose: () => void;
}

const kinds = { name: line(60), code: line(20) };
const nameSchema = z.string().check(
  z.trim(),
  z.refine((name) => [...name].length <= kinds.name.maxChars, formatTooLong(kinds.name)),
);

const formatFailure = (error: unknown) =>
  toProblem(error).fields.map(({ path, message }) => ({ path, message: `Error: ${message}` }));

/** Adds a passkey from the user's device. */
export function AddPasskeyDialog({ onAdded, onClose }: Props) {
  const { mutateAsync: add } = useAddPasskey();
  const form = useForm({
    resolver: zodResolver(z.object({ name: nameSchema })),
    shouldFocusError: false,
    defaultValues: { name: '' },
  });
  const busy = form.formState.isSubmitting;
  const submit = form.handleSubmit(async ({ name }) => {
    try {
      onAdded(await add(name));
    } catch (error) {
      const message = error instanceof NoPasskey ? error.message : getReason(error);
      showServerProblems(form, message, formatFailure(error));
    }
  });
  return (
    <Dialog
      open
      title="Add a passkey"
      onClose={busy ? undefined : onClose}
      keepOnClickOutside
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form="add-passkey" busy={busy}>
            Continue
          </Button>
        </>
      }
    >
      <form id="add-passkey" className={styles.form} noValidate onSubmit={submit}>
        <FormBanner form={form} />
        <p>Your device will ask for your fingerprint, face, PIN or security key, then save the passkey.</p>
        <TextField
          control={form.control}
          name="name"
          label="Name"
          kind={kinds.name}
          hint="Example: Work laptop"
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}

/** Shows the authenticator setup, and adds the app after a valid code. */
export function AddAppDialog({ onAdded, onClose }: Props) {
  const newApp = useNewApp();
  const { mutateAsync: add } = useAddApp();
  const form = useForm({
    resolver: zodResolver(
      z.object({
        name: nameSchema,
        code: z
          .string()
          .check(z.trim(), z.regex(/^\d{3} ?\d{3}$/, 'Error: Enter the 6-digit code from the app')),
      }),
    ),
    shouldFocusError: false,
    defaultValues: { name: '', code: '' },
  });
  const { setFocus } = form;
  const shown = newApp.isSuccess;
  // The dialog opens before it has a field to focus.
  useEffect(() => {
    if (shown) setFocus('code');
  }, [shown, setFocus]);
  const busy = form.formState.isSubmitting;
  const submit = form.handleSubmit(async ({ name, code }) => {
    if (!newApp.data) return;
    try {
      onAdded(await add({ name, code, state: newApp.data.state }));
    } catch (error) {
      showServerProblems(form, getReason(error), formatFailure(error));
    }
  });
  return (
    <Dialog
      open
      title="Add an authenticator app"
      size="medium"
      onClose={busy ? undefined : onClose}
      keepOnClickOutside
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form="add-app" busy={busy} disabled={!newApp.data}>
            Add
          </Button>
        </>
      }
    >
      {newApp.isPending ? (
        <Loading />
      ) : newApp.isError ? (
        <Failed onRetry={() => void newApp.refetch()} />
      ) : (
        <form id="add-app" className={styles.form} noValidate onSubmit={submit}>
          <FormBanner
            form={form}
            title='An error has occurred. Please address all fields marked with "Error".'
          />
          <p>Scan this code with your authenticator app, or enter the setup key.</p>
          <div className={styles.app}>
            <img src={newApp.data.picture} width="200" height="200" alt="Setup QR code" />
            <div className={styles.form}>
              <p className={styles.key}>
                Setup key <code>{newApp.data.secret}</code>
              </p>
              <TextField
                control={form.control}
                name="code"
                label="Code from your app"
                kind={kinds.code}
                inputMode="numeric"
                autoComplete="one-time-code"
                required
              />
              <TextField
                control={form.control}
                name="name"
                label="Name"
                kind={kinds.name}
                hint="Example: Phone"
                autoComplete="off"
              />
            </div>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** Shows new recovery codes once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const title = `${getConfig().brandName} recovery codes, ${formatDate(today())}`;
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Dialog
      open
      title="Your recovery codes"
      actions={
        <>
          <Button onClick={() => void copy()}>Copy</Button>
          <Button onClick={() => window.print()}>Print</Button>
          <Button
            onClick={() =>
              download(new Blob([`${[title, ...codes].join('\r\n')}\r\n`]), 'Recovery codes.txt')
            }
          >
            Download
          </Button>
          <Button variant="primary" onClick={onClose}>
            I've saved my codes
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>
          Print these codes or save them in a password manager. Each works once in place of your passkey or
          app. You won't see them again.
        </p>
        <div className={styles.paper}>
          <p className={styles.title}>{title}</p>
          <ul className={styles.codes}>
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </div>
        {copied === true && <Banner kind="success">Codes copied</Banner>}
        {copied === false && (
          <Banner kind="error">Couldn't copy the codes. Select them and copy them yourself.</Banner>
        )}
      </div>
    </Dialog>
  );
}
