import { zodResolver } from '@hookform/resolvers/zod';
import { MantineContext } from '@mantine/core';
import { use, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Accordion } from '../Accordion';
import { ActionMenu } from '../ActionMenu';
import { Banner } from '../Banner';
import { Button, LinkButton } from '../Button';
import { Chip } from '../Chip';
import { ConfirmDialog, Dialog } from '../Dialog';
import { formatDate, isFuture, parseDate, today } from '../dates';
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
import { MultiSelectField } from '../form/MultiSelectField';
import { formatMoney } from '../format';
import { KitProvider } from '../KitProvider';
import { Layer } from '../Layer';
import { Empty, Failed, Loading, NotPermitted, Stale } from '../PageState';
import { toast } from '../Toasts';
import { DataTable } from '../table/DataTable';
import { type Column, columnText, type TableState, tableState } from '../table/state';
import { setTheme } from '../theme';
import { openWindow } from '../window';
import styles from './KitPage.module.css';

/* Every part of the kit in each of its states, for looking at and for tests; built in development only. */

const dateText = z
  .string()
  .min(1, 'Enter a date')
  .refine((text) => text === '' || parseDate(text), 'Enter a valid date')
  .refine((text) => !isFuture(parseDate(text) ?? ''), 'The date cannot be in the future');

const schema = z.object({
  name: z.string().min(1, 'Enter a name').max(40),
  colours: z.array(z.string()).min(1, 'Choose up to 5 colours'),
  date: dateText,
  size: z.string().min(1, 'Choose a size'),
  town: z.string().min(1, 'Choose a town'),
  password: z.string().min(8, 'Enter at least 8 characters'),
  notes: z.string(),
  kind: z.enum(['one', 'two']),
  agreed: z.boolean().refine(Boolean, 'Agree first'),
});

const colours = ['Amber', 'Blue', 'Coral', 'Green', 'Grey', 'Indigo', 'Pink', 'Red', 'Teal', 'White'];
const names = [
  'Adeyemi, Ada',
  'baker, Hana',
  'Erikson, Bo',
  'Ferrari, Ivo',
  'Hughes, Lena',
  'Ito, Chen',
  'Owens, Gus',
];

const kinds = ['neutral', 'success', 'info', 'warning', 'error'] as const;

interface Line {
  id: string;
  name: string;
  day: string;
  colour: string;
  amount: number | null;
}

/** As many rows as the address asks for: /wcpp/dev/kit?rows=5000 */
const lines: Line[] = Array.from(
  { length: Number(new URLSearchParams(location.search).get('rows') ?? 137) },
  (_, i) => ({
    id: String(410_000_000 + i * 137),
    name: names[i % names.length] ?? '',
    day: `2025-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}`,
    colour: colours[i % colours.length] ?? '',
    amount: i % 9 === 4 ? null : 12.5 + i * 79.19,
  }),
);

const columns: Column<Line>[] = [
  {
    id: 'number',
    header: 'Number',
    value: (line) => line.id,
    cell: (line) => (
      <Button variant="link" onClick={() => toast.success(`Opened ${line.id}`)}>
        {line.id}
      </Button>
    ),
  },
  { id: 'name', header: 'Name', value: (line) => line.name },
  { id: 'day', header: 'Date', value: (line) => line.day, text: (line) => formatDate(line.day) },
  {
    id: 'colour',
    header: 'Colour',
    value: (line) => line.colour,
    filterable: false,
    cell: (line) => <Chip kind={kinds[line.colour.length % kinds.length]}>{line.colour}</Chip>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    value: (line) => line.amount,
    text: (line) => formatMoney(line.amount),
  },
];

export default function KitPage() {
  // Signed-out pages have neither provider nor layer.
  return use(MantineContext) ? (
    <Parts />
  ) : (
    <KitProvider>
      <Parts />
      <Layer />
    </KitProvider>
  );
}

function Parts() {
  return (
    <div className="page">
      <title>Kit</title>
      <div>
        <h1>Kit</h1>
        <p className="page-lead">Every part in each of its states.</p>
      </div>
      <Buttons />
      <Messages />
      <FieldsDemo />
      <Sections />
      <Tables />
      <States />
    </div>
  );
}

function Buttons() {
  const [dialog, setDialog] = useState<'confirm' | 'plain' | null>(null);
  const [blocked, setBlocked] = useState<boolean | null>(null);
  const close = () => setDialog(null);
  return (
    <section className="card card-body">
      <h2 className={styles.heading}>Buttons, dialogs, windows</h2>
      <div className="button-row">
        <Button variant="primary" onClick={() => setDialog('confirm')}>
          Open confirmation
        </Button>
        <Button onClick={() => setDialog('plain')}>Open dialog</Button>
        <Button variant="quiet" onClick={() => toast.error('Something failed.')}>
          Show error toast
        </Button>
        <LinkButton href="#buttons">Link as button</LinkButton>
        <Button variant="primary" busy>
          Busy
        </Button>
        <Button variant="primary" disabled>
          Disabled
        </Button>
        <Button disabled>Disabled</Button>
        <Button
          onClick={() => {
            const opened = openWindow();
            setBlocked(opened.blocked);
            setTimeout(opened.close, 500);
          }}
        >
          Open window
        </Button>
        {blocked !== null && <output>{blocked ? 'Blocked' : 'Opened'}</output>}
        <Button size="small" onClick={() => setTheme('light')}>
          Light
        </Button>
        <Button size="small" onClick={() => setTheme('dark')}>
          Dark
        </Button>
        <Button size="small" onClick={() => setTheme('auto')}>
          System
        </Button>
      </div>
      <ConfirmDialog
        open={dialog === 'confirm'}
        title="Are you sure?"
        confirmLabel="YES"
        cancelLabel="CANCEL"
        onConfirm={() => {
          close();
          toast.success('Confirmed.');
        }}
        onCancel={close}
      >
        What is confirmed here is shown as a message.
      </ConfirmDialog>
      <Dialog
        open={dialog === 'plain'}
        title="A dialog"
        size="medium"
        onClose={close}
        actions={
          <Button variant="primary" onClick={close}>
            OK
          </Button>
        }
      >
        <p>Escape, the cross and a click outside close it.</p>
      </Dialog>
    </section>
  );
}

