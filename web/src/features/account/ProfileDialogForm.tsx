import { zodResolver } from '@hookform/resolvers/zod';
import { createLink } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import { useSession } from '@/api/session';
import { Conflict } from '@/shared/Conflict';
import { useConflict } from '@/shared/editConflict';
import * as paths from '@/shared/paths';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Button, LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { boundedText, normalizedText } from '@/ui/form/boundedText';
import { FormBanner } from '@/ui/form/FormBanner';
import { RadioGroup, TextField } from '@/ui/form/fields';
import { findLengthProblem, formatTooLong, line } from '@/ui/form/kinds';
import styles from './ProfileDialog.module.css';
import { affiliations } from './profile';
import { useProfile, useSaveBackfill } from './queries';

const ButtonToRoute = createLink(LinkButton);

const work = line(128);
const other = line(80);
const needed = (message: string) => boundedText(work).check(z.minLength(1, message));

const schema = z
  .object({
    jobTitle: needed('Enter a job title.'),
    companyNm: needed('Enter a company name.'),
    companyUrl: boundedText(work),
    affiliationCd: z.string().check(z.minLength(1, 'Select an account type.')),
    // Hidden unless the affiliation is Other.
    affiliationDesc: normalizedText(other),
  })
  .check(
    z.refine(({ affiliationCd, affiliationDesc }) => affiliationCd !== 'OTHER' || affiliationDesc !== '', {
      path: ['affiliationDesc'],
      error: 'Enter account type description.',
    }),
    z.refine(
      ({ affiliationCd, affiliationDesc }) =>
        affiliationCd !== 'OTHER' || !findLengthProblem(other, affiliationDesc),
      { path: ['affiliationDesc'], error: formatTooLong(other) },
    ),
  );
type Backfill = z.output<typeof schema>;

/** Milliseconds before the dialog closes after an error. It returns with the next page. */
const failureDuration = 3_000;

interface Props {
  onSaved: () => void;
  onFailed: () => void;
}

/** Starts with the stored profile, or with the session's if it can't be loaded. */
export default function ProfileDialogForm(props: Props) {
  const { user } = useSession();
  const profile = useProfile(user.userNm);
  return profile.isPending ? null : <ProfileInDialog {...props} account={profile.data ?? user} />;
}

interface Account extends Omit<Backfill, 'companyUrl'> {
  userNm: string;
  companyUrl: string | null;
  version?: string;
}

function ProfileInDialog({ account, onSaved, onFailed }: Props & { account: Account }) {
  const { mutateAsync: save } = useSaveBackfill();
  const { userNm, jobTitle, companyNm, companyUrl, affiliationCd, affiliationDesc, version } = account;
  const form = useForm<Backfill>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { jobTitle, companyNm, companyUrl: companyUrl ?? '', affiliationCd, affiliationDesc },
  });
  const conflict = useConflict<Backfill>(form, version);
  const { control, clearErrors, formState, handleSubmit, setError } = form;
  const isOther = useWatch({ control, name: 'affiliationCd' }) === 'OTHER';
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (!failed) return;
    const closing = setTimeout(onFailed, failureDuration);
    return () => clearTimeout(closing);
  }, [failed, onFailed]);

  async function submit(profile: Backfill) {
    try {
      await save({
        userNm,
        ...profile,
        companyUrl: profile.companyUrl || null,
        affiliationDesc: isOther ? profile.affiliationDesc : '',
        version: conflict.version.current,
      });
      onSaved();
    } catch (error) {
      if (conflict.showConflict(error)) return;
      setError('root.server', { type: 'server', message: 'There was an error submitting your information.' });
      setFailed(true);
    }
  }

  return (
    <Dialog open title="User Profile Information" size="medium">
      <form className={styles.form} noValidate onSubmit={handleSubmit(submit)}>
        <p>Complete your profile to continue.</p>
        <UnsavedChangesGuard form={form} storageName="backfill" />
        {conflict.differences && (
          <Conflict
            differences={conflict.differences}
            busy={formState.isSubmitting}
            onTheirs={conflict.useTheirs}
            onMine={() => {
              conflict.applyMine();
              void handleSubmit(submit)();
            }}
          />
        )}
        <FormBanner form={form} title="Please fix all errors." />
        <TextField
          control={control}
          name="jobTitle"
          label="Job Title"
          kind={work}
          autoComplete="organization-title"
          data-autofocus
          required
        />
        <TextField
          control={control}
          name="companyNm"
          label="Company Name"
          kind={work}
          autoComplete="organization"
          required
        />
        <TextField
          control={control}
          name="companyUrl"
          label="Company Website"
          kind={work}
          autoComplete="url"
          hint="Optional"
        />
        <RadioGroup
          control={control}
          name="affiliationCd"
          label="Provider Type"
          options={affiliations}
          onChanged={() => clearErrors('affiliationDesc')}
          required
        />
        {isOther && (
          <TextField
            control={control}
            name="affiliationDesc"
            label="Description of Other"
            kind={other}
            required
          />
        )}
        <div className={styles.actions}>
          <ButtonToRoute to={paths.logout}>Sign Out</ButtonToRoute>
          <Button type="submit" variant="primary" busy={formState.isSubmitting} disabled={failed}>
            SUBMIT
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
