import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { useTinOptions } from '@/shared/tins';
import { CheckboxField, SelectField, TextField } from '@/ui/form/fields';
import { SearchCard } from '@/ui/form/SearchCard';
import { type Criteria, criteriaSchema, everything, kinds, nobody } from './criteria';
import styles from './openbills.module.css';
import { usePeople } from './queries';

interface Props {
  tins: readonly string[];
  kept: Criteria;
  searching: boolean;
  onSearch: (criteria: Criteria) => void;
}

const dues = [
  { value: 'passed', label: 'Passed' },
  { value: 'week', label: 'In 7 days' },
];

const marks = [
  { value: 'open', label: 'On the list' },
  { value: 'done', label: 'Done in our system' },
  { value: 'parked', label: 'Parked' },
];

export function FilterForm({ tins, kept, searching, onSearch }: Props) {
  const { can, actingUser } = useSession();
  const form = useForm<Criteria>({ resolver: zodResolver(criteriaSchema), values: kept });
  const { control, handleSubmit } = form;
  const { data: people = [] } = usePeople();
  const options = useTinOptions(tins);
  const assigned = [
    { value: actingUser.userNm, label: 'Me' },
    ...people
      .filter(({ userName }) => userName !== actingUser.userNm)
      .map(({ userName, name }) => ({ value: userName, label: name })),
    { value: nobody, label: 'Nobody' },
  ];
  return (
    <SearchCard
      searchLabel="Show"
      searching={searching}
      onSubmit={handleSubmit(onSearch)}
      onReset={() => onSearch(everything)}
    >
      <div className={styles.criteria}>
        {tins.length > 1 && (
          <SelectField
            control={control}
            name="tin"
            label="Tax ID (TIN)"
            placeholder="All"
            options={options.map(({ value, note }) => ({ value, label: note ? `${value} ${note}` : value }))}
          />
        )}
        <TextField control={control} name="payer" kind={kinds.payer} label="Payer" autoComplete="off" />
        <TextField
          control={control}
          name="provider"
          kind={kinds.provider}
          label="Provider"
          autoComplete="off"
        />
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
        <SelectField control={control} name="due" label="Due" placeholder="Any time" options={dues} />
        <TextField
          control={control}
          name="reason"
          kind={kinds.reason}
          label="Reason code"
          autoComplete="off"
        />
        {can('work.notes') && (
          <>
            <SelectField
              control={control}
              name="assigned"
              label="Assigned to"
              placeholder="Anyone"
              options={assigned}
            />
            <SelectField control={control} name="marked" label="Which bills" options={marks} />
            <CheckboxField control={control} name="noted" label="Only with a note" />
          </>
        )}
      </div>
    </SearchCard>
  );
}
