import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { showServerProblems } from '@/ui/form/FormBanner';
import { refusal, withWait } from './refusal';

const conflict = 409;

/** Shows a refusal at the fields that it names, else above the form: that it failed, or why the server has a conflict. */
export function showRefusal<Values extends FieldValues, Out>(
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  form: UseFormReturn<Values, any, Out>,
  error: unknown,
  failed: string,
) {
  const problem = refusal(error);
  showServerProblems(
    form,
    problem.status === conflict ? `Error: ${problem.message}` : withWait(failed, problem),
    problem.fields.map(({ path, message }) => ({ path, message: `Error: ${message}` })),
  );
}
