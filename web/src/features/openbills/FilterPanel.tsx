import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useMemo } from 'react';
import { type Control, useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { formatAssignee, usePeople } from '@/shared/billWork';
import { useTinOptions } from '@/shared/tins';
import { Button } from '@/ui/Button';
import { CheckboxField, SelectField, TextField } from '@/ui/form/fields';
import { useStableCallback } from '@/ui/useStableCallback';
import { type Criteria, criteriaSchema } from './criteria';
import { filters, me, nobody } from './filters';
import styles from './openbills.module.css';

export interface Preset {
  label: string;
  criteria: Partial<Criteria>;
}

interface Props {
  names: readonly (keyof Criteria)[];
  presets?: readonly Preset[];
  tins: readonly string[];
  criteria: Criteria;
  onFilter: (criteria: Criteria) => void;
}

/** How long after the last key the list is filtered, in milliseconds. */
const typingPause = 300;

/** The fields of some filters. What's entered applies immediately. */
export function FilterPanel({ names, presets = [], tins, criteria, onFilter }: Props) {
  const form = useForm<Criteria>({
    resolver: zodResolver(criteriaSchema),
    defaultValues: criteria,
    // The other end of a range can be wrong while the user is still typing.
    shouldFocusError: false,
  });
  const { control, handleSubmit, setValue } = form;
  const filter = useStableCallback((typed: Criteria) => {
    const next = { ...criteria, ...Object.fromEntries(names.map((name) => [name, typed[name]])) };
    if (JSON.stringify(next) !== JSON.stringify(criteria)) onFilter(next);
  });
  const apply = useMemo(() => handleSubmit(filter), [handleSubmit, filter]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { unsubscribe } = form.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        void apply();
      }, typingPause);
    });
    return () => {
      unsubscribe();
      // Closing the panel doesn't wait.
      if (timer === undefined) return;
      clearTimeout(timer);
      void apply();
    };
  }, [form, apply]);
  return (
    <form className={styles.panel} onSubmit={(event) => void apply(event)}>
      <div className={styles.fields}>
        {names.map((name) => (
          <FilterField key={name} control={control} name={name} tins={tins} criteria={criteria} />
        ))}
      </div>
      {presets.length > 0 && (
        <div className={styles.presets}>
          {presets.map(({ label, criteria: part }) => (
            <Button
              key={label}
              size="small"
              onClick={() => {
                for (const name of names) setValue(name, part[name] ?? filters[name].none);
                void apply();
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </form>
  );
}

interface FieldProps extends Pick<Props, 'tins' | 'criteria'> {
  control: Control<Criteria>;
  name: keyof Criteria;
}

/** A filter's field, as its definition describes it. */
function FilterField({ control, name, tins, criteria }: FieldProps) {
  if (name === 'assigned') return <AssignedField control={control} assigned={criteria.assigned} />;
  if (name === 'tin') {
    const missingTin = tins.includes(criteria.tin) ? '' : criteria.tin;
    return <TinField {...{ control, tins, missingTin }} />;
  }
  const { field } = filters[name];
  switch (field?.as) {
    case 'text': {
      const { as: _, ...text } = field;
      return (
        <TextField
          control={control}
          name={name}
          autoComplete={text.inputMode ? undefined : 'off'}
          {...text}
        />
      );
    }
    case 'select': {
      const { as: _, ...select } = field;
      return <SelectField control={control} name={name} {...select} />;
    }
    case 'checkbox':
      return <CheckboxField control={control} name={name} label={field.label} />;
  }
}

interface TinFieldProps {
  control: Control<Criteria>;
  tins: readonly string[];
  /** The view's Tax ID that the user doesn't have. The result is empty, and the field says why. */
  missingTin: string;
}

function TinField({ control, tins, missingTin }: TinFieldProps) {
  const own = useTinOptions(tins);
  const options = useMemo(
    () => (missingTin ? [{ value: missingTin, label: missingTin, note: 'not your Tax ID' }, ...own] : own),
    [own, missingTin],
  );
  return (
    <SelectField control={control} name="tin" label="Tax ID (TIN)" placeholder="All" options={options} />
  );
}

function AssignedField({ control, assigned }: Pick<FieldProps, 'control'> & { assigned: string }) {
  const { actingUser } = useSession();
  const { data: people } = usePeople();
  const options = [
    { value: me, label: 'Me' },
    ...(people ?? [])
      .filter(({ userName }) => userName !== actingUser.userNm || userName === assigned)
      .map(({ userName, name }) => ({ value: userName, label: name })),
    { value: nobody, label: 'Unassigned' },
  ];
  if (assigned && !options.some(({ value }) => value === assigned))
    options.push({ value: assigned, label: formatAssignee(people, assigned) });
  return (
    <SelectField
      control={control}
      name="assigned"
      label="Assigned to"
      placeholder="Anyone"
      options={options}
    />
  );
}
