import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useState } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { Problem } from '@/api/client';
import { Conflict } from '@/shared/Conflict';
import { useConflict } from '@/shared/editConflict';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { personKinds as kinds } from '@/shared/validation';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { FieldGroup, FormMessages } from '@/ui/form/FormGroup';
import { SelectField, TextField } from '@/ui/form/fields';
import { TextInput } from '@/ui/form/inputs';
import { formatPhone } from '@/ui/format';
import { PendingEmail } from './PendingEmail';
import { addressAllFields } from './passwordRules';
import {
  affiliations,
  canEditEmployeeId,
  type Details,
  type Editor,
  invalidEmployeeId,
  needsAffiliation,
  needsEmailConfirmation,
  needsWorkInfo,
  type Profile,
  type ProfileUpdate,
  type ProfileValues,
  profileSchema,
  toProfile,
  toUpdate,
  toValues,
} from './profile';

export const genericError = 'Error: An error has occurred. Please try again or contact Customer Service.';

interface Props {
  account: Details;
  editor: Editor;
  /** Everything is visible, but can't be saved. */
  readOnly?: boolean;
  /** Returns the stored account afterwards, if it can be loaded. */
  onSave: (update: ProfileUpdate) => Promise<Details | undefined>;
  /** Shown next to SAVE. */
  children?: ReactNode;
}

const formatName = ({ userFirstName, userLastName }: Profile) => `${userFirstName} ${userLastName}`;

