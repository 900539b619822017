import { useQuery } from '@tanstack/react-query';
import { fetchResource, getResourceUrl } from '@/api/resources';
import { readDocuments } from './documents';

/** The documents that the resource host lists. */
export const useDocuments = () =>
  useQuery({
    queryKey: ['resources'],
    queryFn: async ({ signal }) => {
      const address = getResourceUrl('provider-resources.json');
      if (!address) throw new Error('no resource address is configured');
      const list = await fetchResource(address, signal);
      return readDocuments(await list.json());
    },
    staleTime: 60_000,
  });
