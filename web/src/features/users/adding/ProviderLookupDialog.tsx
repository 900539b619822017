import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/form/fields';
import { formatCount, formatTin } from '@/ui/format';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import styles from './adding.module.css';
import { formatType, kinds, type Lookup, lookupSchema, noLookup, searchedTypes } from './lookup';
import { alreadyAdded, type Tin } from './newUser';
import { type Provider, useProviderLookup } from './queries';

interface Props {
  /** The TINs already added. */
  added: readonly Tin[];
  onAdd: (tin: Tin) => void;
  onClose: () => void;
}

/** Finds a provider by TIN, and adds the TIN with it. */
export function ProviderLookupDialog({ added, onAdd, onClose }: Props) {
  const form = useForm<Lookup>({ resolver: zodResolver(lookupSchema), defaultValues: noLookup });
  const { control, handleSubmit, reset, setValue } = form;
  const type = useWatch({ control, name: 'type' });
  const search = useProviderLookup();
  const [chosen, setChosen] = useState<Provider | null>(null);
  const [problem, setProblem] = useState<string>();
  const columns = useMemo(
    () =>
      getColumns(chosen, (provider) => {
        setChosen(provider);
        setProblem(undefined);
      }),
    [chosen],
  );

  const clearResults = () => {
    setChosen(null);
    setProblem(undefined);
  };
  const start = handleSubmit((lookup) => {
    clearResults();
    search.mutate(lookup);
  });
  const add = () => {
    if (!chosen) return setProblem('Error: Please select one.');
    if (added.some(({ ftin }) => ftin === chosen.prvTaxId)) return setProblem(alreadyAdded);
    onAdd({ ftin: chosen.prvTaxId, prvId: chosen.prvId, prvName: chosen.prvName });
  };

  return (
    <Dialog
      open
      size="large"
      title="Add TIN Provider"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={add}>
            Add
          </Button>
        </>
      }
    >
      <div className={styles.lookup}>
        <form className={styles.lookup} noValidate onSubmit={start}>
          <div className="field-grid">
            <TextField
              control={control}
              name="ftin"
              label="Tax ID Number (TIN)"
              inputMode="numeric"
              autoComplete="off"
              kind={kinds.ftin}
              data-autofocus
              required
            />
            <SelectField
              control={control}
              name="type"
              label="Provider Type"
              options={searchedTypes}
              onChanged={() => {
                for (const name of ['firstName', 'lastName', 'facility'] as const) setValue(name, '');
              }}
            />
            <TextField
              control={control}
              name="prvId"
              label="Provider ID"
              inputMode="numeric"
              autoComplete="off"
              kind={kinds.prvId}
            />
            {type === 'P' ? (
              <>
                <TextField
                  control={control}
                  name="firstName"
                  label="First Name"
                  autoComplete="off"
                  kind={kinds.name}
                />
                <TextField
                  control={control}
                  name="lastName"
                  label="Last Name"
                  autoComplete="off"
                  kind={kinds.name}
                />
              </>
            ) : (
              <TextField
                control={control}
                name="facility"
                label="Facility Name"
                autoComplete="off"
                kind={kinds.name}
              />
            )}
          </div>
          <div className="button-row">
            <Button type="submit" busy={search.isPending}>
              Search
            </Button>
            <Button
              onClick={() => {
                reset(noLookup);
                search.reset();
                clearResults();
              }}
            >
              Reset
            </Button>
          </div>
        </form>
        {problem && <Banner kind="error">{problem}</Banner>}
        {search.data?.limitedTo && (
          <Banner kind="info">
            {`Only the first ${formatCount(search.data.limitedTo)} providers are shown. Narrow your search with a Provider ID or the start of a name.`}
          </Banner>
        )}
        {!search.isIdle && (
          <DataTable
            title="Providers"
            headingLevel={3}
            columns={columns}
            rows={search.data?.providers ?? []}
            rowId={({ prvId }) => prvId}
            initial={{ sort: { id: 'name', desc: false } }}
            status={search.isPending ? 'loading' : search.isError ? 'failed' : 'ready'}
            onRetry={() => void start()}
            empty="No Providers found for the selected Tax ID"
          />
        )}
      </div>
    </Dialog>
  );
}

const getColumns = (
  chosen: Provider | null,
  onChoose: (provider: Provider | null) => void,
): Column<Provider>[] => [
  {
    id: 'select',
    header: 'Select',
    minWidth: '4.25rem',
    sortable: false,
    filterable: false,
    value: () => '',
    // One at a time: selecting another replaces it.
    cell: (provider) => (
      <input
        type="checkbox"
        className={styles.check}
        aria-label={`Select ${provider.prvName}`}
        checked={chosen?.prvId === provider.prvId}
        onChange={(event) => onChoose(event.target.checked ? provider : null)}
      />
    ),
  },
  { id: 'tin', header: 'Tax ID', value: ({ prvTaxId }) => formatTin(prvTaxId) },
  { id: 'provider', header: 'Provider ID', value: ({ prvId }) => prvId },
  { id: 'name', header: 'Provider Name', value: ({ prvName }) => prvName, wrap: true, minWidth: '10rem' },
  { id: 'type', header: 'Provider Type', value: ({ prvProviderType }) => formatType(prvProviderType) },
];
