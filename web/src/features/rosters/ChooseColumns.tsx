import { useState } from 'react';
import { ColumnKinds } from '@/shared/ColumnKinds';
import { Button } from '@/ui/Button';
import { SelectInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import type { FileCheck, Layout } from './roster';
import styles from './rosters.module.css';

interface Props {
  file: FileCheck;
  template: readonly string[];
  /** Selected, but not checked yet. */
  layout: Layout | undefined;
  onChange: (layout: Layout) => void;
  onCheck: (layout: Layout) => void;
}

/** The type of each column: from its heading, corrected by the sender. */
export function ChooseColumns({ file, template, layout, onChange, onCheck }: Props) {
  const { fileName, headerRow, headerRows = [], missing, unreadable, columns = [] } = file;
  const needed = missing.length > 0 || unreadable !== '';
  const [open, setOpen] = useState(needed);
  if (!open)
    return (
      <div className="button-row">
        <Button size="small" onClick={() => setOpen(true)}>
          Change columns<span className="visually-hidden"> of {fileName}</span>
        </Button>
      </div>
    );
  const kinds = new Map(layout?.columns?.map(({ index, kind }) => [index, kind]));
  const chosen = columns.map((column) => ({ ...column, kind: kinds.get(column.index) ?? column.kind }));
  const toLayout = (columns: typeof chosen): Layout => ({
    headerRow,
    columns: columns.map(({ index, kind }) => ({ index, kind })),
  });
  return (
    <div className={styles.opened}>
      <p>Select what each column contains, then check the file again.</p>
      <SelectInput
        label="Headings"
        options={[
          { value: '0', label: 'None' },
          ...headerRows.map((row) => ({ value: String(row), label: `Row ${formatCount(row)}` })),
        ]}
        value={String(headerRow)}
        onChange={({ target }) => onCheck({ headerRow: Number(target.value) })}
      />
      <ColumnKinds
        label={`Columns of ${fileName}`}
        columns={chosen}
        options={template.map((name) => ({ value: name, label: name }))}
        none="Not read"
        getSamples={({ sample = [] }) => sample}
        onChange={(columns) => onChange(toLayout(columns))}
      />
      <div className="button-row">
        <Button variant={needed ? 'primary' : undefined} onClick={() => onCheck(toLayout(chosen))}>
          Check again<span className="visually-hidden"> with these columns of {fileName}</span>
        </Button>
      </div>
    </div>
  );
}
