import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { formatCount } from '@/ui/format';
import type { TableState } from '@/ui/table/state';
import { type PageRequest, useServerPage } from './pages';

export type ListedProvider = components['schemas']['ListEntry'];

const fetchProviders = (ftin: string) => (table: PageRequest, signal?: AbortSignal) =>
  unwrap(api.POST('/provider/page', { body: { ftin, table }, signal }));

/** A page of the providers who bill under a TIN. It waits for a TIN. */
export const useProviderPage = (tin: string | undefined, table: TableState) =>
  useServerPage({
    key: ['providers', tin],
    table,
    fetchPage: fetchProviders(tin ?? ''),
    enabled: Boolean(tin),
  });

// The maximum number of options in the picker, and the debounce before it requests them.
const offered = 50;
const searchDelay = 250;

const formatLabel = ({ prvName, prvId }: ListedProvider) => `${prvName} (${prvId})`;

/** Searches a TIN's providers by name or ID. */
export function useProviderPicker(tin: string, chosenId: string) {
  const [typed, setTyped] = useState('');
  const [sought, setSought] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSought(typed), searchDelay);
    return () => clearTimeout(timer);
  }, [typed]);

  const find = (provider: string) => ({
    queryKey: ['providers', tin, 'offered', provider],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      fetchProviders(tin)(
        { page: 0, pageSize: offered, sort: { id: 'name', desc: false }, filters: { provider } },
        signal,
      ),
    staleTime: 60_000,
  });
  const all = useQuery({ ...find(''), enabled: tin !== '' });
  // A complete list is searched in the browser.
  const incomplete = (all.data?.count ?? 0) > offered;
  const found = useQuery({
    ...find(sought),
    enabled: incomplete && sought !== '',
    placeholderData: (before, query) => (query?.queryKey[1] === tin ? before : undefined),
  });
  const among = (page: typeof all.data) => page?.rows.find(({ prvId }) => prvId === chosenId);
  const listed = among(found.data) ?? among(all.data);
  const chosen = useQuery({
    ...find(`(${chosenId})`),
    enabled: tin !== '' && chosenId !== '' && all.isSuccess && !listed,
  });
  const provider = listed ?? among(chosen.data);

  // The selected provider's label in the field isn't a search.
  const searching = incomplete && typed !== '' && !(provider && typed === formatLabel(provider));
  const page = searching ? found.data : all.data;
  const options = (page?.rows ?? []).map((each) => ({ value: each.prvId, label: formatLabel(each) }));
  // The selected provider is an option only if it matches the typed text.
  const chosenOption =
    provider && !among(page) ? [{ value: chosenId, label: formatLabel(provider), hidden: searching }] : [];
  const looking = searching && (typed !== sought || found.isFetching);
  return {
    /** The selected provider, once loaded. */
    provider,
    /** Reports whether the TIN is without providers. */
    none: all.data?.count === 0,
    isLoading: all.isLoading,
    isFetching: all.isFetching || found.isFetching,
    isError: all.isError || (searching && found.isError) || chosen.isError,
    refetch: () =>
      Promise.all([all, found, chosen].filter(({ isError }) => isError).map(({ refetch }) => refetch())),
    field: {
      options: [...chosenOption, ...options],
      onSearch: setTyped,
      found: incomplete,
      pending: looking || (typed !== '' && all.isLoading),
      // Always visible. A hint that disappears would move the buttons during a click.
      hint: incomplete
        ? `Showing the first ${offered} of ${formatCount(all.data?.count ?? 0)}. Type part of a name or ID to find others.`
        : undefined,
      nothingFound: looking ? 'Searching' : 'No matching provider for this Tax ID',
    },
  };
}
