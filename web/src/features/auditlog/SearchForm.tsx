import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { DateField } from '@/ui/form/DateField';
import { SelectField, TextField } from '@/ui/form/fields';
import { SearchCard } from '@/ui/form/SearchCard';
import styles from './auditlog.module.css';
import { type Criteria, criteriaSchema, kinds, noCriteria } from './criteria';
import { groupOperationOptions, operationOptions } from './operations';

interface Props {
  current: Criteria;
  searching: boolean;
  onSearch: (criteria: Criteria) => void;
}

export function SearchForm({ current, searching, onSearch }: Props) {
  const { actingUser } = useSession();
  const form = useForm<Criteria>({ resolver: zodResolver(criteriaSchema), defaultValues: current });
  const { control, handleSubmit, reset } = form;
  return (
    <SearchCard
      searching={searching}
      onSubmit={handleSubmit(onSearch)}
      onReset={() => {
        reset(noCriteria);
        onSearch(noCriteria);
      }}
    >
      <div className={styles.criteria}>
        <TextField
          control={control}
          name="person"
          kind={kinds.person}
          label="User"
          hint="Username of the person who acted or was mirrored"
          autoComplete="off"
        />
        <TextField
          control={control}
          name="subject"
          kind={kinds.subject}
          label="Subject"
          hint="Tax ID, username or claim number. For a bill: Tax ID, a space, bill number."
          autoComplete="off"
        />
        <SelectField
          control={control}
          name="operation"
          label="Action"
          placeholder="All"
          options={actingUser.grpInfoId === null ? operationOptions : groupOperationOptions}
        />
        <DateField control={control} name="from" label="From" />
        <DateField control={control} name="to" label="To" />
      </div>
    </SearchCard>
  );
}