/** An account's details, for its owner or an administrator. */
export function ProfileForm({ account, editor, readOnly = false, onSave, children }: Props) {
  const form = useForm<ProfileValues>({
    resolver: zodResolver(profileSchema(account, editor)),
    shouldFocusError: false,
    defaultValues: toValues(account),
  });
  const conflict = useConflict(form, account.version, (name, value) =>
    name === 'phoneNum' ? formatPhone(value) : value,
  );
  const { control, clearErrors, formState, handleSubmit, reset } = form;
  const affiliation = useWatch({ control, name: 'affiliationCd' });
  const [notice, setNotice] = useState('');
  const [newEmail, setNewEmail] = useState(account.newEmailAddr);

  async function save(profile: ProfileValues) {
    setNotice('');
    const update = toUpdate(account, profile);
    try {
      const stored = await onSave(update);
      const before = String(formState.defaultValues?.emailAddr);
      const waits = needsEmailConfirmation({ ...account, emailAddr: before }, update);
      const isInvited =
        editor !== 'owner' &&
        account.statusCd === 'NEW' &&
        update.emailAddr.toLowerCase() !== before.toLowerCase();
      if (waits) setNewEmail(update.emailAddr);
      else if (stored) setNewEmail(stored.newEmailAddr);
      const now = toProfile(waits ? { ...update, emailAddr: before } : update);
      // If another user has saved since, the next save must fail.
      const isOurs = stored && isEqual(toProfile(stored), now);
      reset({ ...now, version: (isOurs ? stored.version : profile.version) ?? '' });
      const aboutEmail = waits
        ? ' We sent a confirmation link to the new address. It takes effect after you confirm it.'
        : isInvited
          ? ' We sent a new registration link to the new address. The earlier link no longer works.'
          : '';
      const updated =
        editor === 'owner'
          ? 'Your profile was successfully updated.'
          : `The profile of ${formatName(now)} was successfully updated.`;
      setNotice(updated + aboutEmail);
    } catch (error) {
      if (!conflict.showConflict(error)) showServerError(form, error);
    }
  }

  // Its link may have been opened since the page loaded.
  const isConfirmed = newEmail?.toLowerCase() === String(formState.defaultValues?.emailAddr).toLowerCase();
  const field = { control, readOnly };
  const needed = { ...field, required: !readOnly };
  // A browser should autofill only its own user's data.
  const fill = (token: string) => (editor === 'owner' ? token : 'off');
  const editsId = canEditEmployeeId(account, editor);
  return (
    <form className="card" noValidate onSubmit={handleSubmit(save)} onChange={() => setNotice('')}>
      <FormMessages>
        {notice && (
          <Banner kind="success" focusOn={notice}>
            {notice}
          </Banner>
        )}
        <UnsavedChangesGuard form={form} storageName={`profile ${account.userNm}`} />
        {conflict.differences && (
          <Conflict
            differences={conflict.differences}
            busy={formState.isSubmitting}
            onTheirs={conflict.useTheirs}
            onMine={() => {
              conflict.applyMine();
              void handleSubmit(save)();
            }}
          />
        )}
        <FormBanner form={form} title={formState.errors.root ? undefined : addressAllFields} />
      </FormMessages>
      <FieldGroup title="Account">
        <TextInput label="Username" value={account.userNm} autoComplete={fill('username')} readOnly />
        {account.internalStaffFlag && (
          <TextField
            control={control}
            name="employeeId"
            label="Employee ID"
            kind={kinds.employeeId}
            readOnly={readOnly || !editsId}
            required={editsId}
          />
        )}
      </FieldGroup>
      <FieldGroup title="Name">
        <TextField
          {...needed}
          name="userFirstName"
          label="First Name"
          kind={kinds.userFirstName}
          autoComplete={fill('given-name')}
        />
        <TextField
          {...field}
          name="userMidName"
          label="Middle Initial"
          kind={kinds.userMidName}
          autoComplete={fill('additional-name')}
        />
        <TextField
          {...needed}
          name="userLastName"
          label="Last Name"
          kind={kinds.userLastName}
          autoComplete={fill('family-name')}
        />
      </FieldGroup>
      <FieldGroup title="Contact">
        <TextField
          {...needed}
          name="phoneNum"
          label="Phone Number"
          type="tel"
          kind={kinds.phoneNum}
          autoComplete={fill('tel')}
        />
        <TextField
          {...needed}
          name="emailAddr"
          label="Email Address"
          type="email"
          kind={kinds.emailAddr}
          hint={
            newEmail &&
            !isConfirmed && (
              <PendingEmail
                {...{ userName: account.userNm, newEmail, readOnly }}
                onCanceled={() => {
                  setNewEmail(undefined);
                  setNotice('The email address change was canceled.');
                }}
              />
            )
          }
          autoComplete={fill('email')}
        />
      </FieldGroup>
      {needsWorkInfo(account) && (
        <FieldGroup title="Work">
          {needsAffiliation(account) &&
            (readOnly ? (
              // A disabled select is hard to read.
              <TextInput
                label="Affiliation"
                value={affiliations.find(({ value }) => value === affiliation)?.label ?? ''}
                readOnly
              />
            ) : (
              <SelectField
                control={control}
                name="affiliationCd"
                label="Affiliation"
                placeholder="Select One"
                options={affiliations}
                onChanged={() => clearErrors('affiliationDesc')}
                required
              />
            ))}
          {needsAffiliation(account) && affiliation === 'OTHER' && (
            <TextField
              {...needed}
              name="affiliationDesc"
              label="Other Description"
              kind={kinds.affiliationDesc}
            />
          )}
          <TextField
            {...needed}
            name="jobTitle"
            label="Job Title"
            kind={kinds.jobTitle}
            autoComplete={fill('organization-title')}
          />
          <TextField
            {...needed}
            name="companyNm"
            label="Company Name"
            kind={kinds.companyNm}
            autoComplete={fill('organization')}
          />
          <TextField
            {...field}
            name="companyUrl"
            label="Company URL"
            kind={kinds.companyUrl}
            autoComplete={fill('url')}
          />
        </FieldGroup>
      )}
      <div className="button-row card-body">
        <Button type="submit" variant="primary" disabled={readOnly} busy={formState.isSubmitting}>
          SAVE
        </Button>
        {children}
      </div>
    </form>
  );
}

const isEqual = (one: Profile, other: Profile) =>
  (Object.keys(one) as (keyof Profile)[]).every((name) => one[name] === other[name]);

function showServerError(form: UseFormReturn<ProfileValues>, error: unknown) {
  if (!(error instanceof Problem) || error.code === '' || error.status === 0)
    return showServerProblems(form, genericError);
  if (error.code === 'INVALID_ENLYTE_EMPLOYEE_ID') {
    form.setError('employeeId', { type: 'server', message: invalidEmployeeId });
    return showServerProblems(form, genericError);
  }
  showServerProblems(form, `Error: ${error.message}`, error.fields);
}
