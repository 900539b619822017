import { MyTins } from '@/shared/MyTins';
import { ResultRegion } from '@/ui/form/SearchCard';
import { lazyPart } from '@/ui/lazyPart';
import { useStableCallback } from '@/ui/useStableCallback';
import styles from './bills.module.css';
import { useBillSearch } from './queries';
import { SearchForm } from './SearchForm';
import { SearchHelp } from './SearchHelp';
import { useBillSearchState } from './searchState';

// The form is ready before the table's code, which loads while the user fills it in.
const [SearchAnswer, usePreloadAnswer] = lazyPart(async () => (await import('./SearchAnswer')).SearchAnswer);

export default function BillSearchPage() {
  return (
    <div className="page">
      <div className={styles.head}>
        <div>
          <h1>Bill Search</h1>
          <p className="page-lead">Search for bills three ways and open their documents.</p>
        </div>
        <SearchHelp />
      </div>
      <MyTins ofUsers="Bills are searched by a user's Tax IDs.">{(tins) => <Search tins={tins} />}</MyTins>
    </div>
  );
}

function Search({ tins }: { tins: readonly string[] }) {
  const { search, claimNumber, table, setTable, start, clear } = useBillSearchState();
  const outcome = useBillSearch(search);
  usePreloadAnswer();

  const onSearch = useStableCallback(start);
  const onReset = useStableCallback(clear);
  return (
    <>
      <SearchForm
        tins={tins}
        current={search?.criteria ?? null}
        claimNumber={claimNumber}
        searching={outcome.outstanding > 0}
        found={outcome.rows.length > 0}
        onInvalid={onReset}
        onSearch={onSearch}
        onReset={onReset}
      />
      {search && (
        <ResultRegion run={search.run} ready={outcome.rows.length > 0 || outcome.outstanding === 0}>
          <SearchAnswer outcome={outcome} state={table} onStateChange={setTable} />
        </ResultRegion>
      )}
    </>
  );
}