function Messages() {
  return (
    <section className="card card-body">
      <h2 className={styles.heading}>Banners</h2>
      <div className={styles.stack}>
        <Banner
          kind="error"
          title="The whole failed."
          problems={[{ text: 'This part of it' }, { text: 'And that' }]}
        />
        <Banner kind="warning">Something to look at.</Banner>
        <Banner kind="success">It is saved.</Banner>
        <Banner kind="info" title="For your information">
          Amounts are recommendations.
        </Banner>
      </div>
    </section>
  );
}

function FieldsDemo() {
  const [files, setFiles] = useState<File[]>([]);
  const [submitted, setSubmitted] = useState('');
  const form = useForm<z.input<typeof schema>, unknown, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: {
      name: '',
      colours: [],
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
          <TextField control={control} name="name" label="Name" required maxLength={40} />
          <MultiSelectField
            control={control}
            name="colours"
            label="Colours"
            hint="Up to 5"
            max={5}
            required
            options={colours.map((colour) => ({ value: colour, label: colour }))}
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
          <TextField control={control} name="notes" label="Disabled" disabled />
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

function Sections() {
  const [open, setOpen] = useState<'first' | 'second' | null>('first');
  return (
    <Accordion
      open={open}
      onOpen={setOpen}
      sections={[
        {
          name: 'first',
          title: 'First section',
          hint: 'With a hint',
          content: <p>What the first one holds.</p>,
        },
        { name: 'second', title: 'Second section', content: <p>What the second one holds.</p> },
      ]}
    />
  );
}

function Tables() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Line | null>(null);
  return (
    <>
      <DataTable
        title="Lines"
        columns={columns}
        rows={lines}
        rowId={(line) => line.id}
        initial={{ sort: { id: 'name', desc: false } }}
        paging="both"
        selection={{
          selected,
          onChange: setSelected,
          label: (line) => line.id,
          disabled: (line) => line.colour === 'Amber',
        }}
        rowLabel={(line) => line.id}
        menu={ActionMenu}
        rowActions={(line) => [
          { label: 'Ask first', onSelect: () => setAsked(line) },
          { label: 'Not now', onSelect: () => undefined, disabled: true, reason: 'Not while mirroring' },
        ]}
        exportAs="Lines"
      />
      <ConfirmDialog
        open={asked !== null}
        title={`Go on with ${asked?.id}?`}
        confirmLabel="CONTINUE"
        cancelLabel="CANCEL"
        onConfirm={() => setAsked(null)}
        onCancel={() => setAsked(null)}
      />
      <DataTable title="Loading" columns={columns} rows={[]} rowId={(line) => line.id} status="loading" />
      <DataTable title="Nothing" columns={columns} rows={[]} rowId={(line) => line.id} />
      <DataTable
        title="Failed"
        columns={columns}
        rows={[]}
        rowId={(line) => line.id}
        status="failed"
        onRetry={() => toast.success('Tried again.')}
      />
      <DataTable
        title="Out of date"
        columns={columns}
        rows={lines.slice(0, 3)}
        rowId={(line) => line.id}
        status="stale"
        onRetry={() => toast.success('Tried again.')}
        paging="none"
      />
      <ServerTable />
    </>
  );
}

/** A table whose rows are asked for page by page; nothing stands for a server but a moment's wait. */
function ServerTable() {
  const [state, setState] = useState(tableState({ pageSize: 5 }));
  const [shown, setShown] = useState<TableState | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setShown(state), 500);
    return () => clearTimeout(timer);
  }, [state]);
  const { page, pageSize, filters, sort } = shown ?? state;
  const found = lines.filter((line) =>
    columns.every((column) => columnText(column, line).includes(filters[column.id] ?? '')),
  );
  if (sort?.desc) found.reverse();
  return (
    <DataTable
      title="From a server"
      columns={columns}
      rows={shown ? found.slice(page * pageSize, (page + 1) * pageSize) : []}
      rowId={(line) => line.id}
      server={{
        count: shown ? found.length : 0,
        exportRows: async function* () {
          yield found;
        },
      }}
      status={shown === state ? 'ready' : 'loading'}
      state={state}
      onStateChange={setState}
      menu={ActionMenu}
      exportAs="Lines of a server"
    />
  );
}

function States() {
  return (
    <section className="card card-body">
      <h2 className={styles.heading}>Page states</h2>
      <div className={styles.stack}>
        <Loading />
        <Empty title="Nothing here">There is nothing to show yet.</Empty>
        <Failed message="Error: There was an error." onRetry={() => toast.success('Tried again.')} />
        <NotPermitted />
        <Stale onRetry={() => toast.success('Refreshed.')} />
      </div>
    </section>
  );
}
