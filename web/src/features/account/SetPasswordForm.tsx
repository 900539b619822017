import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import type { Problem } from '@/api/client';
import { getConfig, isPasswordExternal } from '@/api/config';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import styles from './account.module.css';
import { NewPasswordFields } from './NewPasswordFields';
import {
  checkNewPassword,
  doesNotMeet,
  getBannerTitle,
  newPasswordShape,
  type RefusedPassword,
} from './passwordRules';
import { probablyWorked, useLostResponse } from './useLostResponse';

const schema = z.object(newPasswordShape).check(checkNewPassword('Error: Confirm New Password'));

interface Props {
  /** The query string for the sign-in form. */
  signInWith: string;
  send(newPassword: string): Promise<unknown>;
  /** Returns the message for errors that aren't about the password. */
  explain(problem: Problem): ReactNode;
}

/**
 * Sets an account's password by an emailed link, or only confirms the account where passwords
 * are external. Then it opens single sign-on.
 */
export function SetPasswordForm({ signInWith, send, explain }: Props) {
  const elsewhere = isPasswordExternal();
  const [refused, setRefused] = useState<RefusedPassword | null>(null);
  const [failure, setFailure] = useState<ReactNode>(null);
  const [leaving, setLeaving] = useState(false);
  const isUsed = useLostResponse();
  const form = useForm<z.infer<typeof schema>>({
    resolver: elsewhere ? undefined : zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { newPassword: '', confirmPassword: '' },
  });
  const { control, formState } = form;

  const clearFailure = () => setFailure(null);
  const submit = form.handleSubmit(async ({ newPassword: password }) => {
    clearFailure();
    try {
      await send(password);
      setLeaving(true);
      // The link is used, so Back must not return to it.
      window.location.replace(getConfig().ssoUrl + signInWith);
    } catch (error) {
      const problem = toProblem(error);
      if (!problem.message.startsWith('INVALID_PW'))
        return setFailure(
          <>
            {isUsed(problem) && <p>{probablyWorked}</p>}
            {explain(problem)}
          </>,
        );
      const { code, message } = problem.fields[0] ?? {};
      setRefused({ password, code, message });
      form.setError('newPassword', { type: 'server', message: doesNotMeet });
    }
  }, clearFailure);

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {failure && (
        <Banner kind="error" focusOn={formState.submitCount}>
          {failure}
        </Banner>
      )}
      {!elsewhere && (
        <>
          <FormBanner form={form} title={getBannerTitle(formState.errors.newPassword)} />
          <NewPasswordFields control={control} confirmLabel="Confirm New Password" refused={refused} />
        </>
      )}
      <div className="button-row">
        <Button type="submit" variant="primary" wide busy={formState.isSubmitting || leaving}>
          {elsewhere ? 'Confirm' : 'Submit'}
        </Button>
      </div>
    </form>
  );
}
