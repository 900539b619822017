import { zodResolver } from '@hookform/resolvers/zod';
import { useRef } from 'react';
import { type Control, type UseFormReturn, useController, useForm } from 'react-hook-form';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/form/bound';
import { TextField } from '@/ui/form/fields';
import styles from './account.module.css';
import { kinds, type Provider, providerSchema, type Registration } from './registration';

/** The provider form until it's added. */
export const useProviderForm = () =>
  useForm<Provider>({
    resolver: zodResolver(providerSchema),
    defaultValues: { ftin: '', providerName: '' },
  });

interface Props {
  control: Control<Registration>;
  form: UseFormReturn<Provider>;
}

/** The provider of a request. Users fill it in, add it, and can remove it again. */
export function ProviderFields({ control, form }: Props) {
  const { field, fieldState } = useController({ control, name: 'providerList' });
  const group = useRef<HTMLFieldSetElement>(null);
  const id = fieldId(control, 'providerList');
  const error = fieldState.error?.message;
  const full = field.value.length > 0;

  const add = form.handleSubmit((provider) => {
    field.onChange([...field.value, provider]);
    form.reset();
    group.current?.focus();
  });
  const remove = (provider: Provider) => {
    field.onChange(field.value.filter((other) => other !== provider));
    group.current?.focus();
  };

  return (
    <fieldset
      ref={group}
      id={id}
      tabIndex={-1}
      className={styles.section}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend>Provider Information</legend>
      <p className={styles.hint}>One provider per request. Fill in both fields, then select Add.</p>
      {full && (
        <ul className={styles.providers} aria-label="Providers">
          {field.value.map((provider) => (
            <li key={provider.ftin}>
              <span>
                {provider.providerName}
                <small>FTIN {provider.ftin}</small>
              </span>
              <Button
                size="small"
                aria-label={`Remove ${provider.providerName}`}
                onClick={() => remove(provider)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter adds an entry instead of submitting the whole form */}
      <div
        className="field-grid"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          control={form.control}
          name="ftin"
          label="FTIN"
          inputMode="numeric"
          autoComplete="off"
          kind={kinds.ftin}
          disabled={full}
          required={!full}
        />
        <TextField
          control={form.control}
          name="providerName"
          label="Provider Name"
          autoComplete="off"
          kind={kinds.providerName}
          disabled={full}
          required={!full}
        />
      </div>
      <div className="button-row">
        <Button disabled={full} onClick={() => void add()}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}
