import { useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { Problem } from '@/api/client';
import { fieldId } from '@/ui/form/bound';

/* A save on an older version than the stored one: see platform/version of the server. */

/** A field that another user changed. */
export interface Difference {
  name: string;
  label: string;
  theirs: string;
  /** Null if this user didn't change it. */
  mine: string | null;
}

export interface EditConflict {
  /** The version that lets a save succeed. */
  version: string;
  /** The stored values of the fields that differ from the sent ones. */
  theirs: ReadonlyMap<string, string>;
}

/** Returns the stored values if a save used an older version. */
export function getConflict(error: unknown): EditConflict | null {
  if (!(error instanceof Problem) || error.code !== 'STALE') return null;
  const { version } = error.body as { version: string };
  return { version, theirs: new Map(error.fields.map(({ path, value = '' }) => [path, value])) };
}

type Form<Values extends FieldValues> = Pick<
  UseFormReturn<Values>,
  'getValues' | 'formState' | 'reset' | 'setValue' | 'control'
>;

/**
 * The version of the edited record, and the resolution of a stale save. `read` converts a server
 * value to the field's value, where they differ.
 */
export function useConflict<Values extends FieldValues>(
  form: Form<Values>,
  initial: string | undefined,
  read: (name: string, value: string) => string = (_, value) => value,
) {
  const version = useRef(initial);
  const [found, setFound] = useState<{
    stale: EditConflict;
    names: string[];
    differences: Difference[];
  } | null>(null);

  const getTheirs = ({ theirs }: EditConflict, defaults: FieldValues): FieldValues =>
    Object.fromEntries(
      [...theirs]
        .filter(([name]) => name in defaults)
        .map(([name, value]) => [
          name,
          typeof defaults[name] === 'boolean' ? value === 'true' : read(name, value),
        ]),
    );

  /** Reports whether the error is a stale save, which the form now asks about. */
  function showConflict(error: unknown): boolean {
    const stale = getConflict(error);
    if (!stale) return false;
    const defaults = form.formState.defaultValues as FieldValues;
    const values = form.getValues() as FieldValues;
    const theirs = Object.entries(getTheirs(stale, defaults));
    const changed = theirs.filter(([name, value]) => value !== defaults[name]);
    // For input from before a reload, any difference may be theirs.
    const listed = changed.length > 0 ? changed : theirs;
    const differences = listed.flatMap(([name, value]) => {
      const control = document.getElementById(fieldId(form.control, name));
      if (!control) return []; // it changes together with another field, which is listed
      return {
        name,
        label: getLabel(control) || name,
        theirs: getText(control, value),
        mine: values[name] === defaults[name] ? null : getText(control, values[name]),
      };
    });
    setFound({ stale, names: listed.map(([name]) => name), differences });
    return true;
  }

  /**
   * Starts with their values and reapplies this user's changes; `mineToo` also for the fields
   * that they changed.
   */
  function rebase(mineToo: boolean) {
    if (!found) return;
    const defaults = form.formState.defaultValues as FieldValues;
    const values = { ...form.getValues() } as FieldValues;
    const theirs = getTheirs(found.stale, defaults);
    const { names, stale } = found;
    version.current = stale.version;
    setFound(null);
    form.reset({
      ...defaults,
      ...theirs,
      ...('version' in defaults && { version: stale.version }),
    } as Values);
    for (const [name, value] of Object.entries(values))
      if (name !== 'version' && value !== defaults[name] && (mineToo || !names.includes(name)))
        form.setValue(name as Parameters<typeof form.setValue>[0], value, { shouldDirty: true });
  }

  return {
    version,
    showConflict,
    /** The differences to ask about after a stale save. */
    differences: found?.differences ?? null,
    useTheirs() {
      const [first] = found?.differences ?? [];
      rebase(false);
      if (first) document.getElementById(fieldId(form.control, first.name))?.focus();
    },
    applyMine: () => rebase(true),
  };
}

const getLabel = (control: HTMLElement | null): string | undefined =>
  control && 'labels' in control
    ? (control as HTMLInputElement).labels?.[0]?.textContent?.replace(/\*$/, '').trim()
    : undefined;

function getText(control: HTMLElement | null, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const options = control instanceof HTMLSelectElement ? [...control.options] : [];
  return options.find((option) => option.value === value)?.text ?? String(value);
}
