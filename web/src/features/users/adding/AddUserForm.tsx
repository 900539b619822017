import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { needsReauthentication, Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { markCreated } from '@/shared/addedUser';
import type { UserRow } from '@/shared/navigation';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner, showServerProblems } from '@/ui/form/FormBanner';
import { FieldGroup, FormMessages } from '@/ui/form/FormGroup';
import {
  addressAllFields,
  created,
  genericError,
  isRoster,
  type NewUser,
  noUser,
  savedText,
  tinRefusal,
} from './newUser';
import { TypeField } from './PersonFields';
import { ProviderLookupDialog } from './ProviderLookupDialog';
import { type FormContext, toPayload, type UserPayload } from './payload';
import { getPlace, type Place, type Requested, reassign } from './place';
import { type UserType, useSaveUser } from './queries';
import { getHeldTins, type HeldTin, SharedTinsDialog } from './SharedTinsDialog';
import { draftSchema, newUserSchema } from './schema';
import { UserFields } from './UserFields';

interface Props {
  types: readonly UserType[];
  start: NewUser;
  /** The draft or request being continued, and the roster sources selected so far. */
  around: FormContext;
  /** A draft was just saved. */
  justSaved: boolean;
  onSaved: (draft: UserRow, typed: UserPayload) => void;
  /** The form was reset, so it no longer continues anything. */
  onReset: () => void;
  requested?: Requested;
}

type Work = 'create' | 'complete' | 'draft' | 'next';

