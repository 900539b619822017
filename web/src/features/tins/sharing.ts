import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useAnnounceChange } from '@/shared/changes';
import { type PageRequest, usePage } from '@/shared/pages';
import { toProblem } from '@/shared/apiError';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';

/* TINs that several groups have: who is told, who objects, who decides. */

type Schemas = components['schemas'];
export type SharedTin = Schemas['SharedTIN'];
export type TinSharing = Schemas['TINSharing'];
export type AwaitedTin = Schemas['AwaitedTIN'];
export type Decision = 'approve' | 'refuse' | 'keep' | 'take-away';

/** The server filters by these words. */
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

/** What is said where a change was refused; what the server has to say where it did. */
export function failureOf(error: unknown): string {
  const problem = toProblem(error);
  return problem.status === 409 ? problem.message : genericError;
}

const genericError = 'Error: An error has occurred. Please try again or contact Customer Service.';

/** A page of the own group's TINs that other groups got or ask for. */
export const useSharedTins = (table: TableState) =>
  usePage({
    key: ['tins', 'shared'],
    table,
    ask: (asked: PageRequest, signal?: AbortSignal) =>
      answer(api.POST('/ftin/shared/page', { body: { table: asked }, signal })),
  });

/** A page of what waits for a decision, or of the rest. */
export const useSharings = (undecided: boolean, table: TableState) =>
  usePage({
    key: ['tins', 'sharings', undecided],
    table,
    ask: (asked: PageRequest, signal?: AbortSignal) =>
      answer(api.POST('/ftin/sharings/page', { body: { undecided, table: asked }, signal })),
  });

/** How many sharings wait for a decision. */
export const useUndecided = () =>
  useQuery({
    queryKey: ['tins', 'undecided'],
    queryFn: ({ signal }) => answer(api.GET('/ftin/sharings/undecided', { signal })),
  });

const awaited = (groupId: number, signal?: AbortSignal) =>
  answer(api.GET('/ftin/groupFtins/{groupId}/awaited', { params: { path: { groupId } }, signal }));

/** The TINs that a group has only after the review. */
export const useAwaitedTins = (groupId: number) =>
  useQuery({ queryKey: ['tins', 'awaited', groupId], queryFn: ({ signal }) => awaited(groupId, signal) });

/** Tells whether a TIN that was just added can be used only after the review; false where it cannot be known. */
export const waits = (groupId: number, ftin: string) =>
  awaited(groupId).then(
    (list) => list.some((tin) => tin.ftin === ftin),
    () => false,
  );

function useChange<Sent>(change: (sent: Sent) => Promise<unknown>) {
  const announce = useAnnounceChange();
  return useMutation({
    mutationFn: change,
    retry: false,
    // Whether it worked or not, the lists may have changed: somebody else can have been first.
    onSettled: () => announce('tins'),
  });
}

export const useObject = (id: string) =>
  useChange((reason: string) =>
    answer(api.POST('/ftin/shared/{id}/objection', { params: { path: { id } }, body: { reason } })),
  );

export const useDecide = (id: string) =>
  useChange((decision: Decision) =>
    answer(api.POST('/ftin/sharings/{id}/decision', { params: { path: { id } }, body: { decision } })),
  );

export const useNameOffice = (id: string) =>
  useChange((named: boolean) =>
    answer(api.PUT('/ftin/sharings/{id}/name', { params: { path: { id } }, body: { named } })),
  );
