import { useDebouncedValue } from '@mantine/hooks';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useSession } from '@/api/session';
import { groupTypes, type PortalUserGroup, useGroups } from '@/shared/groups';
import { FieldGroup, FormGroup } from '@/ui/form/FormGroup';
import { RadioGroup, SelectField, TextField } from '@/ui/form/fields';
import { Loading } from '@/ui/PageState';
import styles from './adding.module.css';
import {
  affiliations,
  isGroupId,
  isRoster,
  kinds,
  type NewUser,
  needsAffiliation,
  needsAssignment,
  needsEmployeeId,
  needsGroup,
  needsGroupTins,
  needsWorkInfo,
} from './newUser';
import { ContactFields, NameFields } from './PersonFields';
import { getRequestedTins, type Requested } from './place';
import { GroupTins, NewGroupTins, NonNetworkTins } from './TinFields';

interface Props {
  form: UseFormReturn<NewUser>;
  /** A draft can be without a group. */
  draft: boolean;
  /** The only group to which a group administrator adds users. */
  ownGroup: number | null;
  requested?: Requested;
  /** The user moves to another kind of group. */
  onAssignment: (chosen: NewUser['groupAssignment']) => void;
  /** The user types another group's ID. */
  onGroup: () => void;
  onLookUp: () => void;
}

/** Returns why a user of this type can't be in the group. */
function findMisfit(id: string, group: PortalUserGroup | undefined, typeCd: string): string | undefined {
  if (!group) return `Error: Group ${id} doesn't exist.`;
  const needed = isRoster({ typeCd }) ? 'ROS' : 'PRV';
  if (group.groupTypeCd === needed) return undefined;
  const kind = (code: PortalUserGroup['groupTypeCd']) => groupTypes[code].toLowerCase();
  return `Error: This is a ${kind(group.groupTypeCd)}, ${group.groupName}. The user needs a ${kind(needed)}.`;
}

/** The fields for the selected account type. */
export function UserFields({ form, draft, ownGroup, requested, onAssignment, onGroup, onLookUp }: Props) {
  const { can } = useSession();
  const { control, setValue, getValues, clearErrors } = form;
  const [typeCd, groupAssignment, grpInfoId, affiliationCd] = useWatch({
    control,
    name: ['typeCd', 'groupAssignment', 'grpInfoId', 'affiliationCd'],
  });
  const [groupId] = useDebouncedValue(grpInfoId, 400);
  const accountFields = { typeCd, groupAssignment };
  const isId = isGroupId(groupId);
  const lookup = useGroups(needsGroup(accountFields) && isId ? { portalUserGroupId: groupId } : null);
  const group = lookup.data?.[0];
  const misfit = lookup.data && findMisfit(groupId, group, typeCd);
  const field = { control, autoComplete: 'off' };
  return (
    <>
      <FieldGroup title="Name">
        <NameFields control={control} />
      </FieldGroup>
      <FieldGroup title="Contact">
        <ContactFields control={control} />
      </FieldGroup>
      {(needsAssignment(accountFields) || needsGroup(accountFields)) && (
        <FieldGroup title="Group">
          {needsAssignment(accountFields) && !ownGroup && (
            <RadioGroup
              control={control}
              name="groupAssignment"
              label="Group Assignment"
              options={[
                { value: 'new', label: 'New' },
                { value: 'existing', label: 'Existing' },
              ]}
              onChanged={(chosen) => {
                onAssignment(chosen as NewUser['groupAssignment']);
                clearErrors(['grpInfoId', 'userFtins']);
              }}
            />
          )}
          {needsGroup(accountFields) && (
            <div className={styles.group}>
              <TextField
                {...field}
                name="grpInfoId"
                label="Group ID"
                inputMode="numeric"
                kind={kinds.grpInfoId}
                readOnly={ownGroup !== null}
                required={!draft && ownGroup === null}
                onChanged={() => {
                  onGroup();
                  const tins = getRequestedTins(typeCd, getValues('grpInfoId'), requested);
                  if (tins.length + getValues('userFtins').length > 0) setValue('userFtins', tins);
                }}
              />
              <p role="status" className={misfit ? styles.error : styles.hint}>
                {misfit ?? group?.groupName}
              </p>
            </div>
          )}
        </FieldGroup>
      )}
      {needsEmployeeId(accountFields) && (
        <FieldGroup title="Staff">
          <TextField
            {...field}
            name="employeeId"
            label="Employee ID"
            hint="Letters, digits, periods, hyphens and underscores"
            kind={kinds.employeeId}
            required
          />
        </FieldGroup>
      )}
      {needsWorkInfo(accountFields) && (
        <FieldGroup title="Work">
          {needsAffiliation(accountFields) && (
            <SelectField
              control={control}
              name="affiliationCd"
              label="Affiliation"
              placeholder="Select One"
              options={affiliations}
              onChanged={() => clearErrors('affiliationDesc')}
              required
            />
          )}
          {needsAffiliation(accountFields) && affiliationCd === 'OTHER' && (
            <TextField
              {...field}
              name="affiliationDesc"
              label="Other Description"
              kind={kinds.affiliationDesc}
              required
            />
          )}
          <TextField {...field} name="jobTitle" label="Job Title" kind={kinds.jobTitle} required />
          <TextField {...field} name="companyNm" label="Company Name" kind={kinds.companyNm} required />
          {needsAffiliation(accountFields) && (
            <TextField {...field} name="companyUrl" label="Company URL" kind={kinds.companyUrl} />
          )}
        </FieldGroup>
      )}
      {['PRUS', 'PRAD'].includes(typeCd) && needsGroup(accountFields) && (
        <FormGroup title="TINs">
          {lookup.isLoading ? (
            <Loading />
          ) : isId && !misfit ? (
            <GroupTins control={control} groupId={Number(groupId)} choose={typeCd === 'PRUS'} />
          ) : (
            <p className={styles.hint}>Enter a Group ID to see its TINs.</p>
          )}
        </FormGroup>
      )}
      {typeCd === 'NNUS' && (
        <FormGroup title="TINs">
          <NonNetworkTins control={control} />
        </FormGroup>
      )}
      {needsGroupTins(accountFields) && can('tins.add') && (
        <FormGroup title="TINs">
          <NewGroupTins control={control} onLookUp={onLookUp} />
        </FormGroup>
      )}
    </>
  );
}
