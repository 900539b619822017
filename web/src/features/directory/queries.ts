import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];
export type Specialty = Schemas['PhysicianSpecialty'];
export type PhysicianLocation = Schemas['PhysicianLocation'];
export type FacilityLocation = Schemas['FacilityLocation'];
export type License = Schemas['ProviderLicense'];

const cacheOptions = { staleTime: 60_000 };

/** A physician's record in separate parts, so that one failure doesn't affect the others. */
export function usePhysician(prvId: string) {
  const params = { path: { prvId } };
  const key = ['directory', 'physician', prvId];
  const record = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => unwrap(api.GET('/provider/Phys/{prvId}', { params, signal })),
    ...cacheOptions,
  });
  const specialties = useAllPages([...key, 'specialties'], record.isSuccess, (page, signal) =>
    unwrap(api.GET('/provider/Phys/Spec/{prvId}', { params: { ...params, query: { page } }, signal })),
  );
  const locations = useAllPages([...key, 'locations'], isSettled(specialties), (page, signal) =>
    unwrap(api.GET('/provider/Phys/Loc/{prvId}', { params: { ...params, query: { page } }, signal })),
  );
  const licenses = useAllPages([...key, 'licenses'], isSettled(locations), (page, signal) =>
    unwrap(api.GET('/provider/Phys/Lic/{prvId}', { params: { ...params, query: { page } }, signal })),
  );
  return { record, specialties, locations, licenses };
}

/** A facility's record in separate parts, so that one failure doesn't affect the others. */
export function useFacility(prvId: string) {
  const params = { path: { prvId } };
  const key = ['directory', 'facility', prvId];
  const record = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => unwrap(api.GET('/provider/facility/{prvId}', { params, signal })),
    ...cacheOptions,
  });
  const locations = useAllPages([...key, 'locations'], record.isSuccess, (page, signal) =>
    unwrap(api.GET('/provider/facility/Loc/{prvId}', { params: { ...params, query: { page } }, signal })),
  );
  const licenses = useAllPages([...key, 'licenses'], isSettled(locations), (page, signal) =>
    unwrap(api.GET('/provider/Fac/Lic/{prvId}', { params: { ...params, query: { page } }, signal })),
  );
  return { record, locations, licenses };
}

/** The server's page size for parts of a provider. */
const pageSize = 500;

/** Reads all pages, so that a long list isn't cut without notice. */
function useAllPages<Row>(
  queryKey: string[],
  enabled: boolean,
  read: (page: number, signal: AbortSignal) => Promise<Row[] | null | undefined>,
) {
  return useQuery({
    queryKey,
    enabled,
    queryFn: async ({ signal }) => {
      const rows: Row[] = [];
      for (let page = 0; rows.length === page * pageSize; page++)
        rows.push(...((await read(page, signal)) ?? []));
      return rows;
    },
    ...cacheOptions,
  });
}

const isSettled = ({ isSuccess, isError }: UseQueryResult) => isSuccess || isError;
