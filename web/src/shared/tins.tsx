import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import type { Option } from '@/ui/form/inputs';
import { formatTin } from '@/ui/format';
import type { Column } from '@/ui/table/state';

export type UserTin = components['schemas']['TIN'];
export type GroupTin = components['schemas']['GroupRecord'];

const getUserTinsQuery = (userName: string) => ({
  queryKey: ['tins', 'user', userName],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    unwrap(
      api.GET('/ftin/userFtins/{user}', {
        params: { path: { user: userName }, query: { activeFlag: true } },
        signal,
      }),
    ),
});

/** A user's active TINs, sorted. */
export const useUserTins = (userName: string) =>
  useQuery({ ...getUserTinsQuery(userName), select: sortTins });

/** A user's active TIN numbers, sorted, for selects. */
export const useTinNumbers = (userName: string, enabled = true) =>
  useQuery({ ...getUserTinsQuery(userName), enabled, select: getNumbers, staleTime: 60_000 });

/** TINs as options, each with its office's name. */
export function useTinOptions(tins: readonly string[]): Option[] {
  const { actingUser, can } = useSession();
  // Internal staff have no TINs, so they request the names of those on the screen.
  const requestedTins = ['IRAD', 'ISAD'].includes(actingUser.typeCd) && tins;
  const { data } = useQuery({
    queryKey: ['tins', 'names', actingUser.userNm, requestedTins],
    enabled: can('directory.lookup'),
    queryFn: ({ signal }) =>
      unwrap(
        requestedTins
          ? api.POST('/provider/officeNames', { body: { ftins: [...requestedTins] }, signal })
          : api.GET('/provider/officeNames', { signal }),
      ),
    staleTime: 60_000,
  });
  return useMemo(() => {
    const names = new Map(data?.map((office) => [office.ftin, office]));
    return tins.map((tin) => ({ value: tin, label: tin, note: getNote(names.get(tin)) }));
  }, [tins, data]);
}

/** The office names of several TINs by TIN. Empty with only one, because its name is known. */
export function useOfficeNames(tins: readonly string[]): ReadonlyMap<string, string | undefined> {
  const options = useTinOptions(tins);
  return useMemo(
    () => new Map(options.length > 1 ? options.map(({ value, note }) => [value, note]) : []),
    [options],
  );
}

const getNote = (office?: components['schemas']['TINName']) =>
  office && (office.names > 1 ? `${office.name} and ${office.names - 1} more` : office.name);

/** A group's active TINs. */
export const useGroupTins = (groupId: number, enabled = true) =>
  useQuery({
    queryKey: ['tins', 'group', groupId],
    enabled,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/ftin/groupFtins/{groupId}', {
          params: { path: { groupId }, query: { activeFlag: true } },
          signal,
        }),
      ),
  });

const sortTins = <Tin extends { ftin: string }>(tins: readonly Tin[]) =>
  tins.toSorted((a, b) => a.ftin.localeCompare(b.ftin));

const getNumbers = (tins: readonly UserTin[]) => tins.map(({ ftin }) => ftin).sort();

// Inline, because a style sheet would be another file to load. A name that doesn't fit next to
// the number takes its own line.
const tinStyle = { display: 'flex', flexWrap: 'wrap', columnGap: '0.75rem' } as const;
const officeStyle = { color: 'var(--ink-secondary)' };

/** A column of Tax IDs with office names: users with many TINs don't recognize the numbers. */
export const makeTinColumn = <Row,>(
  header: string,
  getTin: (row: Row) => string | undefined,
  offices: ReadonlyMap<string, string | undefined>,
): Column<Row> => ({
  id: 'ftin',
  header,
  value: getTin,
  text: (row) => [formatTin(getTin(row)), offices.get(getTin(row) ?? '')].filter(Boolean).join(' '),
  cell: (row) => {
    const name = offices.get(getTin(row) ?? '');
    return (
      <span style={tinStyle}>
        <span>{formatTin(getTin(row))}</span>
        {name && <span style={officeStyle}> {name}</span>}
      </span>
    );
  },
  wrap: true,
  minWidth: '9rem',
});

/** A column of the user's Tax IDs, with their office names. */
export function useTinColumn<Row extends { ftin: string }>(
  id: string,
  header: string,
  rows: readonly Row[],
): Column<Row> {
  const options = useTinOptions(useMemo(() => rows.map(({ ftin }) => ftin), [rows]));
  return useMemo(() => {
    const offices = new Map(options.map(({ value, note }) => [value, note]));
    return { ...makeTinColumn<Row>(header, ({ ftin }) => ftin, offices), id };
  }, [id, header, options]);
}
