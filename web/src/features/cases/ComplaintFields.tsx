import { HintAndError, RequiredMark } from '@/ui/form/Field';
import { CheckboxInput, TextInput } from '@/ui/form/inputs';
import { type Category, categories } from './cases';
import styles from './cases.module.css';

export interface ComplaintValues {
  categories: Category[];
  lawState: string;
}

export const noComplaint: ComplaintValues = { categories: [], lawState: '' };

export type ComplaintErrors = Partial<Record<keyof ComplaintValues, string>>;

/** Returns what is wrong with a complaint's fields. */
export const checkComplaint = (values: ComplaintValues): ComplaintErrors => ({
  categories: values.categories.length > 0 ? undefined : 'Error: Select a category',
  lawState: /^([A-Z]{2})?$/.test(values.lawState) ? undefined : 'Error: Enter a 2-letter state code',
});

/** What makes a question a complaint. */
export function ComplaintFields({
  values,
  errors,
  hasBills = false,
  onChange,
}: {
  values: ComplaintValues;
  errors: ComplaintErrors;
  hasBills?: boolean;
  onChange: (values: ComplaintValues) => void;
}) {
  const toggle = (category: Category) => () =>
    onChange({
      ...values,
      categories: values.categories.includes(category)
        ? values.categories.filter((other) => other !== category)
        : [...values.categories, category],
    });
  return (
    <>
      <fieldset
        className={styles.categories}
        aria-describedby={errors.categories && 'categories-error'}
        data-invalid={errors.categories && true}
      >
        <legend>
          Categories
          <RequiredMark />
        </legend>
        {(Object.keys(categories) as Category[]).map((category) => (
          <CheckboxInput
            key={category}
            label={categories[category]}
            checked={values.categories.includes(category)}
            onChange={toggle(category)}
          />
        ))}
        <HintAndError id="categories" error={errors.categories} />
      </fieldset>
      <TextInput
        label="State"
        hint={
          hasBills
            ? "Whose law applies, such as TX. A state named by a bill's file takes precedence."
            : "Whose law applies, such as TX. Leave blank if you don't know."
        }
        value={values.lawState}
        error={errors.lawState}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...values, lawState: target.value.trim().toUpperCase() })}
      />
    </>
  );
}
