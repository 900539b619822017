import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { nameKind } from '@/shared/validation';
import { today } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { SearchCard, type SearchFormProps } from '@/ui/form/SearchCard';
import styles from './claims.module.css';
import { type Criteria, criteriaSchema, formatSummary, noCriteria } from './criteria';

export function SearchForm({
  current,
  searching,
  found,
  onInvalid,
  onSearch,
  onReset,
}: SearchFormProps<Criteria>) {
  const form = useForm<Criteria>({
    resolver: zodResolver(criteriaSchema),
    shouldFocusError: false,
    defaultValues: current ?? noCriteria,
  });
  const { control, handleSubmit, reset } = form;
  return (
    <SearchCard
      searching={searching}
      summary={current && formatSummary(current)}
      found={found}
      onSubmit={handleSubmit(onSearch, onInvalid)}
      onReset={() => {
        reset(noCriteria);
        onReset();
      }}
    >
      <div className={styles.criteria}>
        <FormBanner
          form={form}
          title="An error has occurred. Please address all fields marked with “Error”."
        />
        <div className="field-grid">
          <TextField
            control={control}
            name="claimantFirstName"
            label="Claimant First Name"
            hint="Full name, or the first letters followed by *"
            kind={nameKind}
            autoComplete="off"
            required
          />
          <TextField
            control={control}
            name="claimantLastName"
            label="Claimant Last Name"
            kind={nameKind}
            autoComplete="off"
            required
          />
          <DateField
            control={control}
            name="claimantDOB"
            label="Claimant Date of Birth"
            maxDate={today()}
            required
          />
          <DateField
            control={control}
            name="doi"
            label="Claimant Date of Injury"
            maxDate={today()}
            required
          />
        </div>
      </div>
    </SearchCard>
  );
}
