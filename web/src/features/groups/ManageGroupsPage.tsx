import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSession } from '@/api/session';
import { createSearch, parseCriteria, useSearchState } from '@/shared/historyState';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { formatCount } from '@/ui/format';
import { NotPermitted } from '@/ui/PageState';
import { LazyTable, TablePlaceholder, usePreloadTable } from '@/ui/table/LazyTable';
import { groupColumns } from './columns';
import { criteriaSchema } from './criteria';
import { type PortalUserGroup, useGroupSearch } from './queries';
import { SearchForm } from './SearchForm';

const noGroups =
  'There are no groups available for the criteria entered. Please revise your search criteria and try again or go to MANAGE GROUPS.';

/** Finds portal user groups. Roster groups link to their sources. */
export default function ManageGroupsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Manage Portal User Groups</h1>
        <p className="page-lead">
          Search by one criterion. The Roster Hub receives rosters for the network from roster sources.
        </p>
      </header>
      {can('groups.search') ? <Groups /> : <NotPermitted />}
    </div>
  );
}

function Groups() {
  const navigate = useNavigate();
  const session = useSession();
  const { routes } = session;
  const owner = getOwner(session);
  const { search, searchInfo, table, setTable, start, clear } = useSearchState(read, byId);
  const found = useGroupSearch(search);
  const { data, isError, isFetching } = found;
  usePreloadTable();

  const toSources = ({ groupInfoId, groupRosterSources }: PortalUserGroup) =>
    navigate({
      to: paths.manageSources,
      state: {
        mode: 'existingGroup',
        groupInfo: { groupInfoId, groupRosterSources },
        searchInfo,
        returnPath: paths.manageGroups,
      },
    });

  const toUsers = ({ groupInfoId }: PortalUserGroup) =>
    navigate({
      to: paths.userSearch,
      state: {
        kept: createSearch(owner, {
          userName: '',
          name: '',
          emailAddress: '',
          ftin: '',
          groupId: String(groupInfoId),
          userTypeCD: '',
        }),
      },
    });

  return (
    <>
      <SearchForm
        current={search?.criteria ?? null}
        searching={isFetching}
        onInvalid={clear}
        onSearch={start}
        onReset={clear}
      />
      {data?.groups.length === 0 && !isFetching && <Banner kind="info">{noGroups}</Banner>}
      <Suspense fallback={<TablePlaceholder title={title} empty={search ? undefined : noResults} />}>
        <LazyTable
          title={title}
          columns={groupColumns}
          rows={data?.groups ?? []}
          rowId={({ groupInfoId }) => String(groupInfoId)}
          controlled={{ state: table, onChange: setTable }}
          status={isError ? (data ? 'stale' : 'failed') : isFetching ? 'loading' : 'ready'}
          onRetry={() => void found.refetch()}
          empty={search ? 'No results found. Please try a different search.' : noResults}
          notice={
            data?.limitedTo && (
              <Banner kind="info">
                {`Only the first ${formatCount(data.limitedTo)} groups are shown. Narrow your search.`}
              </Banner>
            )
          }
          rowMenu={{
            menu: ActionMenu,
            actions: (group) => [
              ...(group.groupTypeCd === 'ROS'
                ? [{ label: 'Manage Roster Hub Sources', onSelect: () => void toSources(group) }]
                : []),
              ...(group.groupTypeCd === 'PRV' && routes.includes('UserSearch')
                ? [{ label: 'View Users', onSelect: () => void toUsers(group) }]
                : []),
            ],
            label: ({ groupInfoId }) => `group ${groupInfoId}`,
          }}
          pages={{ sizes: pageSizes }}
        />
      </Suspense>
    </>
  );
}

const title = 'Portal User Groups';
const noResults = 'Search to see groups here.';
const pageSizes = [5, 10, 25, 50];
const byId = { sort: { id: 'groupInfoId', desc: false } };

const read = parseCriteria(criteriaSchema);
