import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../Button';
import { isFuture, parseDate, today } from '../dates';
import { ComboboxField } from '../form/ComboboxField';
import { DateField } from '../form/DateField';
import { FilePicker } from '../form/FilePicker';
import { FormBanner, showServerProblems } from '../form/FormBanner';
import {
  CheckboxField,
  PasswordField,
  RadioGroup,
  SelectField,
  TextAreaField,
  TextField,
} from '../form/fields';
import { line } from '../form/kinds';
import { MultiSelectField } from '../form/MultiSelectField';
import { colors } from './colors';
import styles from './KitPage.module.css';

const dateText = z
  .string()
  .min(1, 'Enter a date')
  .refine((text) => text === '' || parseDate(text), 'Enter a valid date')
  .refine((text) => !isFuture(parseDate(text) ?? ''), 'The date cannot be in the future');

const schema = z.object({
  name: z.string().min(1, 'Enter a name').max(40),
  colors: z.array(z.string()).min(1, 'Choose up to 5 colours'),
  date: dateText,
  size: z.string().min(1, 'Choose a size'),
  town: z.string().min(1, 'Choose a town'),
  password: z.string().min(8, 'Enter at least 8 characters'),
  notes: z.string(),
  kind: z.enum(['one', 'two']),
  agreed: z.boolean().refine(Boolean, 'Agree first'),
});

/** A form with every type of field. */
export function Fields() {
  const [files, setFiles] = useState<File[]>([]);
  const [submitted, setSubmitted] = useState('');
  const form = useForm<z.input<typeof schema>, unknown, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: {
      name: '',
      colors: [],
      date: '',
      size: '',
      town: '',
      password: '',
      notes: '',
      kind: 'one',
      agreed: false,
    },
  });
  const { control } = form;
  return (
    <form
      className="card card-body"
      noValidate
      onSubmit={form.handleSubmit((values) => {
        setSubmitted(JSON.stringify(values));
        if (values.name === 'server')
          showServerProblems(form, 'Refused', [{ path: 'name', message: 'The server refuses this name' }]);
      })}
    >
      <h2 className={styles.heading}>Fields</h2>
      <div className={styles.stack}>
        <FormBanner form={form} title="Please fix all errors." />
        <div className="field-grid">
          <TextField control={control} name="name" label="Name" required kind={line(40)} />
          <MultiSelectField
            control={control}
            name="colors"
            label="Colours"
            hint="Up to 5"
            max={5}
            required
            options={colors.map((colour) => ({ value: colour, label: colour }))}
          />
          <DateField control={control} name="date" label="Date" required maxDate={today()} />
          <SelectField
            control={control}
            name="size"
            label="Size"
            required
            placeholder="Select One"
            options={['Small', 'Large'].map((size) => ({ value: size, label: size }))}
          />
          <ComboboxField
            control={control}
            name="town"
            label="Town"
            required
            placeholder="Type to search"
            options={['Albany', 'Boston', 'Concord', 'Dover'].map((town) => ({ value: town, label: town }))}
          />
          <PasswordField control={control} name="password" label="Password" hint="8 or more" required />
          <RadioGroup
            control={control}
            name="kind"
            label="Kind"
            options={[
              { value: 'one', label: 'One' },
              { value: 'two', label: 'Two' },
            ]}
          />
          <TextField control={control} name="notes" kind={line(200)} label="Disabled" disabled />
        </div>
        <TextAreaField control={control} name="notes" label="Notes" />
        <FilePicker label="Files" files={files} onChange={setFiles} multiple />
        <CheckboxField control={control} name="agreed" label="I agree" />
        <div className="button-row">
          <Button type="submit" variant="primary">
            Submit
          </Button>
          <Button onClick={() => form.reset()}>Reset</Button>
        </div>
        {submitted && <output>{submitted}</output>}
      </div>
    </form>
  );
}
