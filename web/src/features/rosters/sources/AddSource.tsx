import { type KeyboardEvent, useId } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Button } from '@/ui/Button';
import { ComboboxField } from '@/ui/form/ComboboxField';
import { TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import type { Source } from './queries';
import styles from './sources.module.css';

export interface Entry {
  sourceId: string;
  providerGroup: string;
}

const providerGroup = line(100);

export const noEntry: Entry = { sourceId: '', providerGroup: '' };

const fields = '[name="providerGroup"], [role="combobox"]:not([aria-expanded="true"])';

interface Props {
  form: UseFormReturn<Entry>;
  sources: readonly Source[];
  disabled: boolean;
  busy: boolean;
  onAdd: () => void;
}

/**
 * Selects a source by name, or finds it by one of its provider groups. Each one clears the
 * other.
 */
export function AddSource({ form, sources, disabled, busy, onAdd }: Props) {
  const { control, setValue, clearErrors } = form;
  const entry = useWatch({ control });
  const titleId = useId();
  const clearOther = (other: keyof Entry) => (value: string) => {
    clearErrors();
    if (value) setValue(other, '');
  };
  // While nothing is filled in, ADD is disabled and Enter shows the error. In an open list Enter
  // selects.
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target as Element).matches(fields)) return;
    event.preventDefault();
    if (!event.repeat && !busy) onAdd();
  };

  return (
    <section className={styles.adding} aria-labelledby={titleId} onKeyDown={addOnEnter}>
      <h2 id={titleId} className="visually-hidden">
        Add a Roster Hub Source
      </h2>
      <ComboboxField
        control={control}
        name="sourceId"
        label="Roster Hub Source Name *"
        placeholder="Type a name or ID"
        options={sources.map(({ sourceId, sourceName }) => ({
          value: String(sourceId),
          label: `${sourceName} (${sourceId})`,
        }))}
        disabled={disabled}
        onChanged={clearOther('providerGroup')}
      />
      <p className={styles.or}>OR</p>
      <TextField
        control={control}
        name="providerGroup"
        label="Provider Hub Provider Group ID *"
        autoComplete="off"
        kind={providerGroup}
        disabled={disabled}
        onChanged={clearOther('sourceId')}
      />
      <Button
        className={styles.add}
        variant="primary"
        busy={busy}
        disabled={disabled || !(entry.sourceId || entry.providerGroup?.trim())}
        onClick={onAdd}
      >
        ADD
      </Button>
    </section>
  );
}
