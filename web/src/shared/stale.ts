import { useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { Problem } from '@/api/client';
import { fieldId } from '@/ui/form/bound';

/* A save that was made on an earlier version than the one that is stored: see platform/version of the server. */

/** A field that someone else has changed. */
export interface Difference {
  name: string;
  label: string;
  theirs: string;
  /** Null where it was not changed here. */
  mine: string | null;
}

export interface Stale {
  /** With this one a save passes. */
  version: string;
  /** What is stored, of the fields that differ from what was sent. */
  theirs: ReadonlyMap<string, string>;
}

/** What is stored by now, where a save came with an earlier version. */
export function staleOf(error: unknown): Stale | null {
  if (!(error instanceof Problem) || error.code !== 'STALE') return null;
  const { version } = error.body as { version: string };
  return { version, theirs: new Map(error.fields.map(({ path, value = '' }) => [path, value])) };
}

type Form<Values extends FieldValues> = Pick<
  UseFormReturn<Values>,
  'getValues' | 'formState' | 'reset' | 'setValue' | 'control'
>;

/**
 * The version of what a form edits, and how a stale save goes on. `read` makes of a value of the server what the field
 * has, where they differ.
 */
export function useConflict<Values extends FieldValues>(
  form: Form<Values>,
  initial: string | undefined,
  read: (name: string, value: string) => string = (_, value) => value,
) {
  const version = useRef(initial);
  const [found, setFound] = useState<{ stale: Stale; names: string[]; differences: Difference[] } | null>(
    null,
  );

  const theirsOf = ({ theirs }: Stale, defaults: FieldValues): FieldValues =>
    Object.fromEntries(
      [...theirs]
        .filter(([name]) => name in defaults)
        .map(([name, value]) => [
          name,
          typeof defaults[name] === 'boolean' ? value === 'true' : read(name, value),
        ]),
    );

  /** Whether it was a stale save, about which the form asks now. */
  function caught(error: unknown): boolean {
    const stale = staleOf(error);
    if (!stale) return false;
    const defaults = form.formState.defaultValues as FieldValues;
    const values = form.getValues() as FieldValues;
    const theirs = Object.entries(theirsOf(stale, defaults));
    const changed = theirs.filter(([name, value]) => value !== defaults[name]);
    // What was typed before the page was read again: all that differs may be theirs.
    const listed = changed.length > 0 ? changed : theirs;
    const differences = listed.flatMap(([name, value]) => {
      const control = document.getElementById(fieldId(form.control, name));
      if (!control) return []; // it goes along with another field, which is listed
      return {
        name,
        label: labelOf(control) || name,
        theirs: textOf(control, value),
        mine: values[name] === defaults[name] ? null : textOf(control, values[name]),
      };
    });
    setFound({ stale, names: listed.map(([name]) => name), differences });
    return true;
  }

  /** Begins with theirs, and keeps what was changed here: of the fields that are theirs, too, or not. */
  function rebase(mineToo: boolean) {
    if (!found) return;
    const defaults = form.formState.defaultValues as FieldValues;
    const values = { ...form.getValues() } as FieldValues;
    const theirs = theirsOf(found.stale, defaults);
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
    caught,
    /** What is asked, once a save was stale. */
    differences: found?.differences ?? null,
    useTheirs() {
      const [first] = found?.differences ?? [];
      rebase(false);
      if (first) document.getElementById(fieldId(form.control, first.name))?.focus();
    },
    applyMine: () => rebase(true),
  };
}

const labelOf = (control: HTMLElement | null): string | undefined =>
  control && 'labels' in control
    ? (control as HTMLInputElement).labels?.[0]?.textContent?.replace(/\*$/, '').trim()
    : undefined;

function textOf(control: HTMLElement | null, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const options = control instanceof HTMLSelectElement ? [...control.options] : [];
  return options.find((option) => option.value === value)?.text ?? String(value);
}
