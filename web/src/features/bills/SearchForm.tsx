import { zodResolver } from '@hookform/resolvers/zod';
import { memo } from 'react';
import { type Control, type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { useTinOptions } from '@/shared/tins';
import { Accordion } from '@/ui/Accordion';
import { today } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { MultiSelectField } from '@/ui/form/MultiSelectField';
import { SearchCard, type SearchFormProps } from '@/ui/form/SearchCard';
import styles from './bills.module.css';
import {
  type BillSearch,
  type Criteria,
  criteriaSchema,
  formatSummary,
  kinds,
  type Mode,
  makeEmptyCriteria,
  maxTins,
  selectTins,
} from './criteria';

interface Props extends Omit<SearchFormProps<Criteria>, 'current'> {
  current: BillSearch | null;
  tins: readonly string[];
  /** The claim whose bills to find, until the first search. */
  claimNumber: string;
}

/** Memoized, so that it doesn't rerender with the results table. */
export const SearchForm = memo(function SearchForm({
  tins,
  current,
  claimNumber,
  searching,
  found,
  onInvalid,
  onSearch,
  onReset,
}: Props) {
  // A user's only TIN is preselected.
  const empty = makeEmptyCriteria(tins.length === 1 ? [...tins] : []);
  const form = useForm<Criteria>({
    resolver: zodResolver(criteriaSchema),
    shouldFocusError: false,
    defaultValues:
      current && current.mode !== 'wholeClaim'
        ? current
        : { ...empty, claimNumber: current?.claimNumber ?? claimNumber },
  });
  const { control, handleSubmit, reset, getValues } = form;
  const mode = useWatch({ control, name: 'mode' });

  const date = (
    <DateField
      control={control}
      name="serviceDate"
      label="Approximate Date of Service"
      hint="MM/DD/YYYY, within 7 days"
      maxDate={today()}
      required
    />
  );
  const sections = [
    {
      name: 'claim' as const,
      title: 'Search by Claim Number',
      hint: 'One claim, near a date',
      content: (
        <div className="field-grid">
          <TextField
            control={control}
            name="claimNumber"
            label="Claim Number"
            kind={kinds.claimNumber}
            required
          />
          {date}
        </div>
      ),
    },
    {
      name: 'claimant' as const,
      title: 'Search by Claimant',
      hint: 'One person, near a date',
      content: (
        <div className="field-grid">
          <TextField
            control={control}
            name="claimantFirstName"
            label="Claimant First Name"
            kind={kinds.claimantFirstName}
            autoComplete="off"
            required
          />
          <TextField
            control={control}
            name="claimantLastName"
            label="Claimant Last Name"
            kind={kinds.claimantLastName}
            autoComplete="off"
            required
          />
          <DateField
            control={control}
            name="claimantDateOfBirth"
            label="Claimant Date of Birth"
            maxDate={today()}
            required
          />
          {date}
        </div>
      ),
    },
    {
      name: 'bill' as const,
      title: 'Search by Bill ID',
      hint: 'One bill, any date',
      content: <BillIds form={form} />,
    },
  ];

  // Another mode starts empty. It clears the fields and errors of the others, but not the TINs.
  const choose = (next: Mode | null) => {
    if (next && next !== mode) reset(makeEmptyCriteria(getValues('tins'), next));
  };

  return (
    <SearchCard
      searching={searching}
      summary={current && formatSummary(current)}
      found={found}
      onSubmit={handleSubmit(onSearch, onInvalid)}
      onReset={() => {
        // The next search usually uses the same mode and TINs.
        reset(makeEmptyCriteria(getValues('tins'), mode));
        onReset();
      }}
    >
      <div className={styles.tins}>
        <FormBanner
          form={form}
          title={
            'Please enter required information for search.  Refer to "Search Help" for valid search combinations.'
          }
        />
        <div className={styles.tin}>
          <Tins control={control} tins={tins} />
        </div>
      </div>
      <Accordion sections={sections} open={mode} onOpen={choose} flat />
    </SearchCard>
  );
});

/** Rerenders alone when the office names arrive. */
const Tins = memo(function Tins({ control, tins }: { control: Control<Criteria>; tins: readonly string[] }) {
  return (
    <MultiSelectField
      control={control}
      name="tins"
      label={selectTins}
      max={maxTins}
      options={useTinOptions(tins)}
      nothingFound="Not one of your Tax IDs (TINs)"
      required
    />
  );
});

/** Two numbers of a bill. Either is enough, so typing in one disables the other. */
function BillIds({ form: { control, clearErrors } }: { form: UseFormReturn<Criteria> }) {
  const [billControlNumber, documentId] = useWatch({ control, name: ['billControlNumber', 'documentId'] });
  return (
    <div className="field-grid">
      <TextField
        control={control}
        name="billControlNumber"
        label="Bill Control Number"
        kind={kinds.billControlNumber}
        disabled={documentId !== ''}
      />
      <TextField
        control={control}
        name="documentId"
        label="Document ID"
        kind={kinds.documentId}
        disabled={billControlNumber !== ''}
        onChanged={() => clearErrors('billControlNumber')}
      />
    </div>
  );
}
