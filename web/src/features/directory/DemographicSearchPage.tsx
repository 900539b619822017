import { useNavigate } from '@tanstack/react-router';
import { type RefObject, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { useHistoryState, useSearchState, useSetHistoryState } from '@/shared/historyState';
import { MyTins } from '@/shared/MyTins';
import { type ListedProvider, useProviderPage } from '@/shared/providers';
import { useTinNumbers, useTinOptions } from '@/shared/tins';
import { Button } from '@/ui/Button';
import { ComboboxField } from '@/ui/form/ComboboxField';
import { ResultRegion } from '@/ui/form/SearchCard';
import { lazyPart } from '@/ui/lazyPart';
import { Loading } from '@/ui/PageState';
import { LazyTable, usePreloadTable } from '@/ui/table/LazyTable';
import type { Column } from '@/ui/table/state';
import { useStableCallback } from '@/ui/useStableCallback';
import { findChoice, formatType } from './choice';
import styles from './directory.module.css';

// The list is ready before the code of a provider's page, which loads while the user chooses.
const [Provider, useProviderBeforehand] = lazyPart(async () => (await import('./Provider')).Provider);

/** Finds a TIN's providers and shows one provider's record. */
export default function DemographicSearchPage() {
  const { actingUser } = useSession();
  const tins = useTinNumbers(actingUser.userNm);
  const { __TSR_index: entry, provider, searchInfo } = useHistoryState();
  usePreloadTable();
  useProviderBeforehand();
  const focused = useRef(entry);

  const choice = findChoice(tins.data ?? [], provider);
  return (
    <Suspense fallback={<Loading />}>
      {choice ? (
        <Provider key={entry} choice={choice} searchInfo={searchInfo} />
      ) : (
        <div className="page">
          <header>
            <h1>Demographic Search</h1>
            <p className="page-lead">See how a Tax ID's providers appear in the directory.</p>
          </header>
          <MyTins ofUsers="Providers are looked up by a user's Tax IDs.">
            {(offered) => <Search key={entry} entry={entry} tins={offered} />}
          </MyTins>
        </div>
      )}
      <FocusOnEntry entry={entry} focused={focused} />
    </Suspense>
  );
}

/**
 * The list and a provider's page share a route. Each moves the focus to its heading like a new
 * screen, before Back restores the link that was used. It must be last in the Suspense, so that
 * the heading exists.
 */
function FocusOnEntry({ entry, focused }: { entry: number; focused: RefObject<number> }) {
  useLayoutEffect(() => {
    if (focused.current === entry) return;
    focused.current = entry;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [entry, focused]);
  return null;
}

function Search({ entry, tins }: { entry: number; tins: readonly string[] }) {
  const navigate = useNavigate();
  const setHistoryState = useSetHistoryState();
  const { search, searchInfo, table, setTable, start, clear } = useSearchState(
    (stored) => tins.find((tin) => tin === stored) ?? null,
    { sort: { id: 'name', desc: false } },
  );
  const [cleared, setCleared] = useState(false);
  // A user's only TIN is preselected.
  const tin = search?.criteria ?? (tins.length === 1 && !cleared ? tins[0] : undefined);
  const { control } = useForm({ defaultValues: { tin: tin ?? '' } });
  const { shown, data, isError } = useProviderPage(tin, table);

  // Stable columns whose handlers can change.
  const open = useStableCallback(async ({ prvId, prvProviderType }: ListedProvider) => {
    if (!tin) return;
    // Back finds the list unchanged, even right away.
    await setHistoryState((state) => ({ ...state, kept: searchInfo }));
    await navigate({
      to: '.',
      state: { searchInfo, provider: { tin, prvId, prvProviderType }, listAt: entry },
    });
  });
  const columns = useMemo(() => getColumns(open), [open]);

  return (
    <>
      <div className="card card-body">
        <ComboboxField
          control={control}
          name="tin"
          label="Select Tax ID"
          hint={tin ? undefined : 'Select a Tax ID to Search for Providers...'}
          options={useTinOptions(tins)}
          nothingFound="Not one of your Tax IDs"
          className={styles.tin}
          onChanged={(chosen) => {
            setCleared(!chosen);
            if (chosen) start(chosen);
            else clear();
          }}
        />
      </div>
      {tin && (
        <ResultRegion run={search?.run ?? 0} ready={data !== undefined || isError}>
          <LazyTable
            title="Providers"
            columns={columns}
            {...shown}
            rowId={({ prvId }) => prvId}
            controlled={{ state: table, onChange: setTable }}
            empty="No Providers found for the selected Tax ID"
          />
        </ResultRegion>
      )}
    </>
  );
}

const getColumns = (open: (provider: ListedProvider) => void): Column<ListedProvider>[] => [
  {
    id: 'name',
    header: 'Provider Name',
    value: ({ prvName }) => prvName,
    wrap: true,
    cell: (provider) => (
      <Button variant="link" onClick={() => open(provider)}>
        {provider.prvName}
      </Button>
    ),
  },
  { id: 'type', header: 'Provider Type', value: ({ prvProviderType }) => formatType(prvProviderType) },
];
