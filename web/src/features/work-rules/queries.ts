import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useChange } from '@/shared/changing';
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
    queryFn: ({ signal }) => answer(api.GET('/desk/rules', { signal })),
    refetchInterval: ({ state: { data } }) => (data?.counting ? 5000 : false),
  });

const changed = [rulesKey];

/** Updates a rule, or adds one without an ID. */
export const useSaveRule = () =>
  useChange(changed, ({ id, body }: { id?: string; body: RuleEdit }) =>
    id === undefined
      ? answer(api.POST('/desk/rules', { body }))
      : answer(api.PUT('/desk/rules/{id}', { params: { path: { id } }, body })),
  );

export const useSetHoliday = () =>
  useChange(changed, (body: Holiday) => answer(api.PUT('/desk/holidays', { body })));

export const useRemoveHoliday = () =>
  useChange(changed, ({ state, day }: Holiday) =>
    answer(api.DELETE('/desk/holidays/{state}/{day}', { params: { path: { state, day } } })),
  );

/** Calculates the rules for test dates. Nothing is stored. */
export const useTry = () =>
  useMutation({
    mutationFn: (body: Trial) => answer(api.POST('/desk/rules/try', { body })),
    retry: false,
  });
