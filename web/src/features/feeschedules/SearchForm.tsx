import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { useProviderPicker } from '@/shared/providers';
import { useTinOptions } from '@/shared/tins';
import { Banner } from '@/ui/Banner';
import { ComboboxField } from '@/ui/form/ComboboxField';
import { FormBanner } from '@/ui/form/FormBanner';
import { RadioGroup } from '@/ui/form/fields';
import { SearchCard, type SearchFormProps } from '@/ui/form/SearchCard';
import { Failed } from '@/ui/PageState';
import {
  type Criteria,
  linesOfBusiness,
  makeCriteriaSchema,
  makeEmptyCriteria,
  providerNotFound,
  type Searched,
} from './criteria';
import styles from './feeschedules.module.css';

interface Props extends Omit<SearchFormProps<Searched>, 'onReset' | 'onInvalid'> {
  tins: readonly string[];
  /** Changing a selection clears the results. */
  onChange: () => void;
}

const loading = 'Loading providers';

export function SearchForm({ tins, current, searching, found, onSearch, onChange }: Props) {
  // A user's only TIN is preselected.
  const [only = ''] = tins.length === 1 ? tins : [];
  const chosen = current && { lob: current.lob, tin: current.tin, providerId: current.providerId };
  const form = useForm<Criteria>({
    resolver: (...submitted) => zodResolver(makeCriteriaSchema(providers.none))(...submitted),
    shouldFocusError: false,
    defaultValues: chosen ?? makeEmptyCriteria(only),
  });
  const { control, handleSubmit, resetField, formState } = form;
  const [tin, providerId] = useWatch({ control, name: ['tin', 'providerId'] });
  const providers = useProviderPicker(tin, providerId);
  const { none } = providers;

  // While providers load, the field keeps the focus of users who have already moved there.
  function getNothingFound() {
    if (providers.isLoading) return loading;
    return tin ? providers.field.nothingFound : 'Select a Tax ID first';
  }

  const search = (criteria: Criteria) =>
    onSearch({
      ...criteria,
      providerType: providers.provider?.prvProviderType ?? current?.providerType ?? '',
    });

  return (
    <SearchCard
      searching={searching}
      summary={
        current && [
          linesOfBusiness.find(({ value }) => value === current.lob)?.label,
          `Tax ID ${current.tin}`,
          providers.provider?.prvName ?? `Provider ${current.providerId}`,
        ]
      }
      found={found}
      onSubmit={handleSubmit(search, onChange)}
    >
      <div className={styles.criteria}>
        <FormBanner form={form} />
        {none && !formState.errors.providerId && <Banner kind="error">{providerNotFound}</Banner>}
        <RadioGroup
          control={control}
          name="lob"
          label="Line of Business"
          options={linesOfBusiness}
          onChanged={onChange}
        />
        <div className={styles.fields}>
          <ComboboxField
            control={control}
            name="tin"
            label="Tax ID"
            options={useTinOptions(tins)}
            nothingFound="Not one of your Tax IDs (TINs)"
            onChanged={() => {
              resetField('providerId', { defaultValue: '' });
              onChange();
            }}
            required
          />
          <ComboboxField
            control={control}
            name="providerId"
            label="Provider"
            {...providers.field}
            placeholder={providers.isLoading ? loading : undefined}
            nothingFound={getNothingFound()}
            onChanged={onChange}
            required
          />
        </div>
        {providers.isError && <Failed onRetry={() => void providers.refetch()} />}
      </div>
    </SearchCard>
  );
}
