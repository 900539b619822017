import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { useInitialState, useSetHistoryState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import type { Source } from './queries';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Only this history entry has the changed sources, not the previous one. */
    sourcesChanged?: boolean;
  }
}

export type Mode = 'existingGroup' | 'draftGroup' | 'newGroup' | 'unknown';

const modes: Record<string, Mode> = {
  existingGroup: 'existingGroup',
  draftGroup: 'draftGroup',
  draftUser: 'draftGroup',
  newGroup: 'newGroup',
  newUser: 'newGroup',
};

/** The state from the previous screen, with this screen's changes. Back and Reload restore it. */
export function useVisit() {
  const router = useRouter();
  const setHistoryState = useSetHistoryState();
  const { user, routes } = useSession();
  const initial = useInitialState();
  const [state, setState] = useState(() => dropOtherUsersInput(initial, user.id));
  const { formData, groupInfo } = state;

  function updateState(part: HistoryState) {
    const next = { ...state, ...part };
    setState(next);
    return setHistoryState(() => next);
  }

  return {
    state,
    mode: modes[state.mode ?? ''] ?? 'unknown',
    formData,
    groupId: groupInfo?.groupInfoId ?? formData?.grpInfoId ?? null,
    /** The sources passed on, or selected here. */
    chosen: groupInfo?.groupRosterSources ?? formData?.selectedRosterSources ?? [],
    /** The IDs of the group's sources to remove. */
    removed: formData?.removedSourceIds ?? [],
    updateState,
    choose: (sources: Source[], removedSourceIds: number[]) =>
      updateState(
        updateSources(
          {
            ...state,
            formData: state.formData && { ...state.formData, removedSourceIds },
            sourcesChanged: true,
          },
          sources,
        ),
      ),
    cancel: () =>
      router.navigate({
        to: state.returnPath ?? (routes.includes('UserSearch') ? paths.userSearch : paths.home),
        state: { searchInfo: state.searchInfo },
      }),
    /** Returns to the user form, with the sources selected here. */
    back(sources: Source[]) {
      const { formData, groupInfo } = updateSources(state, sources);
      const { user, searchInfo, originalReturnPath, timestamp, fromQueue } = state;
      return router.navigate({
        to: paths.addUser,
        ignoreBlocker: true,
        state: {
          formData,
          groupInfo,
          mode: formData?.mode,
          user,
          searchInfo,
          originalReturnPath,
          timestamp,
          accountRequest: formData?.accountRequestId,
          ...(fromQueue && { fromQueue }),
        },
      });
    },
  };
}

/** Ignores the input for another user in this tab. */
function dropOtherUsersInput(state: HistoryState, userId: number): HistoryState {
  const isOtherUser = state.formData && state.formData.mgrUserInfoId !== userId;
  return isOtherUser ? { ...state, formData: undefined, groupInfo: undefined } : state;
}

/** Updates all places that store a user's sources. */
export function updateSources({ formData, groupInfo, ...state }: HistoryState, sources: Source[]) {
  const updated = { ...groupInfo, groupRosterSources: sources };
  return {
    ...state,
    groupInfo: updated,
    formData: formData && {
      ...formData,
      groupInfo: updated,
      selectedRosterSources: sources,
      userGroupRosterSources: sources,
    },
  };
}
