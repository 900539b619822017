import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type Control, useController, useWatch } from 'react-hook-form';
import { Problem } from '@/api/client';
import { useGroupTins, useTinColumn } from '@/shared/tins';
import { findTinProblem } from '@/shared/validation';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/form/bound';
import { TextInput } from '@/ui/form/inputs';
import { findLengthProblem } from '@/ui/form/kinds';
import { formatTin } from '@/ui/format';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { useStableCallback } from '@/ui/useStableCallback';
import styles from './adding.module.css';
import { alreadyAdded, findTinRefusal, genericError, kinds, type NewUser, type Tin } from './newUser';
import { useCheckNonNetworkTin } from './queries';

type Props = { control: Control<NewUser> };

const tinColumn: Column<Tin> = { id: 'tin', header: 'Tax ID (TIN)', value: ({ ftin }) => formatTin(ftin) };
const noTins: Tin[] = [];
export const byTin = { sort: { id: 'tin', desc: false } };

/** An existing group's TINs: users select some, or all belong to the user anyway. */
export function GroupTins({ control, groupId, choose }: Props & { groupId: number; choose: boolean }) {
  const { field, fieldState } = useController({ control, name: 'userFtins' });
  const tins = useGroupTins(groupId);
  const column = useTinColumn<Tin>('tin', 'Tax ID (TIN)', tins.data ?? noTins);
  const columns = useMemo(() => [column], [column]);
  const typedGroup = useWatch({ control, name: 'grpInfoId' });
  const isCurrent = choose && tins.isSuccess && !tins.isFetching && Number(typedGroup) === groupId;
  // A selected TIN may have left the group.
  const dropMissing = useEffectEvent((offered: readonly Tin[]) => {
    const rest = field.value.filter(({ ftin }) => offered.some((tin) => tin.ftin === ftin));
    if (rest.length < field.value.length) field.onChange(rest);
  });
  useEffect(() => {
    if (isCurrent && tins.data) dropMissing(tins.data);
  }, [isCurrent, tins.data]);
  return (
    <TinSet control={control} error={fieldState.error?.message}>
      <div className={styles.table}>
        <DataTable
          title={`TINs in group ${groupId}`}
          headingLevel={3}
          columns={columns}
          rows={tins.data ?? noTins}
          rowId={({ ftin }) => ftin}
          initial={byTin}
          status={tins.isPending ? 'loading' : tins.isError ? 'failed' : 'ready'}
          onRetry={() => void tins.refetch()}
          empty="There are no Tax IDs (TINs) under this Group ID."
          selection={
            choose
              ? {
                  selected: new Set(field.value.map(({ ftin }) => ftin)),
                  onChange: (selected) => field.onChange([...selected].map((ftin) => ({ ftin }))),
                  label: ({ ftin }) => formatTin(ftin),
                }
              : undefined
          }
        />
      </div>
      {!choose && <p className={styles.hint}>An administrator has all of the group's TINs.</p>}
    </TinSet>
  );
}

/**
 * A non-network user's TINs, each checked when added. The list isn't stored until the user is
 * created.
 */
export function NonNetworkTins({ control }: Props) {
  const { field: added } = useController({ control, name: 'userFtins' });
  const column = useTinColumn<Tin>('tin', 'Tax ID (TIN)', added.value);
  const columns = useMemo(() => [column], [column]);
  const entry = useController({ control, name: 'ftin' });
  const list = useController({ control, name: 'userFtins' });
  const { mutateAsync: check, isPending } = useCheckNonNetworkTin();
  const [refusal, setRefusal] = useState<string>();

  // Stable, because users can remove TINs and type another one while a TIN is checked.
  const putInList = useStableCallback((ftin: string) => {
    list.field.onChange([...list.field.value, { ftin }]);
    if (kinds.ftin.normalize(entry.field.value) === ftin) entry.field.onChange('');
  });

  async function add() {
    if (isPending) return;
    const ftin = kinds.ftin.normalize(entry.field.value);
    const known = list.field.value.some((tin) => tin.ftin === ftin);
    const problem = findTinProblem(ftin) ?? (known ? alreadyAdded : undefined);
    setRefusal(problem);
    if (problem) return;
    try {
      await check(ftin);
      putInList(ftin);
    } catch (error) {
      const code = error instanceof Problem ? error.message : '';
      setRefusal(findTinRefusal('NNUS', code) ?? genericError);
    }
  }

  return (
    <TinSet control={control} error={list.fieldState.error?.message}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter adds an entry instead of submitting the whole form */}
      <div
        className={styles.entry}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void add();
        }}
      >
        <TextInput
          {...entry.field}
          id={fieldId(control, 'ftin')}
          label="Tax ID Number (TIN)"
          inputMode="numeric"
          autoComplete="off"
          tooLong={findLengthProblem(kinds.ftin, entry.field.value)}
          error={refusal ?? entry.fieldState.error?.message}
          inBanner={refusal === undefined}
          onChange={(event) => {
            setRefusal(undefined);
            entry.field.onChange(event);
          }}
          required
        />
        <Button busy={isPending} onClick={() => void add()}>
          ADD
        </Button>
      </div>
      <AddedTins control={control} columns={columns} />
    </TinSet>
  );
}

const providerColumns: Column<Tin>[] = [
  tinColumn,
  { id: 'provider', header: 'Provider ID', value: ({ prvId }) => prvId },
  { id: 'name', header: 'Provider Name', value: ({ prvName }) => prvName, wrap: true, minWidth: '10rem' },
];

/** The TINs of a group created with the user. */
export function NewGroupTins({ control, onLookUp }: Props & { onLookUp: () => void }) {
  const { field, fieldState } = useController({ control, name: 'userFtins' });
  return (
    <TinSet control={control} error={fieldState.error?.message}>
      <p className={styles.hint}>
        The new group gets these TINs. Its administrator can add more later.
        {field.value.length === 0 && " Without a TIN, the group's users can't find bills."}
      </p>
      <div className="button-row">
        <Button onClick={onLookUp}>Add TIN Provider</Button>
      </div>
      <AddedTins control={control} columns={providerColumns} />
    </TinSet>
  );
}

function AddedTins({ control, columns }: Props & { columns: Column<Tin>[] }) {
  const { field } = useController({ control, name: 'userFtins' });
  const list = useRef<HTMLDivElement>(null);
  const remove = useStableCallback((ftin: string) => {
    field.onChange(field.value.filter((tin) => tin.ftin !== ftin));
    // The clicked button is gone, so the focus stays at the list.
    list.current?.focus();
  });
  const all = useMemo<Column<Tin>[]>(
    () => [
      ...columns,
      {
        id: 'remove',
        header: 'Action',
        sortable: false,
        filterable: false,
        value: () => '',
        cell: ({ ftin }) => (
          <Button size="small" variant="quiet" onClick={() => remove(ftin)}>
            Remove
            <span className="visually-hidden"> {formatTin(ftin)}</span>
          </Button>
        ),
      },
    ],
    [columns, remove],
  );
  return (
    <div ref={list} tabIndex={-1} className={styles.table}>
      <DataTable
        title="Added TINs"
        headingLevel={3}
        columns={all}
        rows={field.value}
        rowId={({ ftin }) => ftin}
        empty="No TINs have been added yet."
      />
    </div>
  );
}

/** The error for the TINs as a whole, which a banner's link targets. */
function TinSet({ control, error, children }: Props & { error?: string; children: ReactNode }) {
  const id = fieldId(control, 'userFtins');
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      className={styles.tins}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="visually-hidden">Tax IDs (TINs)</legend>
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}
