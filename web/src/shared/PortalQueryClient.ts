import { QueryClient, type RefetchOptions, type RefetchQueryFilters } from '@tanstack/react-query';

/**
 * Restarts a query's first fetch as well when the query is invalidated, because its answer may be from
 * before the change. TanStack Query restarts only fetches of queries with data.
 */
export class PortalQueryClient extends QueryClient {
  override refetchQueries(filters?: RefetchQueryFilters, options?: RefetchOptions) {
    for (const query of this.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' }))
      if (query.state.data === undefined) void query.cancel({ silent: true });
    return super.refetchQueries(filters, options);
  }
}
