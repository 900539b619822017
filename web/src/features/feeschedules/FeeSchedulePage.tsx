import { useMemo } from 'react';
import { getConfig } from '@/api/config';
import { useSession } from '@/api/session';
import { FailedFeeSchedules } from '@/shared/FailedFeeSchedules';
import { useSearchState } from '@/shared/historyState';
import { MyTins } from '@/shared/MyTins';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ResultRegion } from '@/ui/form/SearchCard';
import { NotPermitted } from '@/ui/PageState';
import { LazyTable, usePreloadTable } from '@/ui/table/LazyTable';
import type { Column } from '@/ui/table/state';
import { useStableCallback } from '@/ui/useStableCallback';
import { hospital, read, type Searched } from './criteria';
import { type RateCode, useRateCodes } from './queries';
import { RequestDialog } from './RequestDialog';
import { SearchForm } from './SearchForm';
import { useRequest } from './useRequest';

export default function FeeSchedulePage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>PPO Fee Schedule</h1>
        <p className="page-lead">Find a provider's rate codes and request a fee schedule.</p>
      </header>
      {can('feeSchedules.request') ? (
        <>
          <FailedFeeSchedules />
          <MyTins ofUsers="Rate codes are searched by a user's Tax IDs.">
            {(tins) => <Search tins={tins} />}
          </MyTins>
        </>
      ) : (
        <NotPermitted />
      )}
    </div>
  );
}

function Search({ tins }: { tins: readonly string[] }) {
  const { mirroredUser } = useSession();
  const { search, table, setTable, start, clear } = useSearchState(read, {
    sort: { id: 'location', desc: false },
  });
  const { shown, isFetching, isError, data } = useRateCodes(search, table);
  const { progress, requestFile, again, close } = useRequest();
  usePreloadTable();

  // Stable columns whose handlers can change.
  const select = useStableCallback((code: RateCode) => {
    if (search) void requestFile({ code, searched: search.criteria as Searched });
  });
  const mirroring = mirroredUser !== undefined;
  const columns = useMemo(() => getColumns(select, mirroring), [select, mirroring]);

  return (
    <>
      <SearchForm
        tins={tins}
        current={search?.criteria ?? null}
        searching={isFetching && !data}
        found={data !== undefined && data.count > 0}
        onSearch={start}
        onChange={() => search && clear()}
      />
      {search && (
        <ResultRegion run={search.run} ready={data !== undefined || isError}>
          <LazyTable
            title="Rate Codes"
            columns={columns}
            {...shown}
            rowId={({ key }) => key}
            controlled={{ state: table, onChange: setTable }}
            empty={search.criteria.providerType === hospital ? <LetterheadRequest /> : noRateCodes}
            notice={
              mirroring &&
              shown.rows.length > 0 && (
                <Banner kind="info">You can't request fee schedules while mirroring. Revert first.</Banner>
              )
            }
          />
        </ResultRegion>
      )}
      {progress && <RequestDialog progress={progress} onAgain={again} onClose={close} />}
    </>
  );
}

const noRateCodes =
  'There are no Rate Codes for the selected criteria, please revise your search criteria and try again.';

/** The table doesn't have hospital rates. */
function LetterheadRequest() {
  const { supportEmail } = getConfig();
  return (
    <p>
      Please send a written request on company letterhead to{' '}
      {supportEmail ? <a href={`mailto:${supportEmail}`}>{supportEmail}</a> : 'support, under Contact Us'}.
      The request must include the TIN, address, provider name and signature.
    </p>
  );
}

const getColumns = (onSelect: (code: RateCode) => void, mirroring: boolean): Column<RateCode>[] => [
  { id: 'code', header: 'National Rate Code', value: ({ nationalRateCd }) => nationalRateCd },
  {
    id: 'location',
    header: 'Location Name',
    value: ({ provLctnName }) => provLctnName,
    wrap: true,
    minWidth: '10rem',
  },
  {
    id: 'address',
    header: 'Location Address',
    value: ({ provLctnAddr }) => provLctnAddr,
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'details',
    header: 'Location Details',
    value: ({ provLctnDetails }) => provLctnDetails,
    wrap: true,
    minWidth: '8rem',
  },
  { id: 'zip', header: 'Zip', value: ({ lctnZipCd }) => lctnZipCd },
  { id: 'provider', header: 'Provider ID', value: ({ cpdProvId }) => cpdProvId },
  {
    id: 'select',
    header: 'Request',
    sortable: false,
    filterable: false,
    value: () => null,
    cell: (code) => (
      <Button size="small" disabled={mirroring} onClick={() => onSelect(code)}>
        Select
        <span className="visually-hidden">
          {' '}
          {code.nationalRateCd}, {code.provLctnName}
        </span>
      </Button>
    ),
  },
];
