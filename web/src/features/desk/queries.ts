import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { startMirrorFromDesk } from '@/api/signedIn';
import { notifyTabs } from '@/api/tabs';
import { toProblem } from '@/shared/apiError';
import { queuesKey, useAnnounceChange } from '@/shared/changes';
import { type PageRequest, useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import { download } from '@/ui/window';

export type SupportSession = components['schemas']['LookSitting'];
export type Reason = components['schemas']['LookReason'];
export type Found = components['schemas']['AnyFound'];
export type Office = components['schemas']['OfficePage'];
export type Card = components['schemas']['UserCard'];

const sessionSubject = 'support-session';
const sessionKey = [sessionSubject];

/** The current support session's reason, if entered. */
export const useSupportSession = () =>
  useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => (await unwrap(api.GET('/desk/sitting', { signal }))).sitting ?? null,
  });

export function useStartSupportSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Reason) => unwrap(api.POST('/desk/sitting', { body })),
    onSuccess: ({ sitting }) => {
      client.setQueryData(sessionKey, sitting ?? null);
      notifyTabs({ type: 'changed', subjects: [sessionSubject] });
    },
  });
}

/** A request with the support session's reason. If the server reports none, the screen asks for one. */
function useInSession<Sent, Answer>(
  mutationFn: (sent: Sent) => Promise<Answer>,
  onSettled?: () => Promise<void>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onError: (error) => {
      if (toProblem(error).fields.some(({ path }) => path === 'reason'))
        void client.invalidateQueries({ queryKey: sessionKey });
    },
    onSettled,
  });
}

export const useFind = () => useInSession((q: string) => unwrap(api.POST('/desk/find', { body: { q } })));

export const useOpenUser = () =>
  useInSession((userName: string) => unwrap(api.POST('/desk/users/open', { body: { userName } })));

export const useOpenOffice = () =>
  useInSession((id: number) => unwrap(api.POST('/desk/groups/open', { body: { id } })));

/** Starts mirroring the user, with the support session's reason. */
export const useStartMirror = () => useInSession(startMirrorFromDesk);

export type AccessStatus = components['schemas']['VisitStanding'];

const accessKey = ['desk-standing'];

/** The mirroring policy of a user's office, and its decision. */
export const useAccessStatus = (userName: string, enabled: boolean) =>
  useQuery({
    queryKey: [...accessKey, userName],
    queryFn: ({ signal }) => unwrap(api.POST('/desk/visits/standing', { body: { userName }, signal })),
    enabled,
    staleTime: 0,
    refetchInterval: 15_000,
  });

/** Requests approval or overrides it, then refetches the access status. */
function useAtOffice<Change>(mutationFn: (change: Change) => Promise<unknown>) {
  const client = useQueryClient();
  return useInSession(mutationFn, () => client.invalidateQueries({ queryKey: accessKey }));
}

export const useRequestApproval = () =>
  useAtOffice((userName: string) => unwrap(api.POST('/desk/visits/ask', { body: { userName } })));

export const useOverride = () =>
  useAtOffice((body: { userName: string; reason: string }) =>
    unwrap(api.POST('/desk/visits/override', { body })),
  );

const actions = {
  reset: ({ userName, email }: Card, adminUserName: string) =>
    unwrap(
      api.POST('/users/resetPasswordByAdmin/start', {
        body: { userName, emailAddress: email, adminUserName },
      }),
    ),
  registration: ({ id }: Card, requester: string) =>
    unwrap(
      api.POST('/users/regenRegistrationByAdmin/{requester}/{id}', { params: { path: { requester, id } } }),
    ),
  mail: ({ mailId = 0 }: Card) =>
    unwrap(api.POST('/mails/{id}/resend', { params: { path: { id: mailId } } })),
};

export type CardAction = keyof typeof actions;

/** Runs the card's action with the requests of User Search and Home. */
export function useCardAction() {
  const announce = useAnnounceChange();
  const { user } = useSession();
  return useMutation({
    mutationFn: ({ mend, card }: { mend: CardAction; card: Card }): Promise<unknown> =>
      actions[mend](card, user.userNm),
    onSettled: () => void announce('users'),
  });
}

