import { zodResolver } from '@hookform/resolvers/zod';
import { type Control, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import { isUnproven, Problem } from '@/api/client';
import { EditDialog } from '@/shared/EditDialog';
import { groupLabel, type PortalUserGroup, useGroups } from '@/shared/groups';
import { useProviderPage } from '@/shared/providers';
import { tinKind, tinProblem } from '@/shared/validation';
import { counted } from '@/ui/counted';
import { ConfirmDialog } from '@/ui/Dialog';
import { boundedText, normalised } from '@/ui/form/boundedText';
import { TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { formatCount, formatTin } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { tableState } from '@/ui/table/state';
import { capitalised } from '@/ui/text';
import styles from './groups.module.css';
import { useGiveTin, useGroupUse, useNameGroup, useSetGroupStatus } from './queries';

interface Props {
  group: PortalUserGroup;
  onClose: () => void;
}

const nameKind = line(128);

const nameSchema = z.object({
  name: boundedText(nameKind).check(z.refine((name) => name !== '', { error: 'Error: Enter a name' })),
});

/** Gives a group the name that staff know it by. */
export function NameDialog({ group, onClose }: Props) {
  const form = useForm({
    resolver: zodResolver(nameSchema),
    shouldFocusError: false,
    defaultValues: { name: group.groupName },
  });
  const { mutateAsync: rename } = useNameGroup(group.groupInfoId);

  async function save({ name }: { name: string }, version?: string) {
    await rename({ name, version });
    return `Group ${group.groupInfoId} is named ${name}.`;
  }

  return (
    <EditDialog
      form={form}
      title={`Name of group ${group.groupInfoId}`}
      version={group.nameVersion}
      save={save}
      failed="Error: The name could not be saved. Please try again."
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label="Group Name"
        required
        kind={nameKind}
        autoComplete="off"
        hint="Files that bring groups leave it as it is from now on."
      />
    </EditDialog>
  );
}

const tinSchema = z.object({
  ftin: normalised(tinKind).check(
    z.superRefine((typed, context) => {
      const message = tinProblem(typed);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  ),
});

/** Why a TIN is refused, by the server's code. */
const refusedTins: Record<string, string> = {
  TIN_EXISTS_INTGRP: 'The group has this TIN already, or waits for it',
  FTIN_RESTRICTED_FOR_REGISTRATION: 'This TIN is given to nobody',
};

/** Gives a provider group a TIN: a group that was made without any can find no bill, and prove nothing. */
export function TinDialog({ group, onClose }: Props) {
  const form = useForm({
    resolver: zodResolver(tinSchema),
    shouldFocusError: false,
    defaultValues: { ftin: '' },
  });
  const { mutateAsync: give } = useGiveTin(group.groupInfoId);

  async function save({ ftin }: { ftin: string }) {
    try {
      await give(ftin);
    } catch (error) {
      const message = error instanceof Problem && refusedTins[error.code];
      throw message
        ? new Problem(400, error.code, message, [{ path: 'ftin', code: error.code, message }])
        : error;
    }
    return `${formatTin(ftin)} was given to ${groupLabel(group)}.`;
  }

  return (
    <EditDialog
      form={form}
      title={`Give ${groupLabel(group)} a Tax ID`}
      action="Give"
      save={save}
      failed="Error: The Tax ID could not be given. Please try again."
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="ftin"
        label="Tax ID Number (TIN)"
        required
        kind={tinKind}
        inputMode="numeric"
        autoComplete="off"
        hint="Its administrators find its bills at once. They are told by email, and so are other groups that have it."
      />
      <Whose control={form.control} />
    </EditDialog>
  );
}

const byName = tableState({ sort: { id: 'name', desc: false } });

/** Whose a TIN is that was typed: a digit that is wrong gives the bills of somebody else, or of nobody. */
function Whose({ control }: { control: Control<{ ftin: string }> }) {
  const typed = tinKind.normalise(useWatch({ control, name: 'ftin' }));
  const ftin = tinProblem(typed) === undefined ? typed : '';
  const groups = useGroups(ftin ? { taxIdNumber: ftin } : null);
  const { data: providers } = useProviderPage(ftin || undefined, byName);
  if (!ftin || !groups.data || !providers) return null;
  const { count, rows } = providers;
  const name = rows[0]?.prvName;
  return (
    <p role="status">
      {count === 0
        ? 'No provider of the directory bills under it. Compare the number. '
        : `${name}${count > 1 ? ` and ${counted(count - 1, 'other provider')}` : ''} ${count > 1 ? 'bill' : 'bills'} under it. `}
      {groups.data.length === 0
        ? 'No other group has it.'
        : `These groups have it: ${groups.data.map(groupLabel).join('; ')}.`}
    </p>
  );
}

/** Makes a group inactive, which says first what that stops, or active again. */
export function StatusDialog({ group, onClose }: Props) {
  const ends = group.statusCd !== 'INACT';
  const use = useGroupUse(group.groupInfoId);
  const { mutate, isPending } = useSetGroupStatus(group.groupInfoId);
  const confirm = () =>
    mutate(ends ? 'INACT' : 'ACTIV', {
      onSuccess: () => {
        toast.success(`Group ${group.groupInfoId} is ${ends ? 'inactive' : 'active again'}.`);
        onClose();
      },
      onError: (error) => {
        toast.error(isUnproven(error) ? error.message : 'The group could not be changed. Please try again.');
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      title={ends ? 'Make this group inactive?' : 'Make this group active again?'}
      confirmLabel={ends ? 'Make inactive' : 'Make active'}
      cancelLabel="Cancel"
      busy={isPending}
      confirmDisabled={!use.data}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>
        <strong>{capitalised(groupLabel(group))}</strong>
      </p>
      {use.data ? (
        <ul className={styles.effects}>
          {(ends ? ending : returning)(use.data).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : use.isError ? (
        <Failed onRetry={() => void use.refetch()} />
      ) : (
        <Loading />
      )}
    </ConfirmDialog>
  );
}

type Use = NonNullable<ReturnType<typeof useGroupUse>['data']>;

/** What counts nothing is not told. */
const told = (effects: readonly [number, string][]) => effects.flatMap(([n, text]) => (n > 0 ? text : []));

const ending = ({ users, maySignIn, registering, signedIn, mailed }: Use) => [
  ...told([
    [maySignIn, `${counted(maySignIn, 'user', 'users')} of ${formatCount(users)} can no longer sign in.`],
    [signedIn, `${counted(signedIn, 'user is', 'users are')} signed in now, and signed out at once.`],
    [registering, `${counted(registering, 'registration link stops', 'registration links stop')} working.`],
    [mailed, `News on bills are no longer mailed to ${counted(mailed, 'address', 'addresses')}.`],
  ]),
  'Nothing is deleted: all is as it was once the group is active again.',
];

const returning = ({ users, maySignIn, registering, mailed }: Use) => {
  const effects = told([
    [maySignIn, `${counted(maySignIn, 'user', 'users')} of ${formatCount(users)} can sign in again.`],
    [
      registering,
      `${counted(registering, 'registration link works', 'registration links work')} again, unless it is over meanwhile.`,
    ],
    [
      mailed,
      `News on bills are mailed again to ${counted(mailed, 'address', 'addresses')}, also those of the time between.`,
    ],
  ]);
  return effects.length > 0 ? effects : ['At the moment this changes nothing for anybody.'];
};
