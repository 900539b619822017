import { useNavigate } from '@tanstack/react-router';
import { type RefObject, Suspense, useLayoutEffect, useMemo, useRef } from 'react';
import { useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { useKeptSearch } from '@/shared/keptSearch';
import { OwnTins } from '@/shared/OwnTins';
import { type ListedProvider, useProviderPage } from '@/shared/providers';
import { useTinNumbers, useTinOptions } from '@/shared/tins';
import { useHanded, useKeep } from '@/shared/visitState';
import { Button } from '@/ui/Button';
import { ComboboxField } from '@/ui/form/ComboboxField';
import { Answer } from '@/ui/form/SearchCard';
import { later } from '@/ui/later';
import { Loading } from '@/ui/PageState';
import { LaterTable, useTableBeforehand } from '@/ui/table/LaterTable';
import type { Column } from '@/ui/table/state';
import { useStableCallback } from '@/ui/useStableCallback';
import { choiceAmong, typeOf } from './choice';
import styles from './directory.module.css';

// The list is ready before a provider's page is there, which comes while one chooses.
const [Provider, useProviderBeforehand] = later(async () => (await import('./Provider')).Provider);

/** Finds the providers of a TIN, and shows what is known of one of them. */
export default function DemographicSearchPage() {
  const { actingUser } = useSession();
  const tins = useTinNumbers(actingUser.userNm);
  const { __TSR_index: entry, provider, searchInfo } = useHanded();
  useTableBeforehand();
  useProviderBeforehand();
  const focused = useRef(entry);

  const choice = choiceAmong(tins.data ?? [], provider);
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
          <OwnTins ofUsers="Providers are looked up by a user's Tax IDs.">
            {(offered) => <Search key={entry} entry={entry} tins={offered} />}
          </OwnTins>
        </div>
      )}
      <FocusOnEntry entry={entry} focused={focused} />
    </Suspense>
  );
}

/**
 * The list and a provider's page are one route; each is read from its top, as a new screen is, before Back looks for the
 * way that led on. Last in the Suspense, so that what it looks for is there.
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
  const keep = useKeep();
  const { search, searchInfo, table, setTable, start, clear } = useKeptSearch(
    (kept) => tins.find((tin) => tin === kept) ?? null,
    { sort: { id: 'name', desc: false } },
  );
  // Who has one TIN need not choose it.
  const tin = search?.criteria ?? (tins.length === 1 ? tins[0] : undefined);
  const { control } = useForm({ defaultValues: { tin: tin ?? '' } });
  const { shown, data, isError } = useProviderPage(tin, table);

  // The table's columns stay the same while what they call changes.
  const open = useStableCallback(async ({ prvId, prvProviderType }: ListedProvider) => {
    if (!tin) return;
    // Back finds the list as it was left, however soon it was.
    await keep((state) => ({ ...state, kept: searchInfo }));
    await navigate({
      to: '.',
      state: { searchInfo, provider: { tin, prvId, prvProviderType }, listAt: entry },
    });
  });
  const columns = useMemo(() => columnsOf(open), [open]);

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
          onChanged={(chosen) => (chosen ? start(chosen) : clear())}
        />
      </div>
      {tin && (
        <Answer run={search?.run ?? 0} ready={data !== undefined || isError}>
          <LaterTable
            title="Providers"
            columns={columns}
            {...shown}
            rowId={({ prvId }) => prvId}
            state={table}
            onStateChange={setTable}
            empty="No Providers found for the selected Tax ID"
          />
        </Answer>
      )}
    </>
  );
}

const columnsOf = (open: (provider: ListedProvider) => void): Column<ListedProvider>[] => [
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
  { id: 'type', header: 'Provider Type', value: ({ prvProviderType }) => typeOf(prvProviderType) },
];
