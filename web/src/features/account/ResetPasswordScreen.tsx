import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { api, type Problem, unwrap } from '@/api/client';
import { isPasswordExternal } from '@/api/config';
import { addRetryTime, toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { emailKind, isEmail } from '@/shared/validation';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { boundedText } from '@/ui/form/boundedText';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { AccountCard } from './AccountCard';
import styles from './account.module.css';
import { DemoMail } from './DemoMail';
import { EmailField } from './EmailField';
import { addressAllFields } from './passwordRules';

const userNameKind = line(50);

const schema = z.object({
  userName: boundedText(userNameKind).check(z.minLength(1, 'Error: Enter a Username')),
  emailAddress: boundedText(emailKind).check(z.refine(isEmail, 'Error: Enter a valid Email Address')),
});

function formatRefusal(problem: Problem): string {
  switch (problem.message) {
    case 'INVALID_USERNAME_OR_EMAIL':
      return 'Error: The Username and/or Email Address you submitted does not match our records. Please check the Username and/or Email Address and try again.';
    case 'USER_ACCT_TERMINATED':
      return 'Error: The account has been terminated. Please contact your account administrator.';
    default:
      return addRetryTime('An error has occured. Please try again or contact Customer Service.', problem);
  }
}

const sent =
  'A password reset link will be sent to your email address if the information entered matches our records.';

/** Requests a password reset link. */
export function ResetPasswordScreen() {
  const [step, setStep] = useState<'EmailStep' | 'ThankYou'>('EmailStep');
  const navigate = useNavigate();
  const form = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { userName: '', emailAddress: '' },
  });
  const { control, formState } = form;
  const toHome = () => void navigate({ to: paths.home });

  const submit = form.handleSubmit(async (body) => {
    try {
      await unwrap(api.POST('/public/resetPasswordByUser/start', { body }));
      setStep('ThankYou');
    } catch (error) {
      form.setError('root.server', { message: formatRefusal(toProblem(error)) });
    }
  });

  if (step === 'ThankYou')
    return (
      <AccountCard title="Reset Password">
        <Banner kind="success" focusOn={step}>
          {sent}
        </Banner>
        <div className="button-row">
          <Button variant="primary" onClick={toHome}>
            Done
          </Button>
        </div>
        <DemoMail />
      </AccountCard>
    );
  return (
    <AccountCard
      title="Reset Password"
      lead={
        isPasswordExternal()
          ? "Reset your password with your identity provider. If your account was deactivated or reset, we'll email you a link to sign in again."
          : "We'll send a link to create a new password to your account's email address."
      }
    >
      <form className={styles.form} noValidate onSubmit={submit}>
        <FormBanner form={form} title={addressAllFields} />
        <TextField
          control={control}
          name="userName"
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          kind={userNameKind}
          required
        />
        <EmailField control={control} name="emailAddress" />
        <div className="button-row">
          <Button type="submit" variant="primary" busy={formState.isSubmitting}>
            Submit
          </Button>
          <Button onClick={toHome}>Cancel</Button>
        </div>
      </form>
    </AccountCard>
  );
}
