import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap } from '@/api/client';
import type { components, operations } from '@/api/schema';
import { toProblem } from '@/shared/apiError';
import { queuesKey, useAnnounceChange } from '@/shared/changes';
import { todayKey } from '@/shared/today';
import { useMutation } from '@/shared/useMutation';
import { download } from '@/ui/window';
import type { CaseThread, Outcome } from './cases';
import type { Role } from './staff';

export type Tab = NonNullable<operations['cases']['requestBody']>['content']['application/json']['tab'];
export type Queue = operations['deskCases']['parameters']['query']['queue'];

const listKey = ['cases'];
const deskListKey = ['desk-cases'];
const caseKey = (number: string, isAtDesk: boolean) => [isAtDesk ? 'desk-case' : 'case', number];

/** An office's questions, newest first. */
export const useCases = (tab: Tab, mine: boolean) =>
  useInfiniteQuery({
    queryKey: [...listKey, tab, mine],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      unwrap(api.POST('/work/cases/page', { body: { tab, mine, after: pageParam || undefined }, signal })),
    getNextPageParam: ({ next }) => next || undefined,
  });

/** The questions of a queue at the service desk. */
export const useDeskCases = (queue: Queue) =>
  useQuery({
    queryKey: [...deskListKey, queue],
    queryFn: ({ signal }) => unwrap(api.GET('/desk/cases', { params: { query: { queue } }, signal })),
  });

export function useCase(number: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: caseKey(number, false),
    queryFn: async ({ signal }) => {
      const thread = await unwrap(api.GET('/work/cases/{number}', { params: { path: { number } }, signal }));
      // It's read now.
      if (thread.unread) void client.invalidateQueries({ queryKey: todayKey });
      return thread;
    },
  });
}

/** Reports whether a question is gone, or the user doesn't see it anymore. */
export const isMissing = (error: unknown) => toProblem(error).status === 404;

/** Loads a question again when it has changed or is missing. */
export function useCaseUpdates({ number, version }: Seen) {
  const client = useQueryClient();
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['case-version', number],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/work/cases/{number}/version', { params: { path: { number } }, signal })),
    refetchInterval: ({ state }) => !isMissing(state.error) && 15_000,
    refetchOnWindowFocus: true,
    retry: false,
    gcTime: 0,
  });
  const current = data?.version ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each poll loads it again if that failed before
  useEffect(() => {
    if (current > version || isMissing(error))
      void client.invalidateQueries({ queryKey: caseKey(number, false) });
  }, [client, current, version, number, dataUpdatedAt, error]);
}

/** Figures of a range of days. */
export const useCaseTimes = (days: { from: string; to: string }) =>
  useQuery({
    queryKey: [...deskListKey, 'times', days],
    queryFn: ({ signal }) => unwrap(api.GET('/desk/cases/times', { params: { query: days }, signal })),
    placeholderData: (before) => before,
  });

export const useDeskCase = (number: string) =>
  useQuery({
    queryKey: caseKey(number, true),
    queryFn: ({ signal }) =>
      unwrap(api.GET('/desk/cases/{number}', { params: { path: { number } }, signal })),
  });

/** The group's open questions about a bill. */
export const useCasesOfBill = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: [...listKey, 'bill', id],
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/work/bills/{id}/cases', { params: { path: { id } }, signal })),
  });

/**
 * A change of a question. Its response is the question. If it failed, someone else may have changed
 * the question, so it refetches, like the lists.
 */
function useChange<Change extends { number?: string }>(
  isAtDesk: boolean,
  send: (change: Change) => Promise<CaseThread>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (thread: CaseThread) => client.setQueryData(caseKey(thread.number, isAtDesk), thread),
    onError: (_error: unknown, { number }: Change) => {
      if (number) void client.invalidateQueries({ queryKey: caseKey(number, isAtDesk) });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: isAtDesk ? [queuesKey] : todayKey });
      return client.invalidateQueries({ queryKey: isAtDesk ? deskListKey : listKey });
    },
  });
}

/** Sends a request with a key again if its response is lost. The server stores it once. */
const sendKeyed = <Answer>(send: () => Promise<Answer>) =>
  send().catch((error: unknown) => {
    if (toProblem(error).status > 0) throw error;
    return send();
  });

export const useAsk = () =>
  useChange(false, (body: components['schemas']['QuestionText'] & { number?: undefined }) =>
    sendKeyed(() => unwrap(api.POST('/work/cases', { body }))),
  );

interface Written {
  number: string;
  requestKey: string;
  body: string;
  files: number[];
}

interface Seen {
  number: string;
  version: number;
}

export const useReply = () =>
  useChange(false, ({ number, ...body }: Written) =>
    sendKeyed(() => unwrap(api.POST('/work/cases/{number}/reply', { params: { path: { number } }, body }))),
  );

export const useEnd = (how: 'helpful' | 'withdraw') =>
  useChange(false, ({ number, version }: Seen) =>
    unwrap(
      how === 'helpful'
        ? api.POST('/work/cases/{number}/helpful', { params: { path: { number } }, body: { version } })
        : api.POST('/work/cases/{number}/withdraw', { params: { path: { number } }, body: { version } }),
    ),
  );

