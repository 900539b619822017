import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { useRosterSources } from '@/shared/rosterSources';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { FormBanner } from '@/ui/form/FormBanner';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { tableState } from '@/ui/table/state';
import { AddSource, type Entry, noEntry } from './AddSource';
import { type Source, useChangeSource, useSaveUser, useSourceGroups, useSourcesOf } from './queries';
import { SourceGroupsDialog } from './SourceGroupsDialog';
import { SourceTable } from './SourceTable';
import styles from './sources.module.css';
import { useVisit, withSources } from './visit';

const saved = 'User has been successfully saved!';

/** Which sources send the rosters of a group: of one there is, or of the one that is made with a new user. */
export default function ManageSourcesPage() {
  const { mirroredUser, can } = useSession();
  const navigate = useNavigate();
  const visit = useVisit();
  const { mode, formData, groupId, chosen } = visit;
  const existing = mode === 'existingGroup';
  const adding = mode === 'newGroup' || mode === 'draftGroup';

  const all = useRosterSources('sources');
  const groups = useSourceGroups();
  const ofGroup = useSourcesOf(mode === 'existingGroup' || mode === 'draftGroup' ? groupId : null);
  const change = useChangeSource();
  const save = useSaveUser();

  const form = useForm<Entry>({ shouldFocusError: false, defaultValues: noEntry });
  const [table, setTable] = useState(firstPage);
  const [viewed, setViewed] = useState<Source | null>(null);
  const { announcement, announce, clear } = useAnnouncement();
  // Set within the click, so that the second of a double click meets it.
  const [work, setWork] = useState<'remove' | 'draft' | 'complete' | null>(null);

  const held = useMemo(() => {
    const ids = ofGroup.data ?? [];
    return (all.data ?? []).filter(({ sourceId }) => ids.includes(sourceId));
  }, [all.data, ofGroup.data]);
  const sources = useMemo(() => {
    if (existing && groupId !== null) return held;
    return [...held, ...chosen.filter(({ sourceId }) => !held.some((has) => has.sourceId === sourceId))];
  }, [existing, groupId, held, chosen]);
  const staying = useMemo(() => (existing ? [] : held.map(({ sourceId }) => sourceId)), [existing, held]);

  const loads = [all, groups, ofGroup];
  const loading = loads.some(({ isLoading }) => isLoading);
  const failed = loads.some(({ isLoadingError }) => isLoadingError);
  const nothing = all.data?.length === 0 && groups.data?.length === 0;
  const ready = !loading && !failed;
  const readsOnly = mirroredUser
    ? 'Roster hub sources cannot be changed while mirroring.'
    : can('rosters.manage')
      ? null
      : 'Your account may look at roster hub sources, but not change them.';
  const saving = work === 'draft' || work === 'complete';
  const fixed = readsOnly !== null || saving;

  function forget() {
    clear();
    form.clearErrors();
  }

  /** The source that is chosen, or keeps the provider group that is typed. */
  function meant({ sourceId, providerGroup }: Entry): Source | undefined {
    const typed = providerGroup.trim().toLowerCase();
    const group =
      groups.data?.find(({ sourceGroupId }) => String(sourceGroupId) === typed) ??
      groups.data?.find(({ grpId }) => grpId.toLowerCase() === typed);
    const id = sourceId ? Number(sourceId) : group?.sourceId;
    return all.data?.find((source) => source.sourceId === id);
  }

  const add = form.handleSubmit(async (entry) => {
    forget();
    const field = entry.providerGroup.trim() ? 'providerGroup' : 'sourceId';
    const refuse = (message: string) => form.setError(field, { message });
    if (!entry.sourceId && field === 'sourceId')
      return refuse('Please select a Roster Hub Source Name or enter a Provider Hub Provider Group ID');
    const source = meant(entry);
    if (!source)
      return refuse('Error: Roster Hub Source not found for the Provider Hub Provider Group ID entered.');
    const { sourceId, sourceName } = source;
    if (sources.some((has) => has.sourceId === sourceId))
      return refuse(
        `Error: The Roster Hub Source "${sourceName}" is already associated with this Portal User Group.`,
      );
    if (!existing) void visit.choose([...chosen, source]);
    else if (groupId === null)
      return announce('error', 'Error: Unable to add source. Group ID is not available.');
    else
      try {
        await change.mutateAsync({ change: 'add', groupId, sourceId });
      } catch (error) {
        return announce(
          'error',
          spoken(error) ?? 'Error: Failed adding source to group. Please try again later.',
        );
      }
    form.reset(noEntry);
    announce('success', `Roster Hub Source "${sourceName}" was successfully added to this group.`);
  });

  async function remove({ sourceId, sourceName }: Source) {
    if (work) return;
    forget();
    if (existing && groupId === null)
      return announce('error', 'Error: Unable to remove source. Group ID is not available.');
    setWork('remove');
    try {
      if (existing && groupId !== null) await change.mutateAsync({ change: 'remove', groupId, sourceId });
      else void visit.choose(chosen.filter((source) => source.sourceId !== sourceId));
      announce('success', `Roster Hub Source "${sourceName}" was successfully removed from this group.`);
    } catch {
      announce('error', 'Error: Failed removing source from group. Please try again later.');
    }
    setWork(null);
  }

  // The same function at every drawing, so that rows that did not change are not drawn again.
  const latestRemove = useRef(remove);
  latestRemove.current = remove;
  const onRemove = useCallback((source: Source) => void latestRemove.current(source), []);

  async function saveUser(asDraft: boolean) {
    forget();
    if (!formData || work) return;
    if (asDraft && sources.length === 0)
      return announce('error', 'You must add at least one roster source before saving as draft');
    setWork(asDraft ? 'draft' : 'complete');
    try {
      const { formData: body = formData } = withSources(visit.state, sources);
      const row = await save.mutateAsync({ body, asDraft });
      if (!asDraft)
        return void navigate({
          to: '/ManageUsers',
          replace: true,
          state: { message: saved, groupId: row.grpInfoId },
        });
      // Saved again, it is the same draft.
      const { formData: kept, groupInfo } = withSources(visit.state, chosen);
      void visit.keep({
        mode: 'draftGroup',
        formData: kept && { ...kept, id: row.id, mode: 'draftUser' },
        groupInfo,
      });
      announce('success', saved);
    } catch (error) {
      const answered = error instanceof Problem && error.status > 0;
      announce(
        'error',
        answered
          ? 'Error: An unexpected error occurred. Please try again or contact Customer Service.'
          : 'Error: An error occurred while saving the draft user. Please try again or contact Customer Service.',
        spoken(error),
      );
    }
    setWork(null);
  }

  function reset() {
    forget();
    form.reset(noEntry);
    if (!adding) return;
    setTable(firstPage);
    void visit.choose([]);
  }

  const saveButton = (kind: 'draft' | 'complete') => ({
    busy: work === kind,
    disabled: !ready || readsOnly !== null || !formData || !can('users.draft') || (saving && work !== kind),
    onClick: () => void saveUser(kind === 'draft'),
  });
  return (
    <div className="page">
      <header>
        <h1>{existing ? `Manage Roster Hub Sources For User Group ${groupId ?? 'Unknown'}` : 'Add User'}</h1>
        <p className="page-lead">
          {existing
            ? 'The group sends the rosters of these sources. What you add or remove is saved at once.'
            : 'The sources whose rosters the new group sends. They are saved with the user.'}
        </p>
      </header>
      {readsOnly && <Banner kind="info">{readsOnly}</Banner>}
      {adding && !formData && (
        <Banner kind="warning">
          What was entered under Add User is not here any more. Go back and enter it again.
        </Banner>
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
            <Empty>No roster sources or source groups found.</Empty>
          ) : (
            <AddSource
              form={form}
              sources={byName(all.data ?? [])}
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
        <SourceTable
          sources={sources}
          status={ofGroup.isError ? 'stale' : 'ready'}
          onRetry={() => void ofGroup.refetch()}
          state={table}
          onStateChange={setTable}
          fixed={fixed || work !== null || form.formState.isSubmitting}
          held={staying}
          onRemove={onRemove}
          onView={setViewed}
        />
      )}
      {viewed && (
        <SourceGroupsDialog source={viewed} groups={groups.data ?? []} onClose={() => setViewed(null)} />
      )}
    </div>
  );
}

const firstPage = tableState({ pageSize: 5 });

const byName = (sources: readonly Source[]) =>
  [...sources].sort((a, b) => a.sourceName.localeCompare(b.sourceName, 'en', { sensitivity: 'base' }));

/** What the server says for people to read, of a refusal they can do something about. */
function spoken(error: unknown): string | undefined {
  if (!(error instanceof Problem) || ![400, 404, 409, 429].includes(error.status)) return undefined;
  const texts = error.fields.length > 0 ? error.fields.map(({ message }) => message) : [error.message];
  return texts.filter((text) => text.includes(' ')).join(' ') || undefined;
}
