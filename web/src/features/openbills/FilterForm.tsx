import { zodResolver } from '@hookform/resolvers/zod';
import { memo, useId, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Control, useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { useTinOptions } from '@/shared/tins';
import { Button } from '@/ui/Button';
import { CheckboxField, SelectField, TextField } from '@/ui/form/fields';
import { SearchCard } from '@/ui/form/SearchCard';
import { type Criteria, criteriaSchema, kinds, me, nobody, noFilters, periods } from './criteria';
import styles from './openbills.module.css';
import { useCanWork, usePeople } from './queries';

interface Props {
  tins: readonly string[];
  criteria: Criteria;
  /** The criteria after a reset. */
  initialCriteria: Criteria;
  searching: boolean;
  onSearch: (criteria: Criteria) => void;
}

const dueOptions = [
  { value: 'passed', label: 'Overdue' },
  { value: 'week', label: 'Within 7 days' },
];

const markOptions = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
  { value: 'parked', label: 'Snoozed' },
];

/** Less common filters, shown below on request. */
const moreFilters = [
  'amountFrom',
  'amountTo',
  'shortFrom',
  'ageFrom',
  'ageTo',
  'answered',
  'marked',
  'noted',
] as const satisfies (keyof Criteria)[];

/** Memoized, so that it doesn't rerender with the filtered list. */
export const FilterForm = memo(function FilterForm({
  tins,
  criteria,
  initialCriteria,
  searching,
  onSearch,
}: Props) {
  const form = useForm<Criteria>({ resolver: zodResolver(criteriaSchema), values: criteria });
  const { control, handleSubmit } = form;
  const [more, setMore] = useState(false);
  const moreId = useId();
  // The extra filters appear before the button and move it down, so the first one takes the
  // focus.
  const toggle = () => {
    flushSync(() => setMore(!more));
    if (!more) document.getElementById(moreId)?.querySelector<HTMLElement>('input, select')?.focus();
  };
  const set = moreFilters.filter((name) => criteria[name] !== noFilters[name]).length;
  return (
    <SearchCard
      searchLabel="Show"
      searching={searching}
      onSubmit={handleSubmit(onSearch, (wrong) => setMore(more || moreFilters.some((name) => name in wrong)))}
      onReset={() => onSearch(initialCriteria)}
      afterButtons={
        <Button variant="link" aria-expanded={more} aria-controls={moreId} onClick={toggle}>
          {more ? 'Fewer filters' : set > 0 ? `More filters (${set})` : 'More filters'}
        </Button>
      }
    >
      <Fields
        control={control}
        tins={tins}
        missingTin={tins.includes(criteria.tin) ? '' : criteria.tin}
        more={more}
        moreId={moreId}
      />
    </SearchCard>
  );
});

interface FieldsProps {
  control: Control<Criteria>;
  tins: readonly string[];
  /** The view's Tax ID that the user doesn't have. The result is empty, and the field says why. */
  missingTin: string;
  /** The extra filters are visible, in the element with this ID. */
  more: boolean;
  moreId: string;
}

const Fields = memo(function Fields({ control, tins, missingTin, more, moreId }: FieldsProps) {
  const canWork = useCanWork();
  return (
    <>
      <div className={styles.criteria}>
        {(tins.length > 1 || missingTin) && (
          <TinField control={control} tins={tins} missingTin={missingTin} />
        )}
        <TextField control={control} name="payer" kind={kinds.payer} label="Payer" autoComplete="off" />
        <TextField
          control={control}
          name="provider"
          kind={kinds.provider}
          label="Provider"
          autoComplete="off"
        />
        <SelectField control={control} name="due" label="Due" placeholder="Any time" options={dueOptions} />
        <TextField
          control={control}
          name="reason"
          kind={kinds.reason}
          label="Reason code"
          autoComplete="off"
        />
        {canWork && <AssignedField control={control} />}
      </div>
      <div id={moreId} className={styles.criteria} hidden={!more}>
        <TextField
          control={control}
          name="amountFrom"
          kind={kinds.amount}
          label="Charge from"
          inputMode="decimal"
        />
        <TextField
          control={control}
          name="amountTo"
          kind={kinds.amount}
          label="Charge to"
          inputMode="decimal"
        />
        <TextField
          control={control}
          name="shortFrom"
          kind={kinds.amount}
          label="Underpaid by at least"
          inputMode="decimal"
        />
        <TextField
          control={control}
          name="ageFrom"
          kind={kinds.days}
          label="Age from (days)"
          inputMode="numeric"
        />
        <TextField
          control={control}
          name="ageTo"
          kind={kinds.days}
          label="Age to (days)"
          inputMode="numeric"
        />
        <SelectField
          control={control}
          name="answered"
          label="Date paid or denied"
          placeholder="Any time"
          options={Object.entries(periods).map(([value, label]) => ({ value, label }))}
        />
        {canWork && (
          <>
            <SelectField control={control} name="marked" label="Work status" options={markOptions} />
            <CheckboxField control={control} name="noted" label="Has notes" />
          </>
        )}
      </div>
    </>
  );
});

/** Rerenders alone when the office names arrive. */
function TinField({ control, tins, missingTin }: Pick<FieldsProps, 'control' | 'tins' | 'missingTin'>) {
  const own = useTinOptions(tins);
  const options = useMemo(
    () => (missingTin ? [{ value: missingTin, label: missingTin, note: 'not your Tax ID' }, ...own] : own),
    [own, missingTin],
  );
  return (
    <SelectField control={control} name="tin" label="Tax ID (TIN)" placeholder="All" options={options} />
  );
}

function AssignedField({ control }: Pick<FieldsProps, 'control'>) {
  const { actingUser } = useSession();
  const { data: people = [] } = usePeople();
  const assigned = [
    { value: me, label: 'Me' },
    ...people
      .filter(({ userName }) => userName !== actingUser.userNm)
      .map(({ userName, name }) => ({ value: userName, label: name })),
    { value: nobody, label: 'Unassigned' },
  ];
  return (
    <SelectField
      control={control}
      name="assigned"
      label="Assigned to"
      placeholder="Anyone"
      options={assigned}
    />
  );
}
