import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

/** Data that arrives through imports. */
export type Data = components['schemas']['Intake']['data'];

/** When the last file with this data was imported; undefined until that's known. */
export function useDataAsOf(data: Data): string | undefined {
  const intakes = useQuery({
    queryKey: ['feeds', 'intakes'],
    queryFn: ({ signal }) => unwrap(api.GET('/feeds/intakes', { signal })),
    staleTime: 60_000,
  });
  return intakes.data?.find((intake) => intake.data === data)?.asOf;
}