export const useRecordComplaint = () =>
  useChange(true, (body: components['schemas']['RecordedComplaint'] & { number?: undefined }) =>
    sendKeyed(() => unwrap(api.POST('/desk/cases', { body }))),
  );

interface LetterOf {
  number: string;
  letter: number;
}

export const useMailLetter = () =>
  useChange(true, ({ number, letter, version, mailedOn }: LetterOf & { version: number; mailedOn: string }) =>
    unwrap(
      api.POST('/desk/cases/{number}/letters/{letter}/mailed', {
        params: { path: { number, letter } },
        body: { version, mailedOn },
      }),
    ),
  );

/** Saves a letter as PDF. */
export const useReadLetter = (isAtDesk: boolean) =>
  useMutation({
    mutationFn: async ({ number, letter, name }: LetterOf & { name: string }) => {
      const params = { path: { number, letter } };
      const file = await unwrap(
        isAtDesk
          ? api.GET('/desk/cases/{number}/letters/{letter}', { params, parseAs: 'blob' })
          : api.GET('/work/cases/{number}/letters/{letter}', { params, parseAs: 'blob' }),
      );
      download(file as unknown as Blob, `${name} ${number}.pdf`);
    },
  });

export type LogPeriod = operations['complaintLog']['parameters']['query'];

export const useComplaintLog = () =>
  useMutation({
    mutationFn: async (query: LogPeriod) => {
      const file = await unwrap(api.GET('/desk/cases/log', { params: { query }, parseAs: 'blob' }));
      download(file as unknown as Blob, `Complaints ${query.from} to ${query.to}.${query.format}`);
    },
  });

const writes = {
  answer: '/desk/cases/{number}/answer',
  ask: '/desk/cases/{number}/ask',
  note: '/desk/cases/{number}/note',
} as const;

/** Staff write to a question, or a note for staff. */
export const useWrite = (how: keyof typeof writes) =>
  useChange(true, ({ number, ...body }: Written & Seen & { outcome?: Outcome }) =>
    sendKeyed(() => unwrap(api.POST(writes[how], { params: { path: { number } }, body }))),
  );

const changes = {
  take: '/desk/cases/{number}/take',
  release: '/desk/cases/{number}/release',
} as const;

/** Takes or releases a question. */
export const useOwn = (how: keyof typeof changes) =>
  useChange(true, ({ number, version }: Seen) =>
    unwrap(api.POST(changes[how], { params: { path: { number } }, body: { version } })),
  );

/** Opens a question from a call. With hours, staff promise to call back. */
export const useOpenCall = () =>
  useChange(true, ({ number, version, callbackHours }: Seen & { callbackHours?: number }) =>
    unwrap(
      api.POST('/desk/cases/{number}/open', {
        params: { path: { number } },
        body: { version, callbackHours },
      }),
    ),
  );

export const useMerge = () =>
  useChange(true, ({ number, version, into }: Seen & { into: string }) =>
    unwrap(api.POST('/desk/cases/{number}/merge', { params: { path: { number } }, body: { version, into } })),
  );

const repliesKey = ['saved-replies'];

/** The texts that staff can insert into answers. */
export const useSavedReplies = () =>
  useQuery({
    queryKey: repliesKey,
    queryFn: ({ signal }) => unwrap(api.GET('/desk/replies', { signal })),
  });

export type SavedReply = components['schemas']['CaseSavedReply'];

function useReplyChange<Change>(send: (change: Change) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: repliesKey }),
  });
}

export const useSaveReply = () =>
  useReplyChange((body: SavedReply) => unwrap(api.POST('/desk/replies', { body })));

export const useDeleteReply = () =>
  useReplyChange(({ id, version }: SavedReply) =>
    unwrap(api.DELETE('/desk/replies/{id}', { params: { path: { id }, query: { version } } })),
  );

// How often staff are shown who else writes.
const writingInterval = 15_000;

/** Returns the others who write to a question, and its current version. They see whether this user does. */
export const useWriting = (number: string, writes: boolean) =>
  useQuery({
    queryKey: ['desk-case-writing', number, writes],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/desk/cases/{number}/writing', { params: { path: { number } }, body: { writes }, signal }),
      ),
    refetchInterval: writingInterval,
    retry: false,
    gcTime: 0,
    placeholderData: (before) => before,
  });

/** A bill's page, for its status and next step. */
export const useBillAnswer = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['bill-page', id],
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/work/bills/{id}', { params: { path: { id } }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });

/** Counts that an office needed no question. */
export const useAnswered = () => useMutation({ mutationFn: () => unwrap(api.POST('/work/cases/known', {})) });

export const useAssign = () =>
  useChange(true, ({ number, version, userName }: Seen & { userName: string }) =>
    unwrap(
      api.POST('/desk/cases/{number}/assign', { params: { path: { number } }, body: { version, userName } }),
    ),
  );

/** The network's staff who can sign in, by name. */
export const useStaff = () =>
  useQuery({
    queryKey: ['users', 'staff'],
    queryFn: ({ signal }) => unwrap(api.GET('/desk/staff', { signal })),
  });

export function useSetStaffRole() {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: ({ userName, ...body }: { userName: string; role: Role; seen: Role }) =>
      unwrap(api.PUT('/desk/staff/{userName}', { params: { path: { userName } }, body })),
    onSettled: () => announce('users'),
  });
}
