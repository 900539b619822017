import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { toProblem } from '@/shared/apiError';
import { useAnnounceChange } from '@/shared/changes';
import { type PageRequest, useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';

/* TINs that several groups share: notifications, objections and decisions. */

type Schemas = components['schemas'];
export type SharedTin = Schemas['SharedTIN'];
export type TinSharing = Schemas['TINSharing'];
export type AwaitedTin = Schemas['AwaitedTIN'];
export type Decision = 'approve' | 'refuse' | 'keep' | 'take-away';

/** The server filters by these labels. */
export const statuses: Record<TinSharing['statusCd'], string> = {
  WAITING: 'Pending review',
  IN_USE: 'In use',
  DISPUTED: 'In use, objection open',
  REFUSED: 'Denied',
  TAKEN: 'Revoked',
  ENDED: 'Withdrawn',
};

export const objections: Record<SharedTin['objectionCd'], string> = {
  '': '',
  OPEN: 'Pending decision',
  DISMISSED: 'Dismissed',
  UPHELD: 'Upheld',
};

export const anotherOffice = 'Another office';

/** Returns the message for a failed change, with the server's reason if there is one. */
export function formatFailure(error: unknown): string {
  const problem = toProblem(error);
  return problem.status === 409 ? problem.message : genericError;
}

const genericError = 'Error: An error has occurred. Please try again or contact Customer Service.';

/** A page of the TINs in the user's group that other groups got or request. */
export const useSharedTins = (table: TableState) =>
  useServerPage({
    key: ['tins', 'shared'],
    table,
    fetchPage: (asked: PageRequest, signal?: AbortSignal) =>
      unwrap(api.POST('/ftin/shared/page', { body: { table: asked }, signal })),
  });

/** A page of the shared TINs that need a decision, or of the rest. */
export const useSharings = (undecided: boolean, table: TableState) =>
  useServerPage({
    key: ['tins', 'sharings', undecided],
    table,
    fetchPage: (asked: PageRequest, signal?: AbortSignal) =>
      unwrap(api.POST('/ftin/sharings/page', { body: { undecided, table: asked }, signal })),
  });

/** The number of shared TINs that need a decision. */
export const useUndecided = () =>
  useQuery({
    queryKey: ['tins', 'undecided'],
    queryFn: ({ signal }) => unwrap(api.GET('/ftin/sharings/undecided', { signal })),
  });

const fetchPendingTins = (groupId: number, signal?: AbortSignal) =>
  unwrap(api.GET('/ftin/groupFtins/{groupId}/awaited', { params: { path: { groupId } }, signal }));

/** The group's TINs that are still under review. */
export const usePendingTins = (groupId: number) =>
  useQuery({
    queryKey: ['tins', 'awaited', groupId],
    queryFn: ({ signal }) => fetchPendingTins(groupId, signal),
  });

/** Reports whether a TIN that was just added needs a review before use; false if unknown. */
export const needsReview = (groupId: number, ftin: string) =>
  fetchPendingTins(groupId).then(
    (list) => list.some((tin) => tin.ftin === ftin),
    () => false,
  );

function useChange<Sent>(change: (sent: Sent) => Promise<unknown>) {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: change,
    // The lists can change even after an error, because another user may have been first.
    onSettled: () => announce('tins'),
  });
}

export const useObject = (id: string) =>
  useChange((reason: string) =>
    unwrap(api.POST('/ftin/shared/{id}/objection', { params: { path: { id } }, body: { reason } })),
  );

export const useDecide = (id: string) =>
  useChange((decision: Decision) =>
    unwrap(api.POST('/ftin/sharings/{id}/decision', { params: { path: { id } }, body: { decision } })),
  );

export const useNameOffice = (id: string) =>
  useChange((named: boolean) =>
    unwrap(api.PUT('/ftin/sharings/{id}/name', { params: { path: { id } }, body: { named } })),
  );
