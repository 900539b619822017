import type { Control } from 'react-hook-form';
import { SelectField, TextField } from '@/ui/form/fields';
import { kinds, type NewUser } from './newUser';
import type { UserType } from './queries';

type Props = { control: Control<NewUser> };

export function TypeField({
  control,
  types,
  onChanged,
}: Props & { types: readonly UserType[]; onChanged?: (typeCd: string) => void }) {
  return (
    <SelectField
      control={control}
      name="typeCd"
      label="Account Type"
      placeholder="Select One"
      options={types.map(({ userTypeCd, userTypeDesc }) => ({ value: userTypeCd, label: userTypeDesc }))}
      onChanged={onChanged}
      required
    />
  );
}

/** Another person's name, so the browser must not autofill it. */
export function NameFields({ control }: Props) {
  return (
    <>
      <TextField
        control={control}
        name="userFirstName"
        label="First Name"
        kind={kinds.userFirstName}
        autoComplete="off"
        required
      />
      <TextField
        control={control}
        name="userLastName"
        label="Last Name"
        kind={kinds.userLastName}
        autoComplete="off"
        required
      />
      <TextField
        control={control}
        name="userMidName"
        label="Middle Initial"
        kind={kinds.userMidName}
        autoComplete="off"
      />
    </>
  );
}

export function ContactFields({ control }: Props) {
  return (
    <>
      <TextField
        control={control}
        name="phoneNum"
        label="Phone Number"
        type="tel"
        kind={kinds.phoneNum}
        autoComplete="off"
        required
      />
      <TextField
        control={control}
        name="emailAddr"
        label="Email Address"
        type="email"
        kind={kinds.emailAddr}
        autoComplete="off"
        required
      />
    </>
  );
}
