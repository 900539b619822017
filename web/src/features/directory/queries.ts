import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];
export type Specialty = Schemas['PhysicianSpecialty'];
export type PhysicianLocation = Schemas['PhysicianLocation'];
export type FacilityLocation = Schemas['FacilityLocation'];
export type License = Schemas['ProviderLicense'];

const kept = { staleTime: 60_000 };

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
