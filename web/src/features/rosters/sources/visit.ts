import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { useSetNavigationState } from '@/shared/navigationState';
import type { Source } from './queries';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Results to the sources is kept by this visit alone: the one before does not know it. */
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

/** What the screen was handed, and what of it changes while it is worked on. Back and Reload find it. */
export function useVisit() {
  const router = useRouter();
  const keepInVisit = useSetNavigationState();
  const { user, routes } = useSession();
  const [state, setState] = useState(() => own(router.history.location.state, user.id));
  const { formData, groupInfo } = state;

  function keep(part: HistoryState) {
    const next = { ...state, ...part };
    setState(next);
    return keepInVisit(() => next);
  }

  return {
    state,
    mode: modes[state.mode ?? ''] ?? 'unknown',
    formData,
    groupId: groupInfo?.groupInfoId ?? formData?.grpInfoId ?? null,
    /** The sources that were handed on, or chosen here. */
    chosen: groupInfo?.groupRosterSources ?? formData?.selectedRosterSources ?? [],
    /** The ids of those that the group has and is to lose. */
    removed: formData?.removedSourceIds ?? [],
    keep,
    choose: (sources: Source[], removedSourceIds: number[]) =>
      keep(
        withSources(
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
        to: state.returnPath ?? (routes.includes('UserSearch') ? '/UserSearch' : '/home'),
        state: { searchInfo: state.searchInfo },
      }),
    /** To what was typed of the user, with the sources chosen here. */
    back(sources: Source[]) {
      const { formData, groupInfo } = withSources(state, sources);
      const { user, searchInfo, originalReturnPath, timestamp } = state;
      return router.navigate({
        to: '/AddUser',
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
        },
      });
    },
  };
}

/** A user whom somebody else typed in this tab is none of this visit's business. */
function own(state: HistoryState, userId: number): HistoryState {
  const theirs = state.formData && state.formData.mgrUserInfoId !== userId;
  return theirs ? { ...state, formData: undefined, groupInfo: undefined } : state;
}

/** Wherever the sources of a user are noted. */
export function withSources({ formData, groupInfo, ...state }: HistoryState, sources: Source[]) {
  const noted = { ...groupInfo, groupRosterSources: sources };
  return {
    ...state,
    groupInfo: noted,
    formData: formData && {
      ...formData,
      groupInfo: noted,
      selectedRosterSources: sources,
      userGroupRosterSources: sources,
    },
  };
}
