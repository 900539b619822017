import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { Banner } from '@/ui/Banner';
import { formatInstant } from '@/ui/dates';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { AddUserForm } from './AddUserForm';
import styles from './adding.module.css';
import { noUser } from './newUser';
import { type AccountRequest, type Around, formOf, formOfRequest } from './payload';
import { useAccountRequest, useUserTypes } from './queries';

export const mirrorNotice = 'While you mirror a user nobody can be added. Use Revert first.';

export default function AddUserPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Add User</h1>
        <p className="page-lead">
          Whoever is added gets an email with a link to choose a password. Fields marked with an asterisk (*)
          are required.
        </p>
      </header>
      {can('users.manage') ? <Adding /> : <NotPermitted />}
    </div>
  );
}

function Adding() {
  const { user, actingUser, mirroredUser, can } = useSession();
  const navigate = useNavigate();
  const state = useVisitState();
  const { accountRequest = null, mode, user: draft } = state;
  const [savedDraft, setSavedDraft] = useState<number>();
  const readsRequests = can('accountRequests.read');
  const types = useUserTypes(actingUser.userNm);
  const request = useAccountRequest(readsRequests ? accountRequest : null);
  const unknown = request.error instanceof Problem && request.error.status === 404;

  if (types.isPending || request.isLoading) return <Loading />;
  if (types.isError) return <Failed onRetry={() => void types.refetch()} />;
  if (request.isError && !unknown) return <Failed onRetry={() => void request.refetch()} />;
  return (
    <>
      {mirroredUser && <Banner kind="info">{mirrorNotice}</Banner>}
      {accountRequest !== null && !readsRequests && (
        <Banner kind="warning">Account requests are answered by system administrators.</Banner>
      )}
      {unknown && (
        <Banner kind="warning">
          There is no such account request. Open the link of its email again, or add the user without it.
        </Banner>
      )}
      {request.data && <RequestNotice request={request.data} />}
      <AddUserForm
        // Another visit, such as by the menu, is another form; so is the draft that was made of what was typed.
        key={`${accountRequest} ${mode} ${draft?.id}`}
        types={types.data}
        {...beginning(state, user.id, request.data)}
        justSaved={savedDraft !== undefined && savedDraft === draft?.id}
        onSaved={(row) => {
          setSavedDraft(row.id);
          void navigate({
            to: '.',
            replace: true,
            state: ({ formData: _, groupInfo: __, ...rest }) => ({ ...rest, mode: 'draftUser', user: row }),
          });
        }}
      />
    </>
  );
}

/** The state of the latest visit to this screen; it stays while another screen is on its way. */
function useVisitState() {
  const location = useLocation();
  const [latest, setLatest] = useState(location);
  if (location !== latest && location.pathname === latest.pathname) setLatest(location);
  return latest.state;
}

/** What the form starts with: what was typed before, a draft, an account request, or nothing. */
function beginning(
  { formData, groupInfo, mode, user: draft }: ReturnType<typeof useLocation>['state'],
  acting: number,
  request?: AccountRequest,
): { start: typeof noUser; around: Around } {
  const open = request?.status === 'SUBMITTED' ? request : undefined;
  if (formData?.mgrUserInfoId === acting) {
    const sources = groupInfo?.groupRosterSources ?? formData.selectedRosterSources ?? [];
    return {
      start: formOf(formData),
      around: { id: formData.id, request: formData.accountRequestId, sources },
    };
  }
  if (mode === 'draftUser' && draft)
    return {
      start: formOf(draft),
      around: {
        id: draft.id,
        request: open?.id,
        sources: groupInfo?.groupRosterSources ?? draft.groupRosterSources,
      },
    };
  if (open) return { start: formOfRequest(open), around: { request: open.id, sources: [] } };
  return { start: noUser, around: { sources: [] } };
}

function RequestNotice({ request }: { request: AccountRequest }) {
  if (request.status === 'CLOSED')
    return (
      <Banner kind="warning">
        {`The account request of ${request.firstName} ${request.lastName} was answered already.`}
      </Banner>
    );
  return (
    <Banner kind="info" title={`Account request of ${request.firstName} ${request.lastName}`}>
      {request.providerList.map(({ ftin, providerName }) => (
        <p key={ftin} className={styles.request}>
          {`Of ${formatInstant(request.submittedDt)}, for ${providerName}, FTIN ${ftin}`}
        </p>
      ))}
      <p>Choose the account type to go on. Creating the user answers the request.</p>
    </Banner>
  );
}
