import { zodResolver } from '@hookform/resolvers/zod';
import { createLink, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useSession } from '@/api/session';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { useHistoryState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { FieldGroup, FormMessages } from '@/ui/form/FormGroup';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { mirrorNotice } from './AddUserPage';
import styles from './adding.module.css';
import { addressAllFields, emailTaken, genericError, type NewUser, noUser } from './newUser';
import { ContactFields, NameFields, TypeField } from './PersonFields';
import { type UserType, useEmailExists, useUserTypes } from './queries';
import { personSchema } from './schema';
import { encryptWizard, useWizard, type WizardState } from './visit';

/** First step of adding a user to the administrator's own group: the person. */
export default function WizardPersonPage() {
  const { actingUser, can } = useSession();
  const types = useUserTypes(actingUser.userNm);
  const { pending, found, store } = useWizard();
  return (
    <div className="page">
      <header>
        <h1>Manage Users: Add User</h1>
        <p className="page-lead">
          Step 1 of 2: User details. Fields marked with an asterisk (*) are required.
        </p>
      </header>
      {!can('users.manage') ? (
        <NotPermitted />
      ) : actingUser.grpInfoId === null ? (
        <NoGroup />
      ) : types.isPending || pending ? (
        <Loading />
      ) : types.isError ? (
        <Failed onRetry={() => void types.refetch()} />
      ) : (
        <PersonForm types={types.data} stored={found} store={store} />
      )}
    </div>
  );
}

// Milliseconds to collect keystrokes before writing to the history.
const writeDelay = 200;

interface PersonFormProps {
  types: readonly UserType[];
  stored: WizardState | null;
  store: (wizard: WizardState) => Promise<void>;
}

function PersonForm({ types, stored, store }: PersonFormProps) {
  const { mirroredUser } = useSession();
  const navigate = useNavigate();
  const { list, searchInfo } = useHistoryState();
  const [id] = useState(() => stored?.id ?? Date.now());
  const form = useForm<NewUser>({
    resolver: zodResolver(personSchema),
    shouldFocusError: false,
    defaultValues: stored?.user ?? noUser,
  });
  const { control, formState, handleSubmit, setError } = form;
  const { mutateAsync: emailExists } = useEmailExists();

  const typed = useWatch({ control }) as NewUser;
  const leaving = useRef(false);
  const ftins = useRef(stored?.ftins ?? []);
  const write = useEffectEvent((user: NewUser) => {
    if (!leaving.current) void store({ id, user, ftins: ftins.current });
  });
  useEffect(() => {
    if (!formState.isDirty) return;
    const timer = setTimeout(() => write(typed), writeDelay);
    return () => clearTimeout(timer);
  }, [typed, formState.isDirty]);

  const next = handleSubmit(async (user) => {
    try {
      if (await emailExists(user.emailAddr))
        return setError('emailAddr', { type: 'server', message: emailTaken });
    } catch (error) {
      return showServerProblems(form, addRetryTime(genericError, toProblem(error)));
    }
    leaving.current = true;
    // Another account type needs other TINs.
    const chosen = { id, user, ftins: user.typeCd === stored?.user.typeCd ? ftins.current : [] };
    await store(chosen);
    const wizard = await encryptWizard(chosen);
    await navigate({ to: paths.wizardTins, state: { ...wizard, list, searchInfo } });
  });

  const isReadOnly = Boolean(mirroredUser);
  return (
    <>
      {isReadOnly && <Banner kind="info">{mirrorNotice}</Banner>}
      <form className="card" noValidate onSubmit={next}>
        <FormMessages>
          <UnsavedChangesGuard form={form} />
          <FormBanner form={form} title={addressAllFields} />
        </FormMessages>
        <fieldset disabled={isReadOnly}>
          <FieldGroup title="Name">
            <NameFields control={control} />
          </FieldGroup>
          <FieldGroup title="Contact">
            <ContactFields control={control} />
          </FieldGroup>
          <FieldGroup title="Account">
            <TypeField control={control} types={types} />
          </FieldGroup>
        </fieldset>
        <div className="button-row card-body">
          <Button type="submit" variant="primary" busy={formState.isSubmitting} disabled={isReadOnly}>
            NEXT
          </Button>
          <Button onClick={() => void navigate({ to: paths.manageUsers, state: { list, searchInfo } })}>
            CANCEL
          </Button>
        </div>
      </form>
    </>
  );
}

const ButtonToRoute = createLink(LinkButton);

const NoGroup = () => (
  <NotPermitted>
    <p>You can only add users to your own group, and your account isn't in one.</p>
    <p className={styles.instead}>
      <ButtonToRoute to={paths.addUser}>Add User</ButtonToRoute>
    </p>
  </NotPermitted>
);
