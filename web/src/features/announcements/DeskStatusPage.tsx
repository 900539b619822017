import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { useSession } from '@/api/session';
import { applyServerErrors } from '@/shared/applyServerErrors';
import { UnsavedChangesGuard } from '@/shared/UnsavedChangesGuard';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDateTime, getZoneName, today } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { FormBanner } from '@/ui/form/FormBanner';
import { SelectField, TextField } from '@/ui/form/fields';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { kinds, lineSchema, noLine, times, toAnnouncement, type Values } from './announcement';
import styles from './announcements.module.css';
import { type StatusLine, useAddLine, useEndLine, useStatusLines } from './queries';

/** Announcements above all screens: current, scheduled and past. */
export default function DeskStatusPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Announcement</h1>
        <p className="page-lead">
          Show a message above every screen, even before sign-in, such as maintenance or an outage.
        </p>
      </header>
      {can('status.manage') ? (
        <>
          <AddLine />
          <Lines />
        </>
      ) : (
        <NotPermitted />
      )}
    </div>
  );
}

const kindOptions = [
  { value: 'INFO', label: 'Information' },
  { value: 'WARNING', label: 'Warning' },
];

function AddLine() {
  const form = useForm<Values>({
    resolver: zodResolver(lineSchema),
    shouldFocusError: false,
    defaultValues: noLine,
  });
  const { control, formState, handleSubmit, reset } = form;
  const from = useWatch({ control, name: 'from' });
  const { mutateAsync: add } = useAddLine();
  const submit = handleSubmit(async (values) => {
    try {
      const added = await add(toAnnouncement(values));
      toast.success(
        Date.parse(added.from) <= Date.now()
          ? 'Announcement published. Everyone will see it within 2 minutes'
          : `The announcement will appear ${formatBusinessDateTime(added.from)}`,
      );
      reset(noLine);
    } catch (error) {
      applyServerErrors(form, error, "Error: Couldn't save the announcement. Try again.");
    }
  });
  return (
    <form className="card" noValidate onSubmit={submit} aria-labelledby="new-line">
      <UnsavedChangesGuard form={form} storageName="status-line" />
      <div className={styles.form}>
        <h2 id="new-line">New announcement</h2>
        <FormBanner form={form} />
        <TextField
          control={control}
          name="text"
          label="Text"
          required
          kind={kinds.text}
          autoComplete="off"
          hint="Up to 200 characters. Visible to everyone. Don't include names."
        />
        <div className={styles.fields}>
          <SelectField control={control} name="kind" label="Type" options={kindOptions} />
          <DateField
            control={control}
            name="from"
            label="From"
            hint={`${getZoneName()}. Leave blank to start now.`}
            minDate={today()}
          />
          <SelectField
            control={control}
            name="fromTime"
            label="From time"
            options={times}
            disabled={from.trim() === ''}
          />
          <DateField control={control} name="to" label="To" required hint={getZoneName()} minDate={today()} />
          <SelectField control={control} name="toTime" label="To time" options={times} />
        </div>
      </div>
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={formState.isSubmitting}>
          Publish
        </Button>
      </div>
    </form>
  );
}

function Lines() {
  const lines = useStatusLines();
  const { mutate: end, isPending, variables } = useEndLine();
  const columns: Column<StatusLine>[] = [
    ...shown,
    {
      id: 'end',
      header: 'End',
      value: () => '',
      sortable: false,
      filterable: false,
      exported: false,
      pinned: true,
      cell: (line) =>
        getState(line) !== 'Ended' && (
          <Button
            size="small"
            busy={isPending && variables.id === line.id}
            onClick={() =>
              end(line, {
                onSuccess: () => toast.success('Announcement ended'),
                onError: () => toast.error("Couldn't end the announcement. Try again."),
              })
            }
          >
            {getState(line) === 'Shown' ? 'End now' : 'Cancel'}
            <span className="visually-hidden"> {line.text}</span>
          </Button>
        ),
    },
  ];
  return (
    <DataTable
      title="Announcements"
      columns={columns}
      rows={lines.data ?? []}
      rowId={({ id }) => String(id)}
      initial={{ sort: { id: 'to', desc: true } }}
      status={lines.isError ? (lines.data ? 'stale' : 'failed') : lines.isPending ? 'loading' : 'ready'}
      onRetry={() => void lines.refetch()}
      empty="No announcements yet."
    />
  );
}

function getState({ from, to }: StatusLine): 'Ended' | 'Shown' | 'Scheduled' {
  if (Date.parse(to) <= Date.now()) return 'Ended';
  return Date.parse(from) <= Date.now() ? 'Shown' : 'Scheduled';
}

const stateLooks = { Ended: 'neutral', Shown: 'success', Scheduled: 'info' } as const;

const shown: Column<StatusLine>[] = [
  { id: 'text', header: 'Text', value: ({ text }) => text, lead: true, wrap: true, minWidth: '16rem' },
  {
    id: 'kind',
    header: 'Type',
    value: ({ kind }) => (kind === 'WARNING' ? 'Warning' : 'Information'),
    choices: ['Information', 'Warning'],
  },
  {
    id: 'state',
    header: 'State',
    value: getState,
    choices: Object.keys(stateLooks),
    cell: (line) => <Chip kind={stateLooks[getState(line)]}>{getState(line)}</Chip>,
  },
  { id: 'from', header: 'From', value: ({ from }) => from, text: ({ from }) => formatBusinessDateTime(from) },
  { id: 'to', header: 'To', value: ({ to }) => to, text: ({ to }) => formatBusinessDateTime(to) },
  { id: 'createdBy', header: 'Created by', value: ({ createdBy }) => createdBy },
];
