import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { listNames } from '@/shared/reasons';
import { formatLocalDateTime } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { SelectField, TextAreaField, TextField } from '@/ui/form/fields';
import { type DeskCode, useReasonHistory, useSaveReason } from './queries';
import styles from './reasoncodes.module.css';
import { kinds, toFieldValue, toRequest, toValues, type Values, wordingSchema } from './wording';

const lists = Object.entries(listNames).map(([value, name]) => ({ value, label: `${value}: ${name}` }));
const statuses = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'ENDED', label: 'Inactive' },
];

const failed = "Error: Couldn't save the explanation. Try again.";

export const formatName = ({ list, code, jurisdiction }: Pick<DeskCode, 'list' | 'code' | 'jurisdiction'>) =>
  [list, code, jurisdiction].filter(Boolean).join(' ');

/**
 * The network's explanation of a listed code or another one. It's read-only for users who can't
 * edit it.
 */
export function EditReason({
  code,
  readOnly,
  onClose,
}: {
  code?: DeskCode;
  readOnly: boolean;
  onClose: () => void;
}) {
  const form = useForm<Values>({
    resolver: zodResolver(wordingSchema),
    shouldFocusError: false,
    defaultValues: toValues(code),
  });
  const { control } = form;
  const { mutateAsync: change } = useSaveReason();

  async function save(values: Values, version?: string) {
    await change(toRequest(values, Number(version)));
    return `${[values.list, values.code, values.jurisdiction].filter(Boolean).join(' ')} saved`;
  }

  return (
    <EditDialog
      form={form}
      size="large"
      title={code ? formatName(code) : 'Add explanation'}
      readOnly={readOnly}
      version={String(code?.version ?? 0)}
      read={toFieldValue}
      save={save}
      failed={failed}
      below={code && <Earlier code={code} />}
      onClose={onClose}
    >
      {!code && (
        <div className="field-grid">
          <SelectField
            control={control}
            name="list"
            label="List"
            placeholder="Select One"
            options={lists}
            data-autofocus
            required
          />
          <TextField
            control={control}
            name="code"
            label="Code"
            kind={kinds.code}
            autoComplete="off"
            required
          />
          <TextField
            control={control}
            name="jurisdiction"
            label="State"
            hint="2 letters. Leave blank for all states."
            kind={kinds.jurisdiction}
            autoComplete="off"
          />
        </div>
      )}
      <TextField
        control={control}
        name="title"
        label="Summary"
        hint="Up to 160 characters. Blank fields use the all-states text or the default."
        kind={kinds.title}
        autoComplete="off"
        data-autofocus={code ? true : undefined}
      />
      <TextAreaField control={control} name="plain" label="Details" hint="Up to 400 characters" />
      <TextAreaField control={control} name="advice" label="What can I do?" hint="Up to 400 characters" />
      <TextAreaField
        control={control}
        name="official"
        label="Official text"
        hint="Up to 1,000 characters, used under the network's license"
      />
      <div className="field-grid">
        <SelectField control={control} name="status" label="Status" options={statuses} />
        <DateField control={control} name="effective" label="Effective date" />
        <DateField control={control} name="ended" label="End date" />
      </div>
    </EditDialog>
  );
}

/** The explanation before the last change. */
function Earlier({ code }: { code: DeskCode }) {
  const { data } = useReasonHistory(code, code.version > 0);
  if (!data || data.length === 0) return null;
  return (
    <section className={styles.earlier}>
      <h3>Previous versions</h3>
      <ul>
        {data.map((text) => (
          <li key={`${text.until} ${text.title}`}>
            <p className={styles.when}>
              Until {formatLocalDateTime(text.until)}, changed by {text.by}
            </p>
            <p>
              {[text.title, text.plain, text.advice, text.official].filter(Boolean).join(' ') ||
                'No custom text.'}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
