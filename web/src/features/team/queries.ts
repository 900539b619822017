import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type Member = components['schemas']['TeamMember'];
export type Payer = components['schemas']['PayerFigure'];

/** The group's open bills by assignee. */
export const useTeam = () =>
  useQuery({
    queryKey: ['team', 'members'],
    queryFn: ({ signal }) => unwrap(api.GET('/work/team', { signal })),
  });

/** What payers did with the office's bills in the last 90 days. */
export const usePayers = () =>
  useQuery({
    queryKey: ['team', 'payers'],
    queryFn: ({ signal }) => unwrap(api.GET('/work/payers', { signal })),
  });
