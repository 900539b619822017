import type { HistoryState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type FieldValues, type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { decryptValue, encryptValue } from '@/api/formKey';
import { isSecret } from '@/ui/form/bound';
import { useInitialState, useSetHistoryState } from './historyState';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Unsaved input by form name, encrypted for its user. */
    typed?: Record<string, string>;
  }
}

interface Props<Values extends FieldValues, Out> {
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  form: UseFormReturn<Values, any, Out>;
  /**
   * The name under which Reload, Back and the next sign-in find the input. Without it nothing is
   * stored.
   */
  storageName?: string;
}

/**
 * A form's unsaved changes: asks before users leave the form, and restores the input when they
 * return.
 */
export function UnsavedChangesGuard<Values extends FieldValues, Out>({
  form,
  storageName,
}: Props<Values, Out>) {
  const { isDirty, isSubmitting } = useFormState({ control: form.control });
  useUnsavedChanges(isDirty && !isSubmitting);
  return storageName === undefined ? null : (
    <StoredInput key={storageName} form={form} name={storageName} changed={isDirty} />
  );
}

// The unsaved forms, and the screen that each can move to without loss.
const unsaved = new Map<object, string | undefined>();
const listeners = new Set<() => void>();

/** Reports whether leaving the page would lose changes. */
export const hasUnsavedChanges = (): boolean => unsaved.size > 0;

/** Reports whether opening the screen would lose changes. */
export const wouldLoseChanges = (screen: string): boolean =>
  [...unsaved.values()].some((safeScreen) => safeScreen !== screen);

/** Calls the listener when that may have changed. */
export function onUnsavedChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  // Only while needed. A page with such a listener can't use the browser's back/forward cache.
  if (hasUnsavedChanges()) window.addEventListener('beforeunload', preventUnload);
  else window.removeEventListener('beforeunload', preventUnload);
  for (const listener of listeners) listener();
}

const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * Marks something on the page as unsaved. One screen, `safeScreen`, can open without asking,
 * because it receives the changes.
 */
export function useUnsavedChanges(is: boolean, alongTo?: string): void {
  useLayoutEffect(() => {
    if (!is) return;
    const mine = {};
    unsaved.set(mine, alongTo);
    notify();
    return () => {
      unsaved.delete(mine);
      notify();
    };
  }, [is, alongTo]);
}

// Milliseconds to collect keystrokes before writing to the history.
const writeDelay = 200;

function StoredInput<Values extends FieldValues, Out>({
  form,
  name,
  changed,
}: Pick<Props<Values, Out>, 'form'> & { name: string; changed: boolean }) {
  const sealed = useInitialState().typed?.[name];
  const setHistoryState = useSetHistoryState();
  const { control } = form;
  const values = useWatch({ control });
  const hasStored = useRef(false);
  const [isRestored, setRestored] = useState(false);

  const write = useEffectEvent(
    (sealed: string | null) =>
      void setHistoryState((before) => {
        const { typed, ...state } = removeInput(before, name);
        return { ...state, typed: sealed === null ? typed : { ...typed, [name]: sealed } };
      }),
  );

  useEffect(() => {
    if (!sealed) return;
    let left = false;
    void decryptValue(sealed).then((typed) => {
      // Don't overwrite what the user is already typing.
      if (left || !typed || hasStored.current) return;
      form.reset(mergeValues(typed, form.getValues()), { keepDefaultValues: true });
      hasStored.current = true;
      setRestored(true);
    });
    return () => {
      left = true;
    };
  }, [sealed, form]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: restored values can equal the defaults
  useEffect(() => {
    if (!changed) {
      if (hasStored.current) write(null);
      hasStored.current = false;
      return;
    }
    hasStored.current = true;
    let left = false;
    const timer = setTimeout(async () => {
      const sealed = await encryptValue(getStorable(values, control));
      if (!left) write(sealed);
    }, writeDelay);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [control, values, changed, isRestored]);

  return null;
}

/** Returns the navigation state without one form's input. */
function removeInput<State extends HistoryState>({ typed = {}, ...state }: State, name: string) {
  const { [name]: _, ...others } = typed;
  return { ...state, typed: others };
}

/**
 * Returns the form values that can be stored: no passwords, and no files, which only users can
 * select.
 */
const getStorable = (values: object, control: object) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSecret(control, name) && !hasFiles(value)),
  );

const hasFiles = (value: unknown) => Array.isArray(value) && value.some((each) => each instanceof File);

/** Reports whether the visit has stored input for a form. `discard` deletes it. */
export function useRestoredInput(storageName: string) {
  const hasInput = useInitialState().typed?.[storageName] !== undefined;
  const setHistoryState = useSetHistoryState();
  const discard = () => setHistoryState((before) => removeInput(before, storageName));
  return { hasInput, discard };
}

/** Merges stored values into the form's values. Skips fields and types that no longer match. */
function mergeValues<Values extends FieldValues>(typed: unknown, current: Values): Values {
  const matching = Object.entries(typed ?? {}).filter(
    ([name, value]) =>
      name in current &&
      typeof value === typeof current[name] &&
      Array.isArray(value) === Array.isArray(current[name]),
  );
  return { ...current, ...Object.fromEntries(matching) };
}

/** Leaving a dialog with unsaved changes takes a second click. Typing cancels the first. */
export function useConfirmLeave(unsaved: boolean, onClose: () => void) {
  const [hasClicked, setClicked] = useState(false);
  useUnsavedChanges(unsaved);
  const isConfirming = hasClicked && unsaved;
  return {
    isConfirming,
    leave: () => (unsaved && !isConfirming ? setClicked(true) : onClose()),
    cancelLeave: () => setClicked(false),
  };
}
