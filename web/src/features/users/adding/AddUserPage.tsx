import { type HistoryState, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '@/api/client';
import { isPasswordExternal } from '@/api/config';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { rememberDraft } from '@/shared/addedUser';
import { useGroups } from '@/shared/groups';
import { useHistoryState } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { formatName } from '../columns';
import { AddUserForm } from './AddUserForm';
import { type NewUser, noUser } from './newUser';
import { type AccountRequest, type FormContext, type FormData, toForm, toRequestForm } from './payload';
import { proposeType, type Requested } from './place';
import { type UserType, useAccountRequest, useUserTypes } from './queries';
import { RequestNotice } from './RequestNotice';

export const mirrorNotice = "You can't add users while mirroring. Use Revert first.";

export default function AddUserPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Add User</h1>
        <p className="page-lead">
          New users get an email with a link to{' '}
          {isPasswordExternal() ? 'confirm the account' : 'create a password'}. Fields marked with an asterisk
          (*) are required.
        </p>
      </header>
      {can('users.manage') ? <Adding /> : <NotPermitted />}
    </div>
  );
}

function Adding() {
  const { user, actingUser, mirroredUser, can } = useSession();
  const navigate = useNavigate();
  const state = useHistoryState();
  const { accountRequest = null, mode, user: draft, message } = state;
  const [saved, setSaved] = useState<{ draft: number; key: string }>();
  const canReadRequests = can('accountRequests.read');
  const types = useUserTypes(actingUser.userNm);
  const request = useAccountRequest(canReadRequests ? accountRequest : null);
  const unknown = request.error instanceof Problem && request.error.status === 404;
  const open = request.data?.status === 'SUBMITTED' ? request.data : undefined;
  const requestedProvider = open?.providerList[0];
  const owners = useGroups(requestedProvider ? { taxIdNumber: requestedProvider.ftin } : null);

  if (types.isPending || request.isLoading || owners.isLoading) return <Loading />;
  if (types.isError) return <Failed onRetry={() => void types.refetch()} />;
  if (owners.isError) return <Failed onRetry={() => void owners.refetch()} />;
  if (request.isError && !unknown) return <Failed onRetry={() => void request.refetch()} />;
  const groups = owners.data ?? [];
  const requested = requestedProvider && {
    ftin: requestedProvider.ftin,
    prvName: requestedProvider.providerName,
    groups,
  };
  const initial = getInitialForm(state, user.id, { open, types: types.data, requested });
  const continued =
    initial.context.id === undefined ? undefined : draft ? formatName(draft) : formatFullName(initial.start);
  // A draft saved from the input is the same form, which can contain later input. The next visit isn't.
  const visit = `${mode} ${draft?.id}`;
  const key = !saved ? visit : saved.draft === draft?.id ? saved.key : `${visit} after ${saved.key}`;
  return (
    <>
      {mirroredUser && <Banner kind="info">{mirrorNotice}</Banner>}
      {accountRequest !== null && !canReadRequests && (
        <Banner kind="warning">Only system administrators can review account requests.</Banner>
      )}
      {unknown && (
        <Banner kind="warning">
          We couldn't find this account request. Open the link in the email again, or add the user without it.
        </Banner>
      )}
      {request.data && <RequestNotice request={request.data} groups={groups} />}
      {continued && (
        <Banner kind="info" title={`Draft of ${continued}`}>
          Saving updates this draft. RESET clears the form for another user. The draft stays.
        </Banner>
      )}
      {mode === 'anew' && draft && (
        <Banner kind="info" title={`New account from ${formatName(draft)}`}>
          The terminated account won't change. The new account gets a new username. Select its TINs again.
        </Banner>
      )}
      {message && (
        <Banner kind="info" focusOn={message}>
          {message}
        </Banner>
      )}
      <AddUserForm
        // Another visit, for example from the menu, is another form.
        key={`${accountRequest} ${request.data?.status} ${key}`}
        types={types.data}
        {...initial}
        requested={requested}
        onReset={() => {
          const { searchInfo, originalReturnPath } = state;
          void navigate({
            to: '.',
            replace: true,
            state: { searchInfo, originalReturnPath, message: describeLeft(continued, open) },
          });
        }}
        onSaved={(row, typed) => {
          setSaved({ draft: row.id, key });
          const groupInfo = { groupInfoId: row.grpInfoId, groupRosterSources: row.groupRosterSources };
          const saved = rememberDraft(state, row, typed, groupInfo);
          void navigate({ to: '.', replace: true, state: (before) => ({ ...before, ...saved }) });
        }}
      />
    </>
  );
}

/** Returns the form's initial values: earlier input, a draft, an account request, or none. */
function getInitialForm(
  { formData, groupInfo, mode, user: draft }: HistoryState,
  acting: number,
  { open, types, requested }: { open?: AccountRequest; types: readonly UserType[]; requested?: Requested },
): { start: typeof noUser; context: FormContext } {
  if (formData?.mgrUserInfoId === acting) {
    const sources = groupInfo?.groupRosterSources ?? formData.selectedRosterSources ?? [];
    return {
      start: toForm(formData),
      context: {
        id: formData.id,
        version: formData.draftVersion,
        request: formData.accountRequestId,
        sources,
        removed: getRemoved(formData),
      },
    };
  }
  if (mode === 'anew' && draft) return { start: toForm(draft), context: { sources: [] } };
  if (mode === 'draftUser' && draft)
    return {
      start: toForm(draft),
      context: {
        id: draft.id,
        version: draft.draftVersion,
        request: open?.id,
        sources: groupInfo?.groupRosterSources ?? draft.groupRosterSources,
        removed: getRemoved(draft),
      },
    };
  if (open) {
    const fitting = requested ? proposeType(requested) : '';
    const typeCd = types.some(({ userTypeCd }) => userTypeCd === fitting) ? fitting : '';
    return {
      start: toRequestForm(open, typeCd, requested),
      context: { request: open.id, sources: [] },
    };
  }
  return { start: noUser, context: { sources: [] } };
}

const getRemoved = ({ grpInfoId, removedSourceIds }: FormData | UserRow): FormContext['removed'] =>
  grpInfoId && removedSourceIds ? { groupId: grpInfoId, sourceIds: removedSourceIds } : undefined;

const formatFullName = ({ userFirstName, userLastName }: NewUser) => `${userFirstName} ${userLastName}`;

/** Returns the message about the draft or request that a reset form no longer continues. */
function describeLeft(draft?: string, request?: AccountRequest): string | undefined {
  if (draft) return `The saved draft of ${draft} hasn't changed. You can now add another user.`;
  if (request)
    return `The account request of ${request.firstName} ${request.lastName} is still open. You can now add another user.`;
  return undefined;
}
