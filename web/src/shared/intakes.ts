import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';

/** What people look at that comes in by feeds. */
export type Data = components['schemas']['Intake']['data'];

/** When the last file of such data was taken; undefined while that is not known. */
export function useAsOf(data: Data): string | undefined {
  const intakes = useQuery({
    queryKey: ['feeds', 'intakes'],
    queryFn: ({ signal }) => answer(api.GET('/feeds/intakes', { signal })),
    staleTime: 60_000,
  });
  return intakes.data?.find((intake) => intake.data === data)?.asOf;
}
