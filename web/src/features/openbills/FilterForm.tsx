import { zodResolver } from '@hookform/resolvers/zod';
import { memo, useId, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Control, useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { useTinOptions } from '@/shared/tins';
import { Button } from '@/ui/Button';
import { CheckboxField, SelectField, TextField } from '@/ui/form/fields';
import { SearchCard } from '@/ui/form/SearchCard';
import { type Criteria, criteriaSchema, noFilters } from './criteria';
import { fieldNames, filters, me, nobody, workFilters } from './filters';
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
  const set = fieldNames.more.filter((name) => criteria[name] !== noFilters[name]).length;
  return (
    <SearchCard
      searchLabel="Show"
      searching={searching}
      onSubmit={handleSubmit(onSearch, (wrong) =>
        setMore(more || fieldNames.more.some((name) => name in wrong)),
      )}
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
  const renderField = (name: (typeof fieldNames)['first' | 'more'][number]) => {
    if (workFilters.has(name) && !canWork) return null;
    if (name === 'assigned') return <AssignedField key={name} control={control} />;
    if (name !== 'tin') return <FilterField key={name} control={control} name={name} />;
    return (
      (tins.length > 1 || missingTin) && (
        <TinField key={name} control={control} tins={tins} missingTin={missingTin} />
      )
    );
  };
  return (
    <>
      <div className={styles.criteria}>{fieldNames.first.map(renderField)}</div>
      <div id={moreId} className={styles.criteria} hidden={!more}>
        {fieldNames.more.map(renderField)}
      </div>
    </>
  );
});

/** A filter's field, as its definition describes it. */
function FilterField({ control, name }: Pick<FieldsProps, 'control'> & { name: keyof Criteria }) {
  const { field } = filters[name];
  switch (field?.as) {
    case 'text': {
      const { as: _, ...text } = field;
      return (
        <TextField
          control={control}
          name={name}
          autoComplete={text.inputMode ? undefined : 'off'}
          {...text}
        />
      );
    }
    case 'select': {
      const { as: _, ...select } = field;
      return <SelectField control={control} name={name} {...select} />;
    }
    case 'checkbox':
      return <CheckboxField control={control} name={name} label={field.label} />;
  }
}

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
