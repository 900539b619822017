import { lazy, Suspense, useState } from 'react';
import { useSession } from '@/api/session';
import { formatGroup, useGroup } from '@/shared/groups';
import { AnnouncementBanner } from '@/ui/Announcement';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { FormBanner } from '@/ui/form/FormBanner';
import { Failed, Loading } from '@/ui/PageState';
import { TablePlaceholder, usePreloadTable } from '@/ui/table/LazyTable';
import { createTableState } from '@/ui/table/state';
import { useStableCallback } from '@/ui/useStableCallback';
import { AddSource, noEntry } from './AddSource';
import type { Source } from './queries';
import { SourceTable, title } from './SourceTable';
import styles from './sources.module.css';
import { useSources } from './useSources';

// Only a click shows it.
const SourceGroupsDialog = lazy(() => import('./SourceGroupsDialog'));

/**
 * The sources that send a group's rosters: an existing group, or a new one created together with
 * a user.
 */
export default function ManageSourcesPage() {
  const { mirroredUser, can } = useSession();
  const {
    visit,
    form,
    announcement,
    clearMessages,
    work,
    all,
    groups,
    groupSources,
    sources,
    isExisting,
    add,
    remove,
    saveUser,
  } = useSources();
  const { mode, formData, groupId, chosen, removed } = visit;
  const existing = mode === 'existingGroup';
  const adding = mode === 'newGroup' || mode === 'draftGroup';

  const [table, setTable] = useState(firstPage);
  const [viewed, setViewed] = useState<Source | null>(null);
  const [removing, setRemoving] = useState<Source | null>(null);
  const group = useGroup(groupId);
  usePreloadTable();
  const loads = [all, groups, groupSources];
  const loading = loads.some(({ isLoading }) => isLoading);
  const failed = loads.some(({ isLoadingError }) => isLoadingError);
  const nothing = all.data?.length === 0 && groups.data?.length === 0;
  const ready = !loading && !failed;
  const readOnlyReason = mirroredUser
    ? "You can't change roster hub sources while mirroring."
    : can('rosters.manage')
      ? null
      : 'Your account can view roster hub sources but not change them.';
  const saving = work === 'draft' || work === 'complete';
  const fixed = readOnlyReason !== null || saving;

  // Stable, so that unchanged rows don't rerender.
  const onRemove = useStableCallback((source: Source) =>
    isExisting(source.sourceId) ? setRemoving(source) : void remove(source),
  );

  function reset() {
    clearMessages();
    form.reset(noEntry);
    if (!adding) return;
    setTable(firstPage);
    if (chosen.length > 0 || removed.length > 0) void visit.choose([], []);
  }

  const saveButton = (kind: 'draft' | 'complete') => ({
    busy: work === kind,
    disabled:
      !ready || readOnlyReason !== null || !formData || !can('users.draft') || (saving && work !== kind),
    onClick: () => void saveUser(kind === 'draft'),
  });
  return (
    <div className="page">
      <header>
        <h1>{existing ? `Manage Roster Hub Sources For User Group ${groupId ?? 'Unknown'}` : 'Add User'}</h1>
        <p className="page-lead">
          {group?.groupName && `${group.groupName}. `}
          The Roster Hub receives rosters for the network from roster sources.{' '}
          {existing
            ? 'The group sends rosters for these sources. Changes are saved right away.'
            : adding && groupId !== null
              ? "Changes to this group's sources take effect when you complete the user."
              : "The new group will send rosters for these sources. They're saved with the user."}
        </p>
      </header>
      {readOnlyReason && <Banner kind="info">{readOnlyReason}</Banner>}
      {mode === 'unknown' && (
        <Banner kind="warning">
          No group selected. Open Manage Groups and select Manage Roster Hub Sources for a group.
        </Banner>
      )}
      {adding && !formData && (
        <Banner kind="warning">Your Add User entries are gone. Go back and enter them again.</Banner>
      )}
      <form className="card" noValidate onSubmit={(event) => event.preventDefault()}>
        <div className={styles.body}>
          <FormBanner form={form} />
          <AnnouncementBanner announcement={announcement} />
          {failed ? (
            <Failed
              message={
                all.isLoadingError
                  ? 'Error: Unable to retrieve roster sources. Please try again later.'
                  : 'Error: Unable to retrieve roster data. Please try again or contact Customer Service.'
              }
              onRetry={() => {
                for (const load of loads) if (load.isLoadingError) void load.refetch();
              }}
            />
          ) : loading ? (
            <Loading>Loading...</Loading>
          ) : nothing ? (
            <Banner kind="error">No roster sources or source groups found.</Banner>
          ) : (
            <AddSource
              form={form}
              sources={toOptions(all.data ?? [])}
              disabled={fixed || work !== null}
              busy={form.formState.isSubmitting}
              onAdd={() => void add()}
            />
          )}
        </div>
        <div className="button-row card-body">
          {adding && (
            <>
              <Button variant="primary" {...saveButton('complete')}>
                COMPLETE PROFILE
              </Button>
              <Button {...saveButton('draft')}>SAVE AS DRAFT</Button>
              <Button
                disabled={saving}
                aria-label="Back to add user"
                title="Back to add user"
                onClick={() => void visit.back(chosen)}
              >
                BACK
              </Button>
            </>
          )}
          <Button disabled={fixed} onClick={reset}>
            RESET
          </Button>
          {!adding && <Button onClick={() => void visit.cancel()}>CANCEL</Button>}
        </div>
      </form>
      {ready && (
        <Suspense fallback={<TablePlaceholder title={title} />}>
          <SourceTable
            sources={sources}
            status={groupSources.isError ? 'stale' : 'ready'}
            onRetry={() => void groupSources.refetch()}
            controlled={{ state: table, onChange: setTable }}
            fixed={fixed || work !== null || form.formState.isSubmitting}
            onRemove={onRemove}
            onView={setViewed}
          />
        </Suspense>
      )}
      {removing && (
        <ConfirmDialog
          open
          title={`Remove ${removing.sourceName} from ${group ? formatGroup(group) : `group ${groupId}`}?`}
          confirmLabel="REMOVE"
          cancelLabel="CANCEL"
          onConfirm={() => {
            // Closed first, because the result takes the focus.
            setRemoving(null);
            void remove(removing);
          }}
          onCancel={() => setRemoving(null)}
        >
          {existing
            ? "The group's users won't be able to send rosters for this source."
            : "After you select COMPLETE PROFILE, the group's users won't be able to send rosters for this source."}
        </ConfirmDialog>
      )}
      {viewed && (
        <Suspense>
          <SourceGroupsDialog source={viewed} groups={groups.data ?? []} onClose={() => setViewed(null)} />
        </Suspense>
      )}
    </div>
  );
}

const firstPage = createTableState({ pageSize: 5 });

const toOptions = (sources: readonly Source[]) =>
  [...sources].sort((a, b) => a.sourceName.localeCompare(b.sourceName, 'en', { sensitivity: 'base' }));