/** All fields for a user of one account type, on one page. */
export function AddUserForm({ types, start, around: given, justSaved, onSaved, onReset, requested }: Props) {
  const { user: acting, mirroredUser, can } = useSession();
  const router = useRouter();
  const navigate = useNavigate();
  const draft = given.id !== undefined;
  // A draft can be saved while incomplete.
  const keeping = useRef(false);
  const form = useForm<NewUser>({
    resolver: (...asked) =>
      zodResolver(keeping.current ? draftSchema(start) : newUserSchema({ draft, stored: start }))(...asked),
    shouldFocusError: false,
    defaultValues: start,
  });
  const { control, formState, handleSubmit, reset, setValue, getValues, clearErrors } = form;
  const [typeCd, groupAssignment, userFtins] = useWatch({
    control,
    name: ['typeCd', 'groupAssignment', 'userFtins'],
  });
  const [sources, setSources] = useState(given.sources);
  const [work, setWork] = useState<Work>('create');
  const [announced, setAnnounced] = useState(justSaved);
  const [lookingUp, setLookingUp] = useState(false);
  const { create, saveDraft } = useSaveUser();
  // Other groups' Tax IDs, and the step to continue after the user confirms that the new group
  // shares them.
  const [shared, setShared] = useState<{ held: readonly HeldTin[]; proceed: () => unknown } | null>(null);
  const confirmed = useRef<readonly string[]>([]);

  const around = { ...given, sources };
  const roster = isRoster({ typeCd });
  // A group administrator adds users to their own group.
  const ownGroup = acting.typeCd === 'PRAD' ? acting.grpInfoId : null;

  function chooseType() {
    clearErrors();
    setPlace(getPlace(getValues('typeCd'), ownGroup, requested));
  }

  function setPlace(place: Place) {
    for (const [name, value] of Object.entries(place)) setValue(name as keyof Place, value);
    // Otherwise the existing group would silently get the sources selected for a new group.
    setSources([]);
  }

  const submit = (kind: Work, call: (user: NewUser) => Promise<unknown>) =>
    handleSubmit(async (user) => {
      keeping.current = false;
      setWork(kind);
      setAnnounced(false);
      try {
        await call(user);
      } catch (error) {
        const held = getHeldTins(error);
        if (held) setShared({ held, proceed: submit(kind, call) });
        else showServerError(form, error);
      }
    });
  const toList = (row: UserRow) => {
    markCreated(router.history.location.state, row);
    return navigate({
      to: '/ManageUsers',
      replace: true,
      state: ({ searchInfo }) => ({
        message: created,
        groupId: row.grpInfoId,
        createdId: row.id,
        searchInfo,
      }),
    });
  };
  const cancel = () =>
    navigate({
      to: '/ManageUsers',
      state: ({ searchInfo }) => ({ groupId: Number(start.grpInfoId) || null, searchInfo }),
    });
  const payload = (user: NewUser): UserPayload => ({
    ...toPayload(user, acting, around),
    ...(confirmed.current.length > 0 && { sharedFtins: [...confirmed.current] }),
  });

  const createUser = submit('create', async (user) => toList(await create(payload(user))));
  const complete = submit('complete', async (user) => toList(await saveDraft(payload(user), false)));
  const keepDraft = submit('draft', async (user) => {
    const typed = payload(user);
    const values = getValues();
    onSaved(await saveDraft(typed, true), typed);
    // Later input isn't saved.
    reset(values, { keepValues: true });
    setAnnounced(true);
  });
  const toSources = submit('next', async (user) => {
    const {
      searchInfo,
      originalReturnPath,
      user: row,
      timestamp = Date.now(),
    } = router.history.location.state;
    const formData = payload(user);
    // Back restores all input, because the stored state may miss the latest keystrokes.
    await navigate({
      to: '.',
      replace: true,
      state: ({ typed: _, ...state }) => ({ ...state, formData, timestamp }),
    });
    await navigate({
      to: '/ManageRosterSourcesForUserGroup',
      state: {
        formData,
        mode: draft ? 'draftGroup' : 'newGroup',
        groupInfo: formData.groupInfo,
        ...(row && { user: row }),
        returnPath: '/AddUser',
        originalReturnPath: originalReturnPath ?? (searchInfo ? '/UserSearch' : '/ManageUsers'),
        searchInfo,
        timestamp,
      },
    });
  });

  function clear() {
    reset(noUser);
    setSources([]);
    setAnnounced(false);
    onReset();
  }

  const busy = formState.isSubmitting;
  const run = (kind: Work) => ({ busy: busy && work === kind, disabled: busy && work !== kind });
  const off = Boolean(mirroredUser);
  const completes = typeCd === 'ROUS' || (typeCd === 'ROAD' && groupAssignment === 'existing' && !draft);
  // Enter in a field does the same as the button for this type.
  const goOn = completes ? complete : roster ? toSources : createUser;
  return (
    <>
      <form className="card" noValidate onSubmit={goOn} onChange={() => setAnnounced(false)}>
        <FormMessages>
          {announced && (
            <Banner kind="success" focusOn="saved">
              {savedText}
            </Banner>
          )}
          <UnsavedChangesGuard form={form} keepAs={`user ${given.id ?? given.request ?? ''}`} />
          <FormBanner form={form} title={addressAllFields} />
        </FormMessages>
        <fieldset disabled={off}>
          <FieldGroup title="Account">
            <TypeField control={control} types={types} onChanged={chooseType} />
          </FieldGroup>
          {typeCd !== '' && (
            <UserFields
              form={form}
              draft={draft}
              ownGroup={ownGroup}
              requested={requested}
              onAssignment={(chosen) => setPlace(reassign(typeCd, chosen, requested))}
              onLookUp={() => setLookingUp(true)}
            />
          )}
        </fieldset>
        <div className="button-row card-body">
          <Button
            type={roster ? 'button' : 'submit'}
            variant="primary"
            {...blocked(run('create'), off || roster)}
          >
            CREATE USER
          </Button>
          {completes && (
            <Button type="submit" {...blocked(run('complete'), off)}>
              COMPLETE PROFILE
            </Button>
          )}
          <Button
            {...blocked(run('draft'), off || !roster || !can('users.draft'))}
            onClick={(event) => {
              keeping.current = true;
              void keepDraft(event).finally(() => {
                keeping.current = false;
              });
            }}
          >
            SAVE AS DRAFT
          </Button>
          {roster && !completes && (
            <Button type="submit" {...blocked(run('next'), off)}>
              NEXT
            </Button>
          )}
          {draft && (
            <Button disabled={busy} onClick={() => void cancel()}>
              CANCEL
            </Button>
          )}
          <Button disabled={busy || off} onClick={clear}>
            RESET
          </Button>
        </div>
      </form>
      {shared && (
        <SharedTinsDialog
          held={shared.held}
          onCancel={() => setShared(null)}
          onConfirm={() => {
            confirmed.current = [...confirmed.current, ...shared.held.map(({ ftin }) => ftin)];
            setShared(null);
            void shared.proceed();
          }}
        />
      )}
      {/* Outside the form, so that the dialog doesn't submit it. */}
      {lookingUp && (
        <ProviderLookupDialog
          added={userFtins}
          onAdd={(tin) => {
            setValue('userFtins', [...userFtins, tin]);
            setLookingUp(false);
          }}
          onClose={() => setLookingUp(false)}
        />
      )}
    </>
  );
}

const blocked = (run: { busy: boolean; disabled: boolean }, off: boolean) => ({
  ...run,
  disabled: run.disabled || off,
});

// The errors with messages that users can act on.
const statusesWithMessage = [400, 409, 429];

function showServerError(form: UseFormReturn<NewUser>, error: unknown) {
  if (!(error instanceof Problem)) return showServerProblems(form, genericError);
  const typeCd = form.getValues('typeCd');
  const refusal = tinRefusal(typeCd, error.message);
  if (refusal)
    return form.setError(typeCd === 'NNUS' && form.getValues('ftin') ? 'ftin' : 'userFtins', {
      type: 'server',
      message: refusal,
    });
  const readable =
    (statusesWithMessage.includes(error.status) || needsReauthentication(error)) &&
    error.message.includes(' ');
  showServerProblems(form, readable ? error.message : genericError, error.fields);
}
