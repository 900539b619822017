import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { api, type Problem, unwrap } from '@/api/client';
import { toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { cx } from '@/ui/cx';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { SelectField, TextField } from '@/ui/form/fields';
import { AccountCard } from './AccountCard';
import styles from './account.module.css';
import type { MailedLink } from './link';
import { OpenLink } from './OpenLink';
import { ProviderFields, useProviderForm } from './ProviderFields';
import { RequestFailure } from './RequestFailure';
import {
  affiliations,
  emptyRegistration,
  kinds,
  providerSchema,
  type Registration,
  registrationSchema,
} from './registration';
import { TextWithLink } from './TextWithLink';
import { useLink } from './useLink';

/** Second step of an account request, which the emailed link opens. */
export function RegistrationScreen() {
  const link = useLink();
  return <RegistrationSteps key={link.token} link={link} />;
}

type State = 'INVALID_LINK' | 'LINK_EXPIRED' | 'FORM_ACTIVE';

function getState({ token, expire }: MailedLink): State {
  if (token === '') return 'INVALID_LINK';
  return expire !== null && Number(expire) < Date.now() ? 'LINK_EXPIRED' : 'FORM_ACTIVE';
}

function RegistrationSteps({ link }: { link: MailedLink }) {
  // Checked once. A form that users are filling in doesn't disappear when the link expires.
  const [atFirst] = useState(() => getState(link));
  const [state, setState] = useState(atFirst);
  switch (state) {
    case 'INVALID_LINK':
      return <Restart text={invalid} />;
    case 'LINK_EXPIRED':
      return <Restart text={expired} focus={state !== atFirst} />;
    case 'FORM_ACTIVE':
      return (
        <OpenLink
          purpose="REQUEST"
          token={link.token}
          title="Registration"
          ended={(over) => <Restart text={over ? expired : invalid} />}
        >
          <RegistrationForm token={link.token} onExpired={() => setState('LINK_EXPIRED')} />
        </OpenLink>
      );
  }
}

const invalid = 'Invalid activation link. Please restart registration.';
const expired = 'Your activation link has expired, please restart registration.';

function Restart({ text, focus = false }: { text: string; focus?: boolean }) {
  return (
    <AccountCard title="Registration">
      <Banner kind="error" focusOn={focus ? 'ended' : undefined}>
        <p>
          <TextWithLink text={text} link="restart registration" to={paths.emailRegistration} />
        </p>
      </Banner>
    </AccountCard>
  );
}

function RegistrationForm({ token, onExpired }: { token: string; onExpired: () => void }) {
  const [failure, setFailure] = useState<Problem | null>(null);
  const navigate = useNavigate();
  const form = useForm<Registration>({
    resolver: zodResolver(registrationSchema),
    shouldFocusError: false,
    defaultValues: emptyRegistration,
  });
  const { control, formState } = form;
  const provider = useProviderForm();
  const affiliation = useWatch({ control, name: 'affiliation' });
  const { isSubmitting, submitCount } = formState;

  const clearFailure = () => setFailure(null);
  const submit = form.handleSubmit(async (values) => {
    clearFailure();
    try {
      const otherAffiliation = values.affiliation === 'OTHER' ? values.otherAffiliation : '';
      const body = { ...values, otherAffiliation, token };
      await unwrap(api.POST('/public/registration/completeRequestAccount', { body }));
      await navigate({ to: paths.registrationComplete, replace: true });
    } catch (error) {
      const problem = toProblem(error);
      const { message, fields } = problem;
      if (message.startsWith('EXPIRED_TOKEN')) onExpired();
      else if (message.startsWith('INVALID_TOKEN'))
        form.setError('authenticationCode', {
          type: 'server',
          message: 'This authentication code has already been used or is invalid.',
        });
      else if (fields.length > 0) showServerProblems(form, message, fields);
      else setFailure(problem);
    }
  }, clearFailure);

  // Includes a provider that was filled in without clicking Add.
  const addTyped = () => {
    const { ftin, providerName } = provider.getValues();
    if (form.getValues('providerList').length > 0 || !(ftin.trim() || providerName.trim())) return;
    const { success, data } = providerSchema.safeParse({ ftin, providerName });
    if (!success) return void provider.trigger();
    form.setValue('providerList', [data], { shouldDirty: true });
    provider.reset();
  };

  return (
    <AccountCard
      wide
      title="Registration"
      lead="Tell us about yourself and the provider you work for. Your authentication code is in the email we sent you."
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          addTyped();
          void submit(event);
        }}
      >
        {failure && <RequestFailure problem={failure} attempt={submitCount} />}
        <UnsavedChangesGuard form={form} />
        <FormBanner form={form} title="Check these fields:" />
        <div className="field-grid">
          <TextField
            control={control}
            name="authenticationCode"
            label="Authentication Code"
            hint="XXXXX-XXXXX-XXXXX-XXXXX"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            kind={kinds.authenticationCode}
            required
          />
          <SelectField
            control={control}
            name="affiliation"
            label="Affiliation"
            placeholder="Select One"
            options={affiliations}
            onChanged={() => form.clearErrors('otherAffiliation')}
            required
          />
          {affiliation === 'OTHER' && (
            <TextField
              control={control}
              name="otherAffiliation"
              label="Other Affiliation"
              kind={kinds.otherAffiliation}
              required
            />
          )}
          <TextField
            control={control}
            name="firstName"
            label="First Name"
            autoComplete="given-name"
            kind={kinds.name}
            required
          />
          <TextField
            control={control}
            name="lastName"
            label="Last Name"
            autoComplete="family-name"
            kind={kinds.name}
            required
          />
          <TextField
            control={control}
            name="middleInitial"
            label="Middle Initial"
            autoComplete="additional-name"
            kind={kinds.middleInitial}
          />
          <TextField
            control={control}
            name="phoneNumber"
            label="Phone Number"
            hint="10 digits, such as (212) 555-0100"
            type="tel"
            autoComplete="tel-national"
            kind={kinds.phoneNumber}
            required
          />
          <TextField
            control={control}
            name="jobTitle"
            label="Job Title"
            autoComplete="organization-title"
            kind={kinds.jobTitle}
            required
          />
          <TextField
            control={control}
            name="companyName"
            label="Company Name"
            autoComplete="organization"
            kind={kinds.company}
            required
          />
          <TextField
            control={control}
            name="companyUrl"
            label="Company URL"
            inputMode="url"
            autoComplete="url"
            autoCapitalize="none"
            spellCheck={false}
            kind={kinds.company}
          />
        </div>
        <ProviderFields control={control} form={provider} />
        <div className={cx('button-row', styles.actions)}>
          <Button type="submit" variant="primary" busy={isSubmitting} disabled={isSubmitting}>
            Done
          </Button>
          <Button onClick={() => void navigate({ to: paths.login })}>Cancel</Button>
        </div>
      </form>
    </AccountCard>
  );
}
