import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTinOptions } from '@/shared/tins';
import { DateField } from '@/ui/form/DateField';
import { CheckboxField, SelectField, TextField } from '@/ui/form/fields';
import { SearchCard } from '@/ui/form/SearchCard';
import { useMedia } from '@/ui/useMedia';
import { type Criteria, criteriaSchema, getDefaultCriteria, kinds, methods } from './criteria';
import styles from './remittances.module.css';

interface Props {
  tins: readonly string[];
  current: Criteria;
  searching: boolean;
  onSearch: (criteria: Criteria) => void;
}

const methodOptions = Object.entries(methods).map(([value, label]) => ({ value, label }));

/** Reports whether something else than a number and dates is searched. */
const hasRareCriteria = ({ number: _number, from: _from, to: _to, ...rare }: Criteria) =>
  Object.values(rare).some(Boolean);

export function SearchForm({ tins, current, searching, onSearch }: Props) {
  const form = useForm<Criteria>({ resolver: zodResolver(criteriaSchema), defaultValues: current });
  const { control, handleSubmit, reset, formState } = form;
  const { errors } = formState;
  const options = useTinOptions(tins);
  const isPhone = useMedia('(max-width: 39.99rem)');
  const [isOpen, setOpen] = useState(() => hasRareCriteria(current));
  const rareFields = (
    <>
      <TextField
        control={control}
        name="payer"
        kind={kinds.payer}
        label="Payer"
        hint="Part of the name"
        autoComplete="off"
      />
      <TextField
        control={control}
        name="amount"
        kind={kinds.amount}
        label="Amount"
        hint="Such as 1,847.50"
        inputMode="decimal"
        autoComplete="off"
      />
      <SelectField control={control} name="method" label="Method" placeholder="All" options={methodOptions} />
      {tins.length > 1 && (
        <SelectField control={control} name="ftin" label="Tax ID (TIN)" placeholder="All" options={options} />
      )}
    </>
  );
  const checkboxes = (
    <fieldset className={styles.only}>
      <legend>Show only</legend>
      <CheckboxField control={control} name="reversals" label="With reversals" />
      <CheckboxField control={control} name="adjusted" label="With provider-level adjustments" />
      <CheckboxField control={control} name="notPosted" label="Not posted" />
    </fieldset>
  );
  return (
    <SearchCard
      searching={searching}
      onSubmit={handleSubmit(onSearch)}
      onReset={() => {
        reset(getDefaultCriteria());
        onSearch(getDefaultCriteria());
      }}
    >
      <div className={styles.criteria}>
        <TextField
          control={control}
          name="number"
          kind={kinds.number}
          label="Check or EFT number"
          hint="Full number, any date"
          autoComplete="off"
        />
        <DateField control={control} name="from" label="Paid from" />
        <DateField control={control} name="to" label="Paid to" />
        {!isPhone && rareFields}
      </div>
      {isPhone ? (
        <details
          className={styles.more}
          open={isOpen || errors.amount !== undefined}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary>More filters</summary>
          <div className={styles.criteria}>{rareFields}</div>
          {checkboxes}
        </details>
      ) : (
        checkboxes
      )}
    </SearchCard>
  );
}
