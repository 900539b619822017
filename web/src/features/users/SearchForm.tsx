import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { accountTypes } from '@/shared/accounts';
import { FormBanner } from '@/ui/form/FormBanner';
import { SelectField, TextField } from '@/ui/form/fields';
import { SearchCard, type SearchFormProps } from '@/ui/form/SearchCard';
import { type Criteria, criteriaSchema, kinds, noCriteria } from './criteria';
import styles from './users.module.css';

export function SearchForm({ current, searching, onInvalid, onSearch, onReset }: SearchFormProps<Criteria>) {
  const form = useForm<Criteria>({
    resolver: zodResolver(criteriaSchema),
    shouldFocusError: false,
    defaultValues: current ?? noCriteria,
  });
  const { control, clearErrors, handleSubmit, reset } = form;
  const typed = useWatch({ control });
  const only = (['userName', 'name', 'emailAddress', 'ftin', 'groupId'] as const).find((name) => typed[name]);
  const getFieldProps = (name: NonNullable<typeof only>) => ({
    control,
    name,
    kind: kinds[name],
    disabled: only !== undefined && only !== name,
    autoComplete: 'off',
    // The first field shows the error for an empty form.
    onChanged: () => name !== 'userName' && clearErrors('userName'),
  });

  return (
    <SearchCard
      searching={searching}
      onSubmit={handleSubmit(onSearch, onInvalid)}
      onReset={() => {
        reset(noCriteria);
        onReset();
      }}
      searchLabel="SEARCH"
      resetLabel="RESET"
    >
      <div className={styles.criteria}>
        <FormBanner form={form} />
        <div className="field-grid">
          <TextField
            {...getFieldProps('userName')}
            label="Username"
            hint="At least 3 characters from any part"
          />
          <TextField {...getFieldProps('name')} label="Name" hint="First name, last name or both" />
          <TextField
            {...getFieldProps('emailAddress')}
            label="Email Address"
            hint="The whole address, or * and part of it"
          />
          <TextField {...getFieldProps('ftin')} label="Tax ID Number (TIN)" inputMode="numeric" />
          <TextField {...getFieldProps('groupId')} label="Group ID" inputMode="numeric" />
          <SelectField
            control={control}
            name="userTypeCD"
            label="Account Type"
            placeholder="All"
            options={accountTypes}
            hint="Narrows other criteria"
          />
        </div>
      </div>
    </SearchCard>
  );
}
