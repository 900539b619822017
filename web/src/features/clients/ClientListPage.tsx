import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { readAs, useKeptSearch } from '@/shared/keptSearch';
import { OwnTins } from '@/shared/OwnTins';
import { Answer } from '@/ui/form/SearchCard';
import { later } from '@/ui/later';
import { Agreement } from './Agreement';
import { hasAgreed } from './agreement';
import { criteriaSchema } from './criteria';
import { useClients } from './queries';
import { SearchForm } from './SearchForm';
import { generalError } from './texts';

// The form is ready before the table's code is there, which comes while one fills it in.
const [Results, useResultsBeforehand] = later(async () => (await import('./Results')).Results);

/** Tells which clients consider a provider part of their network, to those who agreed to its terms. */
export default function ClientListPage() {
  const { user } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const [agreedBefore] = useState(() => hasAgreed(user.id));
  const [accepted, setAccepted] = useState(false);
  // The dialog gave the focus back to what led here; the screen is read from its top, as any other.
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
  <OwnTins
    failure={generalError}
    noneTitle="No Tax IDs (TINs) to select"
    ofUsers="The Client List is based on a user's Tax IDs."
  >
    {(tins) => <Search tins={tins} />}
  </OwnTins>
);

function Search({ tins }: { tins: readonly string[] }) {
  const { search, table, setTable, start, clear } = useKeptSearch(read, {
    sort: { id: 'aeName', desc: false },
  });
  const { data, isError, isFetching, refetch } = useClients(search);
  useResultsBeforehand();
  return (
    <>
      <SearchForm
        tins={tins}
        kept={search?.criteria ?? null}
        searching={isFetching}
        found={data !== undefined && data.clients.length > 0}
        onSearch={start}
        onChange={() => search && clear()}
      />
      {search && (
        <Answer run={search.run} ready={!isFetching}>
          <Results
            search={search}
            found={{ data, isError, isFetching, refetch }}
            table={table}
            onTableChange={setTable}
          />
        </Answer>
      )}
    </>
  );
}

const read = readAs(criteriaSchema);
