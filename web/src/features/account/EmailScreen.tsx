import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import { api, type Problem, unwrap } from '@/api/client';
import { getConfig } from '@/api/config';
import { toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { emailKind, isEmail } from '@/shared/validation';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { boundedText } from '@/ui/form/boundedText';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { CheckboxField } from '@/ui/form/fields';
import { AccountCard } from './AccountCard';
import styles from './account.module.css';
import { DemoMail } from './DemoMail';
import { EmailField } from './EmailField';
import { isInternal } from './email';
import { RequestFailure } from './RequestFailure';

const schema = z.object({
  emailAddress: boundedText(emailKind).check(z.refine(isEmail, 'A valid Email Address is required.')),
  terms: z.boolean(),
});
type Values = z.infer<typeof schema>;

const internalUser =
  'You appear to be an internal user. Internal users cannot request an account here. Contact your System Administrator.';
const complete =
  'Thank you. An email with instructions will arrive shortly. If it does not arrive within one business day, please contact support.';

/** First step of an account request. It asks for the email address that gets the link to the form. */
export function EmailScreen() {
  const [state, setState] = useState<'FORM_ACTIVE' | 'INTERNAL_USER' | 'COMPLETE'>('FORM_ACTIVE');
  const [failure, setFailure] = useState<Problem | null>(null);
  const navigate = useNavigate();
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { emailAddress: '', terms: false },
  });
  const { control, formState } = form;
  const agreed = useWatch({ control, name: 'terms' });
  const toLogin = () => void navigate({ to: paths.login });

  const clearFailure = () => setFailure(null);
  const submit = form.handleSubmit(async ({ emailAddress }) => {
    clearFailure();
    if (isInternal(emailAddress)) return setState('INTERNAL_USER');
    try {
      await unwrap(api.POST('/public/registration/startRequestAccount', { body: { emailAddress } }));
      setState('COMPLETE');
    } catch (error) {
      const problem = toProblem(error);
      if (problem.message === 'INTERNAL_USER') setState('INTERNAL_USER');
      else if (problem.fields.length > 0) showServerProblems(form, problem.message, problem.fields);
      else setFailure(problem);
    }
  }, clearFailure);

  if (state === 'INTERNAL_USER')
    return (
      <AccountCard title="Request an Account">
        <Banner kind="warning" focusOn={state}>
          {internalUser}
        </Banner>
        <div className="button-row">
          <Button onClick={toLogin}>Go to sign in</Button>
        </div>
      </AccountCard>
    );
  if (state === 'COMPLETE')
    return (
      <AccountCard title="Request an Account">
        <Banner kind="success" focusOn={state}>
          {complete}
        </Banner>
        <div className="button-row">
          <Button onClick={toLogin}>Go to sign in</Button>
        </div>
        <DemoMail />
      </AccountCard>
    );
  return (
    <AccountCard
      title="Request an Account"
      lead="Start with your email address. We'll send you a link to the rest of the form."
    >
      <form className={styles.form} noValidate onSubmit={submit}>
        {failure && <RequestFailure problem={failure} attempt={formState.submitCount} />}
        <FormBanner form={form} />
        <EmailField control={control} name="emailAddress" />
        <Terms control={control} />
        <div className="button-row">
          <Button type="submit" variant="primary" busy={formState.isSubmitting} disabled={!agreed}>
            Submit
          </Button>
          <Button onClick={toLogin}>Cancel</Button>
        </div>
      </form>
    </AccountCard>
  );
}

function Terms({ control }: Pick<ReturnType<typeof useForm<Values>>, 'control'>) {
  const { termsUrl, privacyUrl } = getConfig();
  const privacy = privacyUrl && (
    <>
      How we handle your information: <External to={privacyUrl}>Privacy Policy</External>
    </>
  );
  return (
    <CheckboxField
      control={control}
      name="terms"
      label={
        <>
          I agree to the <External to={termsUrl}>Terms and Conditions</External>
        </>
      }
      hint={privacy}
      required
    />
  );
}

function External({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
