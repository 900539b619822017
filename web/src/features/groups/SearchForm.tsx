import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useRosterSources } from '@/shared/rosterSources';
import { Button } from '@/ui/Button';
import { ComboboxField } from '@/ui/form/ComboboxField';
import { FormBanner } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { SearchCard, type SearchFormProps } from '@/ui/form/SearchCard';
import { type Criteria, type Criterion, criteriaSchema, getCriterion, kinds, noCriteria } from './criteria';
import styles from './groups.module.css';

export function SearchForm({ current, searching, onInvalid, onSearch, onReset }: SearchFormProps<Criteria>) {
  const sources = useRosterSources('groups');
  const form = useForm<Criteria>({
    resolver: zodResolver(criteriaSchema),
    shouldFocusError: false,
    defaultValues: current ?? noCriteria,
  });
  const { control, handleSubmit, reset, setValue, clearErrors } = form;
  const only = getCriterion(useWatch({ control }));
  const [more, setMore] = useState(Boolean(current?.username || current?.emailAddress));
  const moreId = useId();
  const closed = (name: Criterion) => only !== undefined && only !== name;
  const getFieldProps = (name: keyof typeof kinds) => ({
    control,
    name,
    kind: kinds[name],
    disabled: closed(name),
    autoComplete: 'off',
    // The first field shows the error for an empty form.
    onChanged: () => name !== 'portalUserGroupId' && clearErrors('portalUserGroupId'),
  });

  function toggle() {
    // Hidden fields must not disable the others.
    for (const name of ['username', 'emailAddress'] as const) {
      setValue(name, '');
      clearErrors(name);
    }
    setMore(!more);
  }

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
        <FormBanner
          form={form}
          title='An error has occurred. Please address all fields marked with "Error".'
        />
        <div className="field-grid">
          <TextField
            {...getFieldProps('portalUserGroupId')}
            label="Portal User Group ID"
            inputMode="numeric"
          />
          <TextField {...getFieldProps('taxIdNumber')} label="Tax ID Number (TIN)" inputMode="numeric" />
          <ComboboxField
            control={control}
            name="rosterHubSource"
            label="Roster Hub Source"
            placeholder="Type a name"
            options={(sources.data ?? []).map(({ sourceId, sourceName }) => ({
              value: String(sourceId),
              label: sourceName,
            }))}
            nothingFound={
              sources.isError
                ? 'Error: Unable to retrieve roster sources. Please try again later.'
                : 'No results'
            }
            disabled={closed('rosterHubSource')}
            onChanged={(rosterHubSource) => rosterHubSource && reset({ ...noCriteria, rosterHubSource })}
          />
          <TextField {...getFieldProps('providerHubGroupId')} label="Provider Hub Provider Group ID" />
        </div>
        <div>
          <Button variant="link" aria-expanded={more} aria-controls={moreId} onClick={toggle}>
            {more ? 'Hide Options' : 'More Options'}
          </Button>
        </div>
        <div id={moreId} className="field-grid" hidden={!more}>
          <TextField {...getFieldProps('username')} label="Username" hint="At least 3 characters" />
          <TextField
            {...getFieldProps('emailAddress')}
            label="Email Address/Domain"
            hint="Example: jo@example.com or example.com"
          />
        </div>
      </div>
    </SearchCard>
  );
}
