import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { showServerProblems } from '@/ui/form/FormBanner';
import { refusal, withWait } from './refusal';

const conflict = 409;

/**
 * A refusal told at the fields that it names, else above the form: that it failed, or, where somebody was faster, what
 * the screen says of that, by default the server's words.
 */
export function showRefusal<Values extends FieldValues, Out>(
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  form: UseFormReturn<Values, any, Out>,
  error: unknown,
  failed: string,
  changedMeanwhile?: string,
) {
  const problem = refusal(error);
  showServerProblems(
    form,
    problem.status === conflict
      ? (changedMeanwhile ?? `Error: ${problem.message}`)
      : withWait(failed, problem),
    problem.fields.map(({ path, message }) => ({ path, message: `Error: ${message}` })),
  );
}