export const useReport = () =>
  useMutation({
    mutationFn: async (quarter: string) => {
      const file = await unwrap(
        api.GET('/desk/openings', { params: { query: { quarter } }, parseAs: 'blob' }),
      );
      download(file as unknown as Blob, `Desk openings ${quarter}.csv`);
    },
  });

export type FailedMail = components['schemas']['FailedMail'];
export type FailedJob = components['schemas']['FailedJob'];
export type AccountRequest = components['schemas']['RequestedAccount'];
export type Draft = components['schemas']['UserRow'];

// Declining a request refetches these too.
const requests = ['account-requests'];
const queues = [queuesKey];

/** Reports whether a search found nothing. */
export const isEmpty = ({ offices, people, bills, remittances, claims }: Found) =>
  [offices, people, bills, remittances, claims].every(({ length }) => length === 0);

/** Returns the search's hit if there is only one, and it can be opened. */
export function findOnlyHit({ offices, people, bills, remittances, claims }: Found) {
  const all = [
    ...offices.map(({ id }) => ({ office: id })),
    ...people.map(({ userName }) => ({ user: userName })),
    ...bills.map(({ id }) => ({ bill: id })),
    ...remittances.map(({ id }) => ({ remittance: id })),
    ...claims.map(() => ({})),
  ] as { office?: number; user?: string; bill?: string; remittance?: string }[];
  return all.length === 1 ? all[0] : undefined;
}

/** A page of a queue, oldest first. */
const useQueuePage = <Row>(
  key: readonly string[],
  table: TableState,
  fetchPage: (table: PageRequest, signal?: AbortSignal) => Promise<{ rows: Row[]; count: number }>,
) => useServerPage<Row>({ key: [...key, 'page'], table, fetchPage });

export const useRequests = (table: TableState) =>
  useQueuePage<AccountRequest>(requests, table, (table, signal) =>
    unwrap(api.POST('/desk/queues/requests', { body: { table }, signal })),
  );

export const useMails = (table: TableState) =>
  useQueuePage<FailedMail>([...queues, 'mails'], table, (table, signal) =>
    unwrap(api.POST('/desk/queues/mails', { body: { table }, signal })),
  );

export const useDrafts = (table: TableState) =>
  useQueuePage<Draft>([...queues, 'drafts'], table, (table, signal) =>
    unwrap(api.POST('/desk/queues/drafts', { body: { table }, signal })),
  );

export const useJobs = () =>
  useInfiniteQuery({
    queryKey: [...queues, 'jobs'],
    queryFn: ({ signal, pageParam }) =>
      unwrap(api.GET('/desk/queues/jobs', { params: { query: { after: pageParam } }, signal })),
    initialPageParam: 0,
    getNextPageParam: ({ jobs, more }) => (more ? jobs.at(-1)?.id : undefined),
  });

const steps = {
  'send again': (id: number) => unwrap(api.POST('/mails/{id}/resend', { params: { path: { id } } })),
  'end mail': (id: number) => unwrap(api.POST('/desk/queues/mails/{id}/end', { params: { path: { id } } })),
  'run again': (id: number) => unwrap(api.POST('/desk/queues/jobs/{id}/retry', { params: { path: { id } } })),
  forget: (id: number) => unwrap(api.POST('/desk/queues/jobs/{id}/discard', { params: { path: { id } } })),
  'delete draft': (id: number) =>
    unwrap(api.DELETE('/desk/queues/drafts/{id}', { params: { path: { id } } })),
};

export type Step = keyof typeof steps;

/** An action on an item of a queue, and its success message. */
export interface QueueAction {
  step: Step;
  id: number;
  done: string;
}

/** Handles a queue item. The lists refetch even if another user was faster. */
export function useQueueAction(onEnd: (action: QueueAction, error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ step, id }: QueueAction): Promise<unknown> => steps[step](id),
    // Unlike a callback of the call, it runs also if another action has started since.
    onSettled: async (_, error, action) => {
      await client.invalidateQueries({ queryKey: queues });
      onEnd(action, error);
    },
  });
}
