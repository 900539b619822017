import { Navigate, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { needsReauthentication, Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { discardWork } from '@/shared/encryptedState';
import { useHistoryState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { useTinColumn, useUserTins } from '@/shared/tins';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatTin } from '@/ui/format';
import { Loading, NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { mirrorNotice } from './AddUserPage';
import styles from './adding.module.css';
import { created, genericError, type Tin } from './newUser';
import { toPerson } from './payload';
import { useSaveUser } from './queries';
import { byTin } from './TinFields';
import { encryptWizard, useWizard, type WizardState } from './visit';

/** Second step of adding a user to the administrator's own group: the TINs. */
export default function WizardTinsPage() {
  const { pending, found, store } = useWizard();
  const { can } = useSession();
  if (!can('users.manage'))
    return (
      <div className="page">
        <h1>Manage Users: Add User</h1>
        <NotPermitted />
      </div>
    );
  if (pending) return <Loading />;
  // Without a person there are no TINs to select.
  return found ? <Tins stored={found} store={store} /> : <Navigate to={paths.wizardPerson} replace />;
}

const noTins: Tin[] = [];

function Tins({ stored, store }: { stored: WizardState; store: (wizard: WizardState) => Promise<void> }) {
  const { user: acting, actingUser, mirroredUser } = useSession();
  const navigate = useNavigate();
  const { id, user } = stored;
  const { list, searchInfo } = useHistoryState();
  const [ftins, setFtins] = useState(stored.ftins);
  const tins = useUserTins(actingUser.userNm);
  const { create } = useSaveUser();
  const [creating, setCreating] = useState(false);
  const [noTin, setNoTin] = useState(false);
  const { announcement, announce, clear } = useAnnouncement();

  const chooses = user.typeCd === 'PRUS';
  const offered: Tin[] = tins.data ?? noTins;
  const tinColumn = useTinColumn('tin', 'Tax ID (TIN)', offered);
  const columns = useMemo(() => [tinColumn], [tinColumn]);
  const selected = new Set(chooses ? ftins : offered.map(({ ftin }) => ftin));
  // A selected TIN may have left the group.
  const chosen = offered.filter(({ ftin }) => selected.has(ftin));
  const isReadOnly = Boolean(mirroredUser);

  async function createUser() {
    if (chooses && chosen.length === 0) return setNoTin(true);
    setCreating(true);
    clear();
    try {
      const { id: createdId, grpInfoId } = await create({
        ...toPerson(user),
        typeCd: user.typeCd,
        mode: 'newUser',
        isSaveAsDraftOperation: false,
        grpInfoId: acting.grpInfoId,
        mgrUserInfoId: acting.id,
        statusDesc: acting.userNm,
        ...(chooses && { userFtins: chosen.map(({ ftin }) => ({ ftin })) }),
      });
      discardWork(id);
      await navigate({
        to: paths.manageUsers,
        replace: true,
        state: { message: created, groupId: grpInfoId, createdId, searchInfo },
      });
    } catch (error) {
      announce('error', formatRefusal(error));
      setCreating(false);
    }
  }

  return (
    <div className="page">
      <header>
        <h1>{`Manage Users: Add User: Manage TINs for ${user.userFirstName} ${user.userLastName}`}</h1>
        <p className="page-lead">
          {chooses
            ? 'Step 2 of 2: Tax IDs (TINs) for the bills this user works with.'
            : "Step 2 of 2: An administrator has all of the group's Tax IDs (TINs)."}
        </p>
      </header>
      {isReadOnly && <Banner kind="info">{mirrorNotice}</Banner>}
      <AnnouncementBanner announcement={announcement} />
      <div className={styles.table}>
        <DataTable
          title="Tax IDs (TINs)"
          columns={columns}
          rows={offered}
          rowId={({ ftin }) => ftin}
          initial={byTin}
          status={tins.isPending ? 'loading' : tins.isError ? 'failed' : 'ready'}
          onRetry={() => void tins.refetch()}
          empty="There are no Tax IDs (TINs) in your group."
          selection={{
            selected,
            onChange: (next) => {
              setFtins([...next]);
              void store({ id, user, ftins: [...next] });
            },
            label: ({ ftin }) => formatTin(ftin),
            disabled: !chooses || isReadOnly,
          }}
        />
      </div>
      <div className="button-row">
        <Button
          variant="primary"
          busy={creating}
          disabled={isReadOnly || tins.isPending || tins.isError}
          onClick={() => void createUser()}
        >
          CREATE USER
        </Button>
        <Button
          disabled={creating}
          onClick={async () => {
            const wizard = await encryptWizard({ id, user, ftins });
            await navigate({ to: paths.wizardPerson, state: { ...wizard, list, searchInfo } });
          }}
        >
          PREVIOUS
        </Button>
        <Button
          disabled={creating}
          onClick={() => void navigate({ to: paths.manageUsers, state: { list, searchInfo } })}
        >
          CANCEL
        </Button>
      </div>
      <Dialog
        open={noTin}
        title="Select a TIN"
        onClose={() => setNoTin(false)}
        actions={
          <Button variant="primary" onClick={() => setNoTin(false)} data-autofocus>
            OK
          </Button>
        }
      >
        You must select at least one TIN
      </Dialog>
    </div>
  );
}

/** The rejected field is on the first step, so only its message can be shown here. */
function formatRefusal(error: unknown): string {
  const field = error instanceof Problem ? error.fields[0] : undefined;
  if (field) return field.message;
  const spoken =
    error instanceof Problem && ([400, 409, 429].includes(error.status) || needsReauthentication(error));
  return spoken && error.message.includes(' ') ? error.message : genericError;
}
