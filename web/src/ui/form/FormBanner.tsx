import { type ReactNode, useEffect, useState } from 'react';
import { type FieldErrors, type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { Banner, onSuccess, type Problem } from '../Banner';
import { fieldId } from './bound';

/**
 * A form's single message. It lists the problems in the order of the fields on the page, each a
 * link to its field. It takes the focus after every failed submit, but not when a problem
 * returns during typing. Needs useForm({ shouldFocusError: false }). A success on the page
 * clears it.
 */
export function FormBanner<Values extends FieldValues, Out>({
  form,
  title,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  form: UseFormReturn<Values, any, Out>;
  /** The text above the list. A server error alone appears without it. */
  title?: ReactNode;
}) {
  const { errors, submitCount } = useFormState({ control: form.control });
  const { root, ...fieldErrors } = errors;
  const problems = sortByPosition(flatten(fieldErrors, form.control, ''));
  const server = root?.server?.message;
  const clear = problems.length === 0 && !server;
  const [clearAfter, setClearAfter] = useState(0);
  useEffect(() => {
    if (clear) setClearAfter(submitCount);
  }, [clear, submitCount]);
  useEffect(() => onSuccess(() => form.clearErrors()), [form]);
  if (clear) return null;
  return (
    <Banner
      kind="error"
      focusOn={submitCount === clearAfter ? undefined : submitCount}
      title={problems.length > 0 ? title : undefined}
      problems={problems}
    >
      {server && <p>{server}</p>}
    </Banner>
  );
}

/**
 * Sets a server response's problems on their fields. Problems that match no field go to the form
 * itself.
 */
export function showServerProblems<Values extends FieldValues, Out>(
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  form: UseFormReturn<Values, any, Out>,
  message: string,
  fields: readonly { path: string; message: string }[] = [],
) {
  const known = fields.filter(({ path }) => path in form.getValues());
  for (const { path, message: text } of known)
    form.setError(path as Parameters<typeof form.setError>[0], { type: 'server', message: text });
  if (known.length === 0) form.setError('root.server', { type: 'server', message });
}

function flatten(errors: FieldErrors, control: object, path: string): Problem[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (!error) return [];
    const at = path ? `${path}.${name}` : name;
    if (typeof error.message === 'string') return [{ text: error.message, fieldId: fieldId(control, at) }];
    // An error with a type but no text isn't a group of fields. Neither is a reference to the
    // input.
    return error.type || error instanceof Element ? [] : flatten(error as FieldErrors, control, at);
  });
}

function sortByPosition(problems: Problem[]): Problem[] {
  const located = problems.map((problem) => ({
    problem,
    element: problem.fieldId ? document.getElementById(problem.fieldId) : null,
  }));
  located.sort((a, b) => {
    if (!a.element || !b.element) return Number(!a.element) - Number(!b.element);
    return a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });
  return located.map(({ problem, element }) => (element ? problem : { text: problem.text }));
}
