import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { needsReauthentication, Problem } from '@/api/client';
import { rememberDraft } from '@/shared/addedUser';
import { toProblem } from '@/shared/apiError';
import { useRosterSources } from '@/shared/rosterSources';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { useOpenAfterAdding } from '@/shared/useOpenAfterAdding';
import { useAnnouncement } from '@/ui/Announcement';
import { type Entry, noEntry } from './AddSource';
import { type Source, useChangeSource, useGroupSources, useSaveUser, useSourceGroups } from './queries';
import { updateSources, useVisit } from './visit';

const saved = 'User has been successfully saved!';

/**
 * A group's sources and their changes: immediate for an existing group, or together with the new
 * user for a new group.
 */
export function useSources() {
  const visit = useVisit();
  const openAfterAdding = useOpenAfterAdding(visit.state);
  const { mode, formData, groupId, chosen, removed } = visit;
  const existing = mode === 'existingGroup';
  // Opened directly, the screen doesn't have a group or a new user.
  const hasNoOwner = mode === 'unknown' || (existing && groupId === null);
  useUnsavedChanges(Boolean(formData && visit.state.sourcesChanged));

  const all = useRosterSources('sources');
  const groups = useSourceGroups();
  const groupSources = useGroupSources(mode === 'existingGroup' || mode === 'draftGroup' ? groupId : null);
  const change = useChangeSource();
  const save = useSaveUser();

  const form = useForm<Entry>({ shouldFocusError: false, defaultValues: noEntry });
  const { announcement, announce, clear } = useAnnouncement();
  // Set during the click, so that the second click of a double click sees it.
  const [work, setWork] = useState<'remove' | 'draft' | 'complete' | null>(null);

  const existingSources = useMemo(() => {
    const ids = groupSources.data ?? [];
    return (all.data ?? []).filter(({ sourceId }) => ids.includes(sourceId));
  }, [all.data, groupSources.data]);
  const added = useMemo(
    () => chosen.filter(({ sourceId }) => !existingSources.some((one) => one.sourceId === sourceId)),
    [existingSources, chosen],
  );
  const sources = useMemo(() => {
    if (existing && groupId !== null) return existingSources;
    return [...existingSources.filter(({ sourceId }) => !removed.includes(sourceId)), ...added];
  }, [existing, groupId, existingSources, added, removed]);

  function clearMessages() {
    clear();
    form.clearErrors();
  }

  /** Returns the selected source, or those with the typed provider group. */
  function findSources({ sourceId, providerGroup }: Entry): Source[] {
    const typed = providerGroup.trim().toLowerCase();
    const named = groups.data?.filter(({ grpId }) => grpId.toLowerCase() === typed) ?? [];
    const found =
      named.length > 0 ? named : groups.data?.filter(({ sourceGroupId }) => String(sourceGroupId) === typed);
    const ids = sourceId ? [Number(sourceId)] : found?.map((group) => group.sourceId);
    return all.data?.filter((source) => ids?.includes(source.sourceId)) ?? [];
  }

  const add = form.handleSubmit(async (entry) => {
    clearMessages();
    const field = entry.providerGroup.trim() ? 'providerGroup' : 'sourceId';
    const refuse = (message: string) => form.setError(field, { message });
    if (!entry.sourceId && field === 'sourceId')
      return refuse('Please select a Roster Hub Source Name or enter a Provider Hub Provider Group ID');
    const [source, another] = findSources(entry);
    if (another)
      return refuse(
        'Error: Several Roster Hub Sources have this Provider Hub Provider Group ID. Select the Roster Hub Source Name instead.',
      );
    if (!source)
      return refuse('Error: Roster Hub Source not found for the Provider Hub Provider Group ID entered.');
    const { sourceId, sourceName } = source;
    if (sources.some((one) => one.sourceId === sourceId))
      return refuse(
        `Error: The Roster Hub Source "${sourceName}" is already associated with this Portal User Group.`,
      );
    if (hasNoOwner) return announce('error', 'Error: Unable to add source. Group ID is not available.');
    if (!existing && removed.includes(sourceId)) void visit.choose(chosen, removeId(removed, sourceId));
    else if (!existing) void visit.choose([...chosen, source], removed);
    else if (groupId !== null)
      try {
        await change.mutateAsync({ change: 'add', groupId, sourceId });
      } catch (error) {
        return announce(
          'error',
          getUserMessage(error) ?? 'Error: Failed adding source to group. Please try again later.',
        );
      }
    form.reset(noEntry);
    announce('success', `Roster Hub Source "${sourceName}" was successfully added to this group.`);
  });

  /** Reports whether the group has it, so that removing it affects the group's other users too. */
  const isExisting = (sourceId: number) => existingSources.some((source) => source.sourceId === sourceId);

  async function remove({ sourceId, sourceName }: Source) {
    if (work) return;
    clearMessages();
    if (hasNoOwner) return announce('error', 'Error: Unable to remove source. Group ID is not available.');
    setWork('remove');
    try {
      if (existing && groupId !== null) await change.mutateAsync({ change: 'remove', groupId, sourceId });
      else
        void visit.choose(
          chosen.filter((source) => source.sourceId !== sourceId),
          isExisting(sourceId) ? [...removed, sourceId] : removed,
        );
      announce('success', `Roster Hub Source "${sourceName}" was successfully removed from this group.`);
    } catch {
      announce('error', 'Error: Failed removing source from group. Please try again later.');
    }
    setWork(null);
  }

  async function saveUser(asDraft: boolean) {
    clearMessages();
    if (!formData || work) return;
    const createsGroup = groupId === null && formData.groupAssignment !== 'existing';
    if (sources.length === 0 && asDraft)
      return announce('error', 'You must add at least one roster source before saving as draft');
    if (sources.length === 0 && createsGroup)
      return announce('error', 'You must add at least one roster source for the new group');
    setWork(asDraft ? 'draft' : 'complete');
    try {
      // Without the group's own, which others can remove before the draft is completed.
      const { formData: body = formData } = updateSources(visit.state, added);
      const row = await save.mutateAsync({ body, asDraft });
      if (!asDraft)
        return void (await openAfterAdding({ user: row, request: body.accountRequestId, message: saved }));
      const { formData: typed = formData, groupInfo } = updateSources(visit.state, chosen);
      void visit.updateState({
        ...rememberDraft(visit.state, row, typed, groupInfo),
        sourcesChanged: undefined,
      });
      announce('success', saved);
    } catch (error) {
      announce('error', ...describeFailure(error));
    }
    setWork(null);
  }

  return {
    visit,
    form,
    announcement,
    clearMessages,
    work,
    all,
    groups,
    groupSources,
    /** The group's sources and those selected for it. */
    sources,
    isExisting,
    add,
    remove,
    saveUser,
  };
}

const removeId = (ids: readonly number[], id: number) => ids.filter((other) => other !== id);

/** Returns what a failed save shows, and the server's message if users can act on it. */
function describeFailure(error: unknown): [string, string?] {
  const { status, message } = toProblem(error);
  if (needsReauthentication(error)) return [message];
  return [
    status > 0
      ? 'Error: An unexpected error occurred. Please try again or contact Customer Service.'
      : 'Error: An error occurred while saving the draft user. Please try again or contact Customer Service.',
    getUserMessage(error),
  ];
}

/** Returns the server's message if users can act on it. */
function getUserMessage(error: unknown): string | undefined {
  if (!(error instanceof Problem) || ![400, 403, 404, 409, 429].includes(error.status)) return undefined;
  const texts = error.fields.length > 0 ? error.fields.map(({ message }) => message) : [error.message];
  return texts.filter((text) => text.includes(' ')).join(' ') || undefined;
}
