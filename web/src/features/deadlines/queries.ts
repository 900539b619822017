import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useListMutation } from '@/shared/listMutation';
import { useMutation } from '@/shared/useMutation';

export type Rule = components['schemas']['DeadlineRule'];
export type RuleEdit = components['schemas']['RuleEdit'];
export type Holiday = components['schemas']['StateHoliday'];
export type Trial = components['schemas']['DeadlineTrial'];
export type Outcome = components['schemas']['RuleOutcome'];

const rulesKey = ['deadline-rules'];

/**
 * All rules, including drafts, and the state holidays. It refetches while open bills are
 * recalculated.
 */
export const useDeskRules = () =>
  useQuery({
    queryKey: rulesKey,
    queryFn: ({ signal }) => unwrap(api.GET('/desk/rules', { signal })),
    refetchInterval: ({ state: { data } }) => (data?.counting ? 5000 : false),
  });

const changed = [rulesKey];

/** Updates a rule, or adds one without an ID. */
export const useSaveRule = () =>
  useListMutation(changed, ({ id, body }: { id?: string; body: RuleEdit }) =>
    id === undefined
      ? unwrap(api.POST('/desk/rules', { body }))
      : unwrap(api.PUT('/desk/rules/{id}', { params: { path: { id } }, body })),
  );

export const useSetHoliday = () =>
  useListMutation(changed, (body: Holiday) => unwrap(api.PUT('/desk/holidays', { body })));

export const useRemoveHoliday = () =>
  useListMutation(changed, ({ state, day }: Holiday) =>
    unwrap(api.DELETE('/desk/holidays/{state}/{day}', { params: { path: { state, day } } })),
  );

/** Calculates the rules for test dates. The result isn't stored. */
export const useTestRules = () =>
  useMutation({
    mutationFn: (body: Trial) => unwrap(api.POST('/desk/rules/try', { body })),
  });
