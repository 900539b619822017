import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { api, type Problem, unwrap } from '@/api/client';
import { addRetryTime, toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { emailKind, isEmail } from '@/shared/validation';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { boundedText } from '@/ui/form/boundedText';
import { FormBanner } from '@/ui/form/FormBanner';
import { AccountCard } from './AccountCard';
import styles from './account.module.css';
import { DemoMail } from './DemoMail';
import { EmailField } from './EmailField';
import { TextWithLink } from './TextWithLink';

const schema = z.object({
  emailAddress: boundedText(emailKind).check(z.refine(isEmail, 'Error: Enter a valid Email Address')),
});

function formatRefusal(problem: Problem): string {
  switch (problem.message) {
    case 'INVALID_EMAIL':
      return 'Error: Email Address does not exist.';
    case 'USER_ACCT_NEW':
      return 'Error: Please access the link in the Registration Email to finish setting up your account or contact your Account Administrator.';
    default:
      return addRetryTime(
        'Error: An error has occured. Please try again or contact Customer Service.',
        problem,
      );
  }
}

const success =
  'A password reset link will be sent to your email address if the information entered matches our records.';

/** Requests an email with the username. */
export function ForgotUsernameScreen() {
  const [sent, setSent] = useState(false);
  const navigate = useNavigate();
  const form = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { emailAddress: '' },
  });

  const submit = form.handleSubmit(async (body) => {
    try {
      await unwrap(api.POST('/public/forgotUsername', { body }));
      setSent(true);
    } catch (error) {
      form.setError('root.server', { message: formatRefusal(toProblem(error)) });
    }
  });

  if (sent)
    return (
      <AccountCard title="Forgot Username">
        <Banner kind="success" focusOn="sent">
          <p>{success}</p>
          <p>
            <TextWithLink
              text="Check your email for your username, then sign in."
              link="sign in"
              to={paths.login}
            />
          </p>
        </Banner>
        <DemoMail />
      </AccountCard>
    );
  return (
    <AccountCard title="Forgot Username" lead="We'll send your username to your account's email address.">
      <form className={styles.form} noValidate onSubmit={submit}>
        <FormBanner form={form} />
        <EmailField control={form.control} name="emailAddress" />
        <div className="button-row">
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
            Submit
          </Button>
          <Button onClick={() => void navigate({ to: paths.login })}>Cancel</Button>
        </div>
      </form>
    </AccountCard>
  );
}
