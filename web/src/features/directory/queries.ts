import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];
export type Listed = Schemas['ListEntry'];
export type Specialty = Schemas['PhysicianSpecialty'];
export type PhysicianLocation = Schemas['PhysicianLocation'];
export type FacilityLocation = Schemas['FacilityLocation'];
export type License = Schemas['ProviderLicense'];

const kept = { staleTime: 60_000 };

/** The active TINs of a user, in order. */
export function useTins(userName: string) {
  return useQuery({
    queryKey: ['directory', 'tins', userName],
    queryFn: async ({ signal }) => {
      const tins = await answer(
        api.GET('/ftin/userFtins/{user}', {
          params: { path: { user: userName }, query: { activeFlag: true } },
          signal,
        }),
      );
      return tins.map(({ ftin }) => ftin).sort();
    },
    ...kept,
  });
}

/** The providers of a TIN, by name. */
export function useProviders(tin: string | undefined) {
  return useQuery({
    queryKey: ['directory', 'providers', tin],
    enabled: tin !== undefined,
    queryFn: ({ signal }) =>
      answer(api.GET('/clients/list/{tin}', { params: { path: { tin: tin ?? '' } }, signal })),
    ...kept,
  });
}

/** A physician, part after part; a part that failed does not keep back the next. */
export function usePhysician(prvId: string) {
  const params = { path: { prvId } };
  const key = ['directory', 'physician', prvId];
  const record = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => answer(api.GET('/provider/Phys/{prvId}', { params, signal })),
    ...kept,
  });
  const specialties = useQuery({
    queryKey: [...key, 'specialties'],
    enabled: record.isSuccess,
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/provider/Phys/Spec/{prvId}', { params, signal }))) ?? [],
    ...kept,
  });
  const locations = useQuery({
    queryKey: [...key, 'locations'],
    enabled: isSettled(specialties),
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/provider/Phys/Loc/{prvId}', { params, signal }))) ?? [],
    ...kept,
  });
  const licenses = useQuery({
    queryKey: [...key, 'licenses'],
    enabled: isSettled(locations),
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/provider/Phys/Lic/{prvId}', { params, signal }))) ?? [],
    ...kept,
  });
  return { record, specialties, locations, licenses };
}

/** A facility, part after part; a part that failed does not keep back the next. */
export function useFacility(prvId: string) {
  const params = { path: { prvId } };
  const key = ['directory', 'facility', prvId];
  const record = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => answer(api.GET('/provider/facility/{prvId}', { params, signal })),
    ...kept,
  });
  const locations = useQuery({
    queryKey: [...key, 'locations'],
    enabled: record.isSuccess,
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/provider/facility/Loc/{prvId}', { params, signal }))) ?? [],
    ...kept,
  });
  const licenses = useQuery({
    queryKey: [...key, 'licenses'],
    enabled: isSettled(locations),
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/provider/Fac/Lic/{prvId}', { params, signal }))) ?? [],
    ...kept,
  });
  return { record, locations, licenses };
}

const isSettled = ({ isSuccess, isError }: UseQueryResult) => isSuccess || isError;
