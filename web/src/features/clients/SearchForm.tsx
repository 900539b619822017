import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { useProviderPicker } from '@/shared/providers';
import { useTinOptions } from '@/shared/tins';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ComboboxField } from '@/ui/form/ComboboxField';
import { FormBanner } from '@/ui/form/FormBanner';
import { RadioGroup, SelectField } from '@/ui/form/fields';
import { SearchCard } from '@/ui/form/SearchCard';
import styles from './clients.module.css';
import { type Criteria, criteriaSchema, linesOfBusiness, makeEmptyCriteria, pickers } from './criteria';
import { useProducts, useStates } from './queries';
import { formatNoProviders, generalError } from './texts';

interface Props {
  tins: readonly string[];
  /** The search restored from the history. */
  current: Criteria | null;
  searching: boolean;
  found: boolean;
  onSearch: (criteria: Criteria) => void;
  /** Changing a selection clears the results. */
  onChange: () => void;
}

/** Four pickers. Each depends on the previous ones. */
export function SearchForm({ tins, current, searching, found, onSearch, onChange }: Props) {
  // A user's only TIN is preselected.
  const empty = makeEmptyCriteria(tins.length === 1 ? tins[0] : '');
  const form = useForm<Criteria>({
    resolver: zodResolver(criteriaSchema),
    shouldFocusError: false,
    defaultValues: current ?? empty,
  });
  const { control, handleSubmit, reset, resetField } = form;
  const picked = useWatch({ control }) as Criteria;
  const providers = useProviderPicker(picked.tin, picked.providerId);
  const states = useStates(picked, providers.provider?.prvProviderType);
  const products = useProducts(picked);

  const getFieldProps = (name: (typeof pickers)[number]) => {
    const place = pickers.indexOf(name);
    const previous = pickers[place - 1];
    return {
      control,
      name,
      required: true,
      disabled: previous !== undefined && picked[previous] === '',
      onChanged: () => clear(...pickers.slice(place + 1)),
    };
  };
  const clear = (...names: (typeof pickers)[number][]) => {
    for (const name of names) resetField(name, { defaultValue: '' });
    onChange();
  };

  return (
    <SearchCard
      searching={searching}
      summary={
        current && [
          linesOfBusiness.find(({ value }) => value === current.lob)?.label,
          `Tax ID ${current.tin}`,
          providers.provider?.prvName ?? `Provider ${current.providerId}`,
          current.state,
          products.data?.find(({ productCd }) => productCd === current.productCd)?.productName ??
            current.productCd,
        ]
      }
      found={found}
      onSubmit={handleSubmit(onSearch, onChange)}
      onReset={() => {
        reset(empty);
        onChange();
      }}
    >
      <div className={styles.criteria}>
        <FormBanner
          form={form}
          title={'An error has occurred. Please address all fields marked with "Error".'}
        />
        <RadioGroup
          control={control}
          name="lob"
          label="Line of Business"
          options={linesOfBusiness}
          onChanged={() => clear('productCd')}
        />
        <div className="field-grid">
          <ComboboxField
            {...getFieldProps('tin')}
            label="Tax ID"
            options={useTinOptions(tins)}
            nothingFound="Not one of your Tax IDs"
          />
          <ComboboxField
            {...getFieldProps('providerId')}
            label="Provider"
            className={styles.provider}
            {...providers.field}
            placeholder={providers.isLoading ? 'Loading' : undefined}
            nothingFound={providers.isLoading ? 'Loading' : providers.field.nothingFound}
          />
          <SelectField
            {...getFieldProps('state')}
            label="State"
            placeholder={getPlaceholder(states) ?? 'Select'}
            options={(states.data ?? []).map(({ addState }) => ({ value: addState, label: addState }))}
          />
          <SelectField
            {...getFieldProps('productCd')}
            label="Product"
            placeholder={getPlaceholder(products) ?? 'Select'}
            options={(products.data ?? []).map(({ productCd, productName }) => ({
              value: productCd,
              label: productName,
            }))}
          />
        </div>
        <Missing list={providers} isEmpty={providers.none} failed={generalError} none={formatNoProviders()} />
        <Missing
          list={states}
          isEmpty={states.data?.length === 0}
          failed="Error: States not found"
          none="Error: States not found"
        />
        <Missing
          list={products}
          isEmpty={products.data?.length === 0}
          failed="Error: Product not found"
          none="Error: Product not found"
        />
      </div>
    </SearchCard>
  );
}

/** A query for a picker's options. */
interface List {
  isError: boolean;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

const getPlaceholder = ({ data, isFetching }: { data?: unknown; isFetching: boolean }) =>
  isFetching && !data ? 'Loading' : undefined;

/** Explains an empty picker, and offers a retry after an error. */
function Missing({ list, isEmpty, failed, none }: MissingProps) {
  if (list.isError)
    return (
      <Banner kind="error">
        <div className={styles.failed}>
          <span>{failed}</span>
          <Button size="small" busy={list.isFetching} onClick={() => void list.refetch()}>
            Try again
          </Button>
        </div>
      </Banner>
    );
  return isEmpty && <Banner kind="error">{none}</Banner>;
}

interface MissingProps {
  list: List;
  isEmpty: boolean;
  failed: string;
  none: string;
}
