import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '@/api/session';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { parseCriteria, useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { showClaimBills } from '@/shared/showClaimBills';
import { Banner } from '@/ui/Banner';
import { formatDate } from '@/ui/dates';
import { retrievalError } from '@/ui/Failed';
import { ResultRegion } from '@/ui/form/SearchCard';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { criteriaSchema } from './criteria';
import { type Claim, type ClaimRow, useClaimSearch } from './queries';
import { SearchForm } from './SearchForm';

/** Finds a claimant's claims. Each links to its bills. */
export default function ClaimSearchPage() {
  const { search, owner, table, setTable, start, clear } = useSearchState(read, {});
  const { routes, can } = useSession();
  const atOnce = can('work.bills');
  const canFindBills = routes.includes('billSearch');
  const columns = useMemo(
    () => getColumns(canFindBills ? owner : null, atOnce),
    [canFindBills, owner, atOnce],
  );
  const found = useClaimSearch(search);
  const { data, isError, isFetching } = found;
  return (
    <div className="page">
      <header>
        <h1>Claim Search</h1>
        <p className="page-lead">Find a person's claims by name, date of birth and date of injury.</p>
      </header>
      <SearchForm
        current={search?.criteria ?? null}
        searching={isFetching}
        found={data !== undefined && data.claims.length > 0}
        onInvalid={clear}
        onSearch={start}
        onReset={clear}
      />
      {search && (
        <ResultRegion run={search.run} ready={!isFetching}>
          {data?.message ? (
            <Banner kind="error">{`Error: ${data.message}`}</Banner>
          ) : (
            <DataTable
              title="Claims"
              columns={columns}
              rows={data?.claims ?? []}
              rowId={({ place }) => place}
              controlled={{ state: table, onChange: setTable }}
              status={isFetching ? 'loading' : isError ? 'failed' : 'ready'}
              failure={isError && addRetryTime(retrievalError, toProblem(found.error))}
              onRetry={() => void found.refetch()}
            />
          )}
        </ResultRegion>
      )}
    </div>
  );
}

const formatName = ({ claimantFirstName, claimantLastName }: Claim) =>
  [claimantFirstName, claimantLastName].filter(Boolean).join(' ');

/**
 * With an owner for the search state, a claim number is a link: to a search for all its bills,
 * or to the form with its number.
 */
const getColumns = (owner: string | null, atOnce: boolean): Column<ClaimRow>[] => [
  {
    id: 'claim',
    header: 'Claim Number',
    value: ({ claimNumber }) => claimNumber,
    cell: ({ claimNumber }) =>
      owner === null ? (
        claimNumber
      ) : (
        <Link
          to={paths.billSearch}
          state={atOnce ? showClaimBills(owner, claimNumber) : { claim: { owner, claimNumber } }}
        >
          {claimNumber}
          <span className="visually-hidden">, {atOnce ? 'all its bills' : 'search its bills'}</span>
        </Link>
      ),
  },
  { id: 'claimant', header: 'Claimant Name', value: formatName, wrap: true, minWidth: '9rem' },
  {
    id: 'dob',
    header: 'Date of Birth',
    value: ({ claimantDOB }) => claimantDOB,
    text: ({ claimantDOB }) => formatDate(claimantDOB),
  },
  {
    id: 'doi',
    header: 'Date of Injury',
    value: ({ claimantDOI }) => claimantDOI,
    text: ({ claimantDOI }) => formatDate(claimantDOI),
  },
  { id: 'state', header: 'State', value: ({ stateOfJurisdiction }) => stateOfJurisdiction },
  { id: 'gender', header: 'Gender', value: ({ claimantGender }) => claimantGender },
];

const read = parseCriteria(criteriaSchema);
