import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { FormBanner } from '@/ui/form/FormBanner';
import { RadioGroup, TextField } from '@/ui/form/fields';
import { normaliseText } from '@/ui/text';
import styles from './ProfileDialog.module.css';
import { affiliations } from './profile';
import { useSaveBackfill } from './queries';

const text = (longest: number) => z.string().check(z.overwrite(normaliseText), z.maxLength(longest));
const needed = (longest: number, message: string) => text(longest).check(z.minLength(1, message));

const schema = z
  .object({
    jobTitle: needed(128, 'Enter a job title.'),
    companyNm: needed(128, 'Enter a company name.'),
    companyUrl: text(128),
    affiliationCd: z.string().check(z.minLength(1, 'Select an account type.')),
    affiliationDesc: text(80),
  })
  .check(
    z.refine(({ affiliationCd, affiliationDesc }) => affiliationCd !== 'OTHER' || affiliationDesc !== '', {
      path: ['affiliationDesc'],
      error: 'Enter account type description.',
    }),
  );
type Backfill = z.output<typeof schema>;

/** How long a failure is shown before the dialog gives way; it comes again with the next page. */
const failureShownFor = 3_000;

export default function ProfileDialogForm({ onClose }: { onClose: () => void }) {
  const { user } = useSession();
  const { mutateAsync: save } = useSaveBackfill();
  const { jobTitle, companyNm, companyUrl, affiliationCd, affiliationDesc } = user;
  const form = useForm<Backfill>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { jobTitle, companyNm, companyUrl, affiliationCd, affiliationDesc },
  });
  const { control, clearErrors, formState, handleSubmit, setError } = form;
  const other = useWatch({ control, name: 'affiliationCd' }) === 'OTHER';
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (!failed) return;
    const closing = setTimeout(onClose, failureShownFor);
    return () => clearTimeout(closing);
  }, [failed, onClose]);

  async function submit(profile: Backfill) {
    try {
      await save({
        userNm: user.userNm,
        ...profile,
        companyUrl: profile.companyUrl || null,
        affiliationDesc: other ? profile.affiliationDesc : '',
      });
      onClose();
    } catch {
      setError('root.server', { type: 'server', message: 'There was an error submitting your information.' });
      setFailed(true);
    }
  }

  return (
    <Dialog open title="User Profile Information" size="medium">
      <form className={styles.form} noValidate onSubmit={handleSubmit(submit)}>
        <p>Please complete your profile to go on.</p>
        <FormBanner form={form} title="Please fix all errors." />
        <TextField
          control={control}
          name="jobTitle"
          label="Job Title"
          maxLength={128}
          autoComplete="organization-title"
          data-autofocus
          required
        />
        <TextField
          control={control}
          name="companyNm"
          label="Company Name"
          maxLength={128}
          autoComplete="organization"
          required
        />
        <TextField
          control={control}
          name="companyUrl"
          label="Company Website"
          maxLength={128}
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
        {other && (
          <TextField
            control={control}
            name="affiliationDesc"
            label="Description of Other"
            maxLength={80}
            required
          />
        )}
        <div className={styles.actions}>
          <Button type="submit" variant="primary" busy={formState.isSubmitting} disabled={failed}>
            SUBMIT
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
