import type { FieldValues } from 'react-hook-form';
import { emailKind } from '@/shared/validation';
import type { Bound } from '@/ui/form/bound';
import { TextField } from '@/ui/form/fields';

/** The current user's own address. */
export const EmailField = <Values extends FieldValues, Out>(bound: Bound<Values, Out>) => (
  <TextField
    {...bound}
    label="Email Address"
    inputMode="email"
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
    kind={emailKind}
    required
  />
);
