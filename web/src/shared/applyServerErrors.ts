import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { showServerProblems } from '@/ui/form/FormBanner';
import { addRetryTime, toProblem } from './apiError';

const conflict = 409;

/**
 * Shows a server error at the fields that it names, else above the form: a general message, or
 * the server's reason for a conflict.
 */
export function applyServerErrors<Values extends FieldValues, Out>(
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  form: UseFormReturn<Values, any, Out>,
  error: unknown,
  failed: string,
) {
  const problem = toProblem(error);
  showServerProblems(
    form,
    problem.status === conflict ? `Error: ${problem.message}` : addRetryTime(failed, problem),
    problem.fields.map(({ path, message }) => ({ path, message: `Error: ${message}` })),
  );
}
