import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { parseCriteria, useSearchState } from '@/shared/historyState';
import { MyTins } from '@/shared/MyTins';
import { ResultRegion } from '@/ui/form/SearchCard';
import { lazyPart } from '@/ui/lazyPart';
import { Agreement } from './Agreement';
import { hasAgreed } from './agreement';
import { criteriaSchema } from './criteria';
import { useClients } from './queries';
import { SearchForm } from './SearchForm';
import { generalError } from './texts';

// The form is ready before the table's code, which loads while the user fills it in.
const [Results, useResultsBeforehand] = lazyPart(async () => (await import('./Results')).Results);

/** Lists the clients that consider a provider in network, for users who accepted the terms. */
export default function ClientListPage() {
  const { user } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const [agreedBefore] = useState(() => hasAgreed(user.id));
  const [accepted, setAccepted] = useState(false);
  // The dialog returned the focus to the previous link, so move it to the heading as for any
  // other screen.
  useEffect(() => {
    if (accepted) heading.current?.focus({ preventScroll: true });
  }, [accepted]);
  return (
    <div className="page">
      <header>
        <h1 ref={heading} tabIndex={-1}>
          Client List
        </h1>
        <p className="page-lead">See which clients consider a provider part of their network.</p>
      </header>
      {agreedBefore || accepted ? <Choice /> : <Agreement onAgreed={() => setAccepted(true)} />}
    </div>
  );
}

const Choice = () => (
  <MyTins
    failure={generalError}
    noneTitle="No Tax IDs (TINs) to select"
    ofUsers="The Client List is based on a user's Tax IDs."
  >
    {(tins) => <Search tins={tins} />}
  </MyTins>
);

function Search({ tins }: { tins: readonly string[] }) {
  const { search, table, setTable, start, clear } = useSearchState(read, {
    sort: { id: 'aeName', desc: false },
  });
  const { data, isError, isFetching, refetch } = useClients(search);
  useResultsBeforehand();
  return (
    <>
      <SearchForm
        tins={tins}
        current={search?.criteria ?? null}
        searching={isFetching}
        found={data !== undefined && data.clients.length > 0}
        onSearch={start}
        onChange={() => search && clear()}
      />
      {search && (
        <ResultRegion run={search.run} ready={!isFetching}>
          <Results
            search={search}
            found={{ data, isError, isFetching, refetch }}
            table={table}
            onTableChange={setTable}
          />
        </ResultRegion>
      )}
    </>
  );
}

const read = parseCriteria(criteriaSchema);
