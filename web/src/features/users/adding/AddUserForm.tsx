import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import * as paths from '@/shared/paths';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import { FieldGroup, FormMessages } from '@/ui/form/FormGroup';
import { addressAllFields, isRoster, type NewUser, savedText } from './newUser';
import { TypeField } from './PersonFields';
import { ProviderLookupDialog } from './ProviderLookupDialog';
import type { FormContext, UserPayload } from './payload';
import { changeAssignment, type Requested } from './place';
import type { UserType } from './queries';
import { SharedTinsDialog } from './SharedTinsDialog';
import { UserFields } from './UserFields';
import { useNewUserForm } from './useNewUserForm';
import { type SubmitAction, useSubmitUser } from './useSubmitUser';

interface Props {
  types: readonly UserType[];
  start: NewUser;
  /** The draft or request being continued, and the roster sources selected so far. */
  context: FormContext;
  onSaved: (draft: UserRow, typed: UserPayload) => void;
  /** The form was reset, so it no longer continues anything. */
  onReset: () => void;
  requested?: Requested;
}

/** All fields for a user of one account type, on one page. */
export function AddUserForm({ types, start, context, onSaved, onReset, requested }: Props) {
  const { mirroredUser } = useSession();
  const newUserForm = useNewUserForm(start, context, requested);
  const { form, draft, ownGroup, setGroup, dropSources, presetGroup, clear } = newUserForm;
  const submits = useSubmitUser(newUserForm, onSaved);
  const { createUser, completeUser, selectSources, isSaved, setIsSaved, shared } = submits;
  const { control, formState, setValue } = form;
  const [typeCd, groupAssignment, userFtins] = useWatch({
    control,
    name: ['typeCd', 'groupAssignment', 'userFtins'],
  });
  const [lookingUp, setLookingUp] = useState(false);

  const roster = isRoster({ typeCd });
  const completes = typeCd === 'ROUS' || (typeCd === 'ROAD' && groupAssignment === 'existing' && !draft);
  // Enter in a field does the same as the button for this type.
  const submit = completes ? completeUser : roster ? selectSources : createUser;
  return (
    <>
      <form className="card" noValidate onSubmit={submit} onChange={() => setIsSaved(false)}>
        <FormMessages>
          {isSaved && (
            <Banner kind="success" focusOn="saved">
              {savedText}
            </Banner>
          )}
          <UnsavedChangesGuard form={form} storageName={`user ${context.id ?? context.request ?? ''}`} />
          <FormBanner form={form} title={addressAllFields} />
        </FormMessages>
        <fieldset disabled={Boolean(mirroredUser)}>
          <FieldGroup title="Account">
            <TypeField control={control} types={types} onChanged={presetGroup} />
          </FieldGroup>
          {typeCd !== '' && (
            <UserFields
              form={form}
              draft={draft}
              ownGroup={ownGroup}
              requested={requested}
              onAssignment={(chosen) => setGroup(changeAssignment(typeCd, chosen, requested))}
              onGroup={dropSources}
              onLookUp={() => setLookingUp(true)}
            />
          )}
        </fieldset>
        <Buttons
          {...{ roster, completes, draft }}
          running={formState.isSubmitting ? submits.action : null}
          initialGroup={start.grpInfoId}
          onSaveDraft={submits.saveDraft}
          onReset={() => {
            clear();
            setIsSaved(false);
            onReset();
          }}
        />
      </form>
      {shared && (
        <SharedTinsDialog
          tins={shared.tins}
          onCancel={submits.cancelSharing}
          onConfirm={() => submits.confirmSharing(shared)}
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

interface ButtonsProps {
  roster: boolean;
  /** The form creates a roster user without asking for roster sources. */
  completes: boolean;
  draft: boolean;
  running: SubmitAction | null;
  initialGroup: string;
  onSaveDraft: ReturnType<typeof useSubmitUser>['saveDraft'];
  onReset: () => void;
}

function Buttons({ roster, completes, draft, running, initialGroup, onSaveDraft, onReset }: ButtonsProps) {
  const { mirroredUser, can } = useSession();
  const navigate = useNavigate();
  const isReadOnly = Boolean(mirroredUser);
  const busy = running !== null;
  const getState = (action: SubmitAction, disabled: boolean) => ({
    busy: running === action,
    disabled: disabled || (busy && running !== action),
  });
  const cancel = () =>
    navigate({
      to: paths.manageUsers,
      state: ({ searchInfo }) => ({ groupId: Number(initialGroup) || null, searchInfo }),
    });
  return (
    <div className="button-row card-body">
      <Button
        type={roster ? 'button' : 'submit'}
        variant="primary"
        {...getState('create', isReadOnly || roster)}
      >
        CREATE USER
      </Button>
      {completes && (
        <Button type="submit" {...getState('complete', isReadOnly)}>
          COMPLETE PROFILE
        </Button>
      )}
      <Button {...getState('draft', isReadOnly || !roster || !can('users.draft'))} onClick={onSaveDraft}>
        SAVE AS DRAFT
      </Button>
      {roster && !completes && (
        <Button type="submit" {...getState('next', isReadOnly)}>
          NEXT
        </Button>
      )}
      {draft && (
        <Button disabled={busy} onClick={() => void cancel()}>
          CANCEL
        </Button>
      )}
      <Button disabled={busy || isReadOnly} onClick={onReset}>
        RESET
      </Button>
    </div>
  );
}
