import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type FieldValues, type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { seal, unseal } from '@/api/formKey';
import { isSecret } from '@/ui/form/bound';
import { useKeep } from './visitState';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What was typed, by the name of the form, sealed for its user. */
    typed?: Record<string, string>;
  }
}

interface Props<Values extends FieldValues, Out> {
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  form: UseFormReturn<Values, any, Out>;
  /** The name under which Reload, Back and the next sign-in find what was typed; without it nothing is kept. */
  keepAs?: string;
}

/** What of a form is not saved: it is asked about before the form is left, and kept for who comes back. */
export function Unsaved<Values extends FieldValues, Out>({ form, keepAs }: Props<Values, Out>) {
  const { isDirty, isSubmitting } = useFormState({ control: form.control });
  useUnsaved(isDirty && !isSubmitting);
  return keepAs === undefined ? null : <Kept key={keepAs} form={form} name={keepAs} changed={isDirty} />;
}

// What is unsaved, and to which screen it goes along.
const unsaved = new Map<object, string | undefined>();
const listeners = new Set<() => void>();

/** Whether leaving the page would lose something. */
export const isAnythingUnsaved = (): boolean => unsaved.size > 0;

/** Whether going to the screen would lose something. */
export const isLostOnTheWayTo = (screen: string): boolean =>
  [...unsaved.values()].some((alongTo) => alongTo !== screen);

/** Calls the listener when that may have changed. */
export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  // Only while it is needed: a page with such a listener does not come back from the browser's cache.
  if (isAnythingUnsaved()) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
  for (const listener of listeners) listener();
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** Notes that something on the page is not saved, as long as it is; to one screen it may go along. */
export function useUnsaved(is: boolean, alongTo?: string): void {
  useLayoutEffect(() => {
    if (!is) return;
    const mine = {};
    unsaved.set(mine, alongTo);
    tell();
    return () => {
      unsaved.delete(mine);
      tell();
    };
  }, [is, alongTo]);
}

// Keystrokes are gathered before the history is written.
const writeAfter = 200;

function Kept<Values extends FieldValues, Out>({
  form,
  name,
  changed,
}: Pick<Props<Values, Out>, 'form'> & { name: string; changed: boolean }) {
  const router = useRouter();
  const keep = useKeep();
  const { control } = form;
  const values = useWatch({ control });
  const wasChanged = useRef(false);
  const [found, setFound] = useState(false);

  const write = useEffectEvent(
    (sealed: string | null) =>
      void keep((before) => {
        const { typed, ...state } = withoutTyped(before, name);
        return { ...state, typed: sealed === null ? typed : { ...typed, [name]: sealed } };
      }),
  );

  useEffect(() => {
    const sealed = router.history.location.state.typed?.[name];
    if (!sealed) return;
    let left = false;
    void unseal(sealed).then((typed) => {
      // Who types already is not interrupted.
      if (left || !typed || wasChanged.current) return;
      form.reset(fitting(typed, form.getValues()), { keepDefaultValues: true });
      wasChanged.current = true;
      setFound(true);
    });
    return () => {
      left = true;
    };
  }, [router, form, name]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found may be what the form starts with by now
  useEffect(() => {
    if (!changed) {
      if (wasChanged.current) write(null);
      wasChanged.current = false;
      return;
    }
    wasChanged.current = true;
    let left = false;
    const timer = setTimeout(async () => {
      const sealed = await seal(keepable(values, control));
      if (!left) write(sealed);
    }, writeAfter);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [control, values, changed, found]);

  return null;
}

/** The visit's state without what was typed into one form. */
function withoutTyped<State extends HistoryState>({ typed = {}, ...state }: State, name: string) {
  const { [name]: _, ...others } = typed;
  return { ...state, typed: others };
}

/** What of a form is kept: no password, and no file, which only the person can choose. */
const keepable = (values: object, control: object) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSecret(control, name) && !hasFiles(value)),
  );

const hasFiles = (value: unknown) => Array.isArray(value) && value.some((each) => each instanceof File);

/** Whether the visit has what was typed into a form, and how that is given up with the form. */
export function useTypedBefore(keptAs: string) {
  const router = useRouter();
  const [typed] = useState(() => router.history.location.state.typed?.[keptAs] !== undefined);
  const keep = useKeep();
  const forget = () => keep((before) => withoutTyped(before, keptAs));
  return { typed, forget };
}

/** The form's values, with those of before that still are what the form has. */
function fitting<Values extends FieldValues>(typed: unknown, now: Values): Values {
  const known = Object.entries(typed ?? {}).filter(
    ([name, value]) =>
      name in now && typeof value === typeof now[name] && Array.isArray(value) === Array.isArray(now[name]),
  );
  return { ...now, ...Object.fromEntries(known) };
}

/** To leave a dialog with something unsaved takes a second press; typing on takes the first one back. */
export function useLeaving(unsaved: boolean, onClose: () => void) {
  const [pressed, press] = useState(false);
  useUnsaved(unsaved);
  const asked = pressed && unsaved;
  return { asked, leave: () => (unsaved && !asked ? press(true) : onClose()), typed: () => press(false) };
}
