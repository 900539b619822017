import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Control, UseControllerReturn } from 'react-hook-form';
import { getConfig } from '@/api/config';
import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/form/bound';
import { FilePicker } from '@/ui/form/FilePicker';
import { RadioGroup, SelectField } from '@/ui/form/fields';
import { formatCount } from '@/ui/format';
import type { useProviderGroups } from './queries';
import { formatGroup, type Roster } from './roster';
import styles from './rosters.module.css';

const updateTypes = [
  { value: 'full', label: 'Full' },
  { value: 'delta', label: 'Partial (Add/Change/Term)' },
];

interface Props {
  control: Control<Roster>;
  groups: ReturnType<typeof useProviderGroups>;
  /** The selected provider group no longer exists. */
  isGroupMissing: boolean;
  fileField: UseControllerReturn<Roster, 'files'>;
  /** The files are too many or too large. */
  limit: string | undefined;
  disabled: boolean;
  /** Opens the browser's file dialog when clicked. */
  fileInput: RefObject<HTMLInputElement | null>;
  onFilesChange: (files: File[]) => void;
}

export function RosterFields({
  control,
  groups,
  isGroupMissing,
  fileField: { field, fieldState },
  limit,
  disabled,
  fileInput,
  onFilesChange,
}: Props) {
  const files = field.value;
  const { can } = useSession();
  // Other files lock the type again.
  const [unlocked, setUnlocked] = useState<readonly File[]>();
  const isLocked = files.length > 0 && unlocked !== files;
  const fieldset = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (unlocked) fieldset.current?.querySelector<HTMLElement>('[type=radio]:checked')?.focus();
  }, [unlocked]);
  return (
    <fieldset className={styles.fields} disabled={disabled} ref={fieldset}>
      <legend className="visually-hidden">Roster</legend>
      <SelectField
        control={control}
        name="group"
        label="Provider Group"
        placeholder="Select One"
        hint={
          groups.isPending
            ? 'Loading the provider groups'
            : isGroupMissing
              ? 'Your roster group no longer has the selected provider group.'
              : undefined
        }
        options={(groups.data ?? []).map((each) => ({
          value: String(each.sourceGroupId),
          label: formatGroup(each),
        }))}
        required
      />
      <RadioGroup
        control={control}
        name="rosterType"
        label="Roster Update Type"
        hint={
          isLocked &&
          (can('rosters.correct') ? (
            <Button variant="link" onClick={() => setUnlocked(files)}>
              Change the type for these files
            </Button>
          ) : (
            'Remove the files to select another type.'
          ))
        }
        options={updateTypes}
        disabled={isLocked}
      />
      <FilePicker
        id={fieldId(control, 'files')}
        label="Files"
        prompt="Select one or more files"
        browseLabel="BROWSE..."
        noneSelected="No files selected"
        hint={describeLimits()}
        error={fieldState.error?.message ?? limit}
        inBanner={fieldState.error !== undefined}
        files={files}
        onChange={onFilesChange}
        inputRef={fileInput}
        disabled={disabled}
        multiple
        required
      />
    </fieldset>
  );
}

function describeLimits() {
  const { rosterFiles, rosterFileMb } = getConfig();
  return `Up to ${formatCount(rosterFiles)} files of ${formatCount(rosterFileMb)} MB each. We check CSV, TXT and XLSX files when you select them. Other file types are accepted without a check.`;
}
