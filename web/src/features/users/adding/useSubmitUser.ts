import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { needsReauthentication, Problem } from '@/api/client';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { useHistoryState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { useOpenAfterAdding } from '@/shared/useOpenAfterAdding';
import { showServerProblems } from '@/ui/form/FormBanner';
import { created, findTinRefusal, genericError, type NewUser } from './newUser';
import { toPayload, type UserPayload } from './payload';
import { useSaveUser } from './queries';
import { getSharedTins, type SharedTin } from './SharedTinsDialog';
import type { NewUserForm } from './useNewUserForm';

type Name = keyof NewUser;

/** The fields that determine the roster sources. */
const placeFields = new Set<Name>(['typeCd', 'groupAssignment', 'grpInfoId']);

export type SubmitAction = 'create' | 'complete' | 'draft' | 'next';

/** The form's four actions. */
export function useSubmitUser(
  { form, draft, isSavingDraft, context, setSources }: NewUserForm,
  onSaved: (draft: UserRow, typed: UserPayload) => void,
) {
  const { user: acting } = useSession();
  const state = useHistoryState();
  const navigate = useNavigate();
  const openAfterAdding = useOpenAfterAdding(state);
  const { create, saveDraft } = useSaveUser();
  const [action, setAction] = useState<SubmitAction>('create');
  const [isSaved, setIsSaved] = useState(false);
  // Other groups' Tax IDs, and the step to continue after the user confirms that the new group
  // shares them.
  const [shared, setShared] = useState<{ tins: readonly SharedTin[]; proceed: () => unknown } | null>(null);
  const confirmed = useRef<readonly string[]>([]);

  const submit = (next: SubmitAction, send: (user: NewUser) => Promise<unknown>) =>
    form.handleSubmit(async (user) => {
      isSavingDraft.current = false;
      setAction(next);
      setIsSaved(false);
      try {
        await send(user);
      } catch (error) {
        const tins = getSharedTins(error);
        if (tins) setShared({ tins, proceed: submit(next, send) });
        else showServerError(form, error);
      }
    });

  const getPayload = (user: NewUser): UserPayload => ({
    ...toPayload(user, acting, context),
    ...(confirmed.current.length > 0 && { sharedFtins: [...confirmed.current] }),
  });

  const openList = (added: UserRow) =>
    openAfterAdding({ user: added, request: context.request, message: created });

  const keepDraft = submit('draft', async (user) => {
    const typed = getPayload(user);
    const values = form.getValues();
    const row = await saveDraft(typed, true);
    onSaved(row, typed);
    const later = form.getValues();
    const changed = Object.keys(values).filter(
      (name) => later[name as Name] !== values[name as Name],
    ) as Name[];
    form.reset(values, { keepValues: true });
    // Later input isn't saved.
    for (const name of changed) form.setValue(name, later[name], { shouldDirty: true });
    if (!changed.some((name) => placeFields.has(name))) setSources(row.groupRosterSources);
    setIsSaved(true);
  });

  async function openSources(user: NewUser) {
    const { searchInfo, originalReturnPath, user: row, fromQueue, timestamp = Date.now() } = state;
    const formData = getPayload(user);
    // Back restores all input, because the stored state may miss the latest keystrokes.
    await navigate({
      to: '.',
      replace: true,
      state: ({ typed: _, ...state }) => ({ ...state, formData, timestamp }),
    });
    await navigate({
      to: paths.manageSources,
      state: {
        formData,
        mode: draft ? 'draftGroup' : 'newGroup',
        groupInfo: formData.groupInfo,
        ...(row && { user: row }),
        ...(fromQueue && { fromQueue }),
        returnPath: paths.addUser,
        originalReturnPath: originalReturnPath ?? (searchInfo ? paths.userSearch : paths.manageUsers),
        searchInfo,
        timestamp,
      },
    });
  }

  return {
    /** The latest action. */
    action,
    /** A draft was just saved. */
    isSaved,
    setIsSaved,
    createUser: submit('create', async (user) => openList(await create(getPayload(user)))),
    completeUser: submit('complete', async (user) => openList(await saveDraft(getPayload(user), false))),
    selectSources: submit('next', openSources),
    saveDraft: (...event: Parameters<typeof keepDraft>) => {
      isSavingDraft.current = true;
      void keepDraft(...event).finally(() => {
        isSavingDraft.current = false;
      });
    },
    shared,
    cancelSharing: () => setShared(null),
    confirmSharing({ tins, proceed }: NonNullable<typeof shared>) {
      confirmed.current = [...confirmed.current, ...tins.map(({ ftin }) => ftin)];
      setShared(null);
      void proceed();
    },
  };
}

// The errors with messages that users can act on.
const statusesWithMessage = [400, 409, 429];

function showServerError(form: UseFormReturn<NewUser>, error: unknown) {
  if (!(error instanceof Problem)) return showServerProblems(form, genericError);
  const typeCd = form.getValues('typeCd');
  const refusal = findTinRefusal(typeCd, error.message);
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
