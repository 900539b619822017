import { zodResolver } from '@hookform/resolvers/zod';
import { createLink } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { isPasswordExternal } from '@/api/config';
import { useSession } from '@/api/session';
import { addRetryTime, toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { cx } from '@/ui/cx';
import { FormBanner } from '@/ui/form/FormBanner';
import { PasswordField } from '@/ui/form/fields';
import styles from './ChangePasswordScreen.module.css';
import { NewPasswordFields } from './NewPasswordFields';
import {
  checkNewPassword,
  doesNotMeet,
  getBannerTitle,
  newPasswordShape,
  type RefusedPassword,
} from './passwordRules';
import { useChangePassword } from './queries';

const ButtonToRoute = createLink(LinkButton);

const schema = z
  .object({
    currentPassword: z.string().check(z.trim(), z.minLength(1, 'Error: Enter Current Password')),
    ...newPasswordShape,
  })
  .check(checkNewPassword('Error: Enter Confirm Password'));
type Passwords = z.output<typeof schema>;

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

const notSuccessful = 'Error: The password change was not successful.';

/** Hints for server errors that no rule on the screen covers. */
const reasons: Record<string, string> = {
  COMMON_PASSWORD: 'Not easy to guess',
  SAME_PASSWORD: 'Different from your current password',
};

export default function ChangePasswordScreen() {
  return isPasswordExternal() ? <Elsewhere /> : <ChangePassword />;
}

const Elsewhere = () => (
  <div className="page">
    <header>
      <h1>Change Password</h1>
    </header>
    <Banner kind="info">You sign in with another provider. Change your password there.</Banner>
    <div className="button-row">
      <ButtonToRoute to={paths.userProfile}>Back to User Profile</ButtonToRoute>
    </div>
  </div>
);

function ChangePassword() {
  const { user, mirroredUser } = useSession();
  const { mutateAsync: change } = useChangePassword();
  const form = useForm<Passwords>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: empty,
  });
  const { control, formState, handleSubmit, reset, setError } = form;
  const [changed, setChanged] = useState(false);
  const [refused, setRefused] = useState<RefusedPassword | null>(null);

  const fail = (message: string) => setError('root.server', { type: 'server', message });

  async function submit({ currentPassword, newPassword }: Passwords) {
    setChanged(false);
    try {
      const outcome = await change({ username: user.userNm, password: currentPassword, newPassword });
      if (outcome === 'success') {
        reset(empty);
        setRefused(null);
        setChanged(true);
      } else if (outcome.includes('incorrect_password')) {
        setError('currentPassword', { type: 'server', message: 'Error: Current Password is incorrect' });
      } else {
        if (outcome.includes('INVALID_PW')) {
          const code = /[A-Z_]+$/.exec(outcome)?.[0];
          setRefused({ password: newPassword, code, message: reasons[code ?? ''] });
          setError('newPassword', { type: 'server', message: doesNotMeet });
        }
        fail(notSuccessful);
      }
    } catch (error) {
      fail(addRetryTime(notSuccessful, toProblem(error)));
    }
  }

  return (
    <div className="page">
      <header>
        <h1>Change Password</h1>
        {!mirroredUser && (
          <p className="page-lead">You'll stay signed in here and be signed out everywhere else.</p>
        )}
      </header>
      {mirroredUser && <Banner kind="info">You can't change passwords while mirroring.</Banner>}
      <form
        className={cx('card', styles.card)}
        noValidate
        onSubmit={handleSubmit(submit)}
        onChange={() => setChanged(false)}
      >
        <div className={styles.form}>
          {changed && (
            <Banner kind="success" focusOn="changed">
              Your password has been changed successfully.
            </Banner>
          )}
          <UnsavedChangesGuard form={form} />
          <FormBanner form={form} title={getBannerTitle(formState.errors.newPassword)} />
          <fieldset disabled={Boolean(mirroredUser)}>
            {/* Links the password to its username for password managers. */}
            <input type="text" name="username" value={user.userNm} autoComplete="username" readOnly hidden />
            <PasswordField control={control} name="currentPassword" label="Current Password" required />
            <NewPasswordFields control={control} confirmLabel="Confirm Password" refused={refused} />
          </fieldset>
          <div className="button-row">
            <Button
              type="submit"
              variant="primary"
              disabled={Boolean(mirroredUser)}
              busy={formState.isSubmitting}
            >
              SAVE
            </Button>
            <ButtonToRoute to={paths.userProfile}>Back to User Profile</ButtonToRoute>
          </div>
        </div>
      </form>
    </div>
  );
}
