import { Link } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { applyServerErrors } from '@/shared/applyServerErrors';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import { CheckboxField } from '@/ui/form/fields';
import { Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import styles from './alerts.module.css';
import { Mailboxes } from './Mailboxes';
import { MailingFields } from './MailingFields';
import { type MailingValues, toFields, toMails } from './mailing';
import { useSaveSettings, useSettings } from './queries';

/** The updates emailed to the user and to the office's shared mailboxes. */
export default function EmailSettingsPage() {
  const { mirroredUser, can } = useSession();
  const settings = useSettings();
  return (
    <div className="page">
      <header>
        <h1>Email settings</h1>
        <p className="page-lead">
          Get email summaries of how many bills were paid, denied or priced. Emails never include bill
          details. To see the bills, go to{' '}
          <Link to={paths.today} activeOptions={{ exact: true }}>
            Today
          </Link>
          .
        </p>
      </header>
      {mirroredUser && <Banner kind="info">You can't change email settings while mirroring.</Banner>}
      {settings.isPending ? (
        <Loading />
      ) : settings.data ? (
        <OwnSettings settings={settings.data} readOnly={Boolean(mirroredUser)} />
      ) : (
        <Failed onRetry={() => void settings.refetch()} />
      )}
      {can('digest.group') && settings.data && (
        <Mailboxes tins={settings.data.allTins} readOnly={Boolean(mirroredUser)} />
      )}
    </div>
  );
}

interface OwnProps {
  settings: components['schemas']['AlertSettings'];
  readOnly: boolean;
}

function OwnSettings({ settings, readOnly }: OwnProps) {
  const { can } = useSession();
  const { mutateAsync: save, isPending } = useSaveSettings();
  const form = useForm<MailingValues>({
    values: { ...toFields(settings), watches: settings.watches, questions: settings.questions },
    shouldFocusError: false,
    disabled: readOnly,
  });
  const submit = form.handleSubmit(async (wanted) => {
    try {
      await save({ ...toMails(wanted), watches: wanted.watches, questions: wanted.questions });
      toast.success('Email settings saved');
    } catch (error) {
      applyServerErrors(form, error, "Error: Couldn't save your email settings. Try again.");
    }
  });
  return (
    <form className={`card ${styles.form}`} aria-label="Your emails" onSubmit={(event) => void submit(event)}>
      <h2>Your emails</h2>
      <p className={styles.small}>Sent to {settings.email}.</p>
      <FormBanner form={form} />
      <div className="field-grid">
        <MailingFields control={form.control} tins={settings.allTins} never />
        <CheckboxField
          control={form.control}
          name="watches"
          label="When a bill or claim I follow changes"
          hint="Up to 1 email per hour"
        />
        {can('cases.own') && (
          <CheckboxField
            control={form.control}
            name="questions"
            label="When the network answers my question or needs a reply"
            hint="Up to 1 email per hour"
          />
        )}
      </div>
      {!readOnly && (
        <div className="button-row">
          <Button type="submit" variant="primary" busy={isPending}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
