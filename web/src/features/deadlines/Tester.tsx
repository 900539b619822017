import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { applyServerErrors } from '@/shared/applyServerErrors';
import { basisNames, conditionNames, describeBasis, formatPeriod } from '@/shared/deadlines';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { DateField } from '@/ui/form/DateField';
import { FormBanner } from '@/ui/form/FormBanner';
import { CheckboxField, SelectField, TextField } from '@/ui/form/fields';
import { Empty } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './deadlines.module.css';
import { type Outcome, useTestRules } from './queries';
import { choices, getDeskName, kinds, noTrial, type TrialValues, toTrial, trialSchema } from './wording';

/** Calculates a state's deadlines for test dates, including drafts. */
export function Tester() {
  const form = useForm<TrialValues>({
    resolver: zodResolver(trialSchema),
    shouldFocusError: false,
    defaultValues: noTrial,
  });
  const { control, formState, handleSubmit } = form;
  const { mutateAsync: send, data: outcomes } = useTestRules();
  const submit = handleSubmit(async (values) => {
    try {
      await send(toTrial(values));
    } catch (error) {
      applyServerErrors(form, error, "Error: Couldn't test the rules. Try again.");
    }
  });
  return (
    <section className="card" aria-labelledby="try">
      <h2 id="try" className={styles.heading}>
        Test rules
      </h2>
      <form className={styles.body} noValidate onSubmit={submit} aria-labelledby="try">
        <FormBanner
          form={form}
          title='An error has occurred. Please address all fields marked with "Error".'
        />
        <div className="field-grid">
          <TextField
            control={control}
            name="state"
            label="State of jurisdiction"
            hint="2 letters"
            kind={kinds.state}
            autoComplete="off"
          />
          <SelectField control={control} name="line" label="Line of business" options={choices.line} />
          <DateField control={control} name="service" label="First date of service" />
          <DateField control={control} name="received" label="Received by the network" />
          <DateField control={control} name="payerReceived" label="Received by the payer" />
          <DateField control={control} name="paid" label="Paid or denied" />
        </div>
        <CheckboxField
          control={control}
          name="receivedSure"
          label="The received date comes from the network, not from a file"
        />
        <div className="button-row">
          <Button type="submit" variant="primary" busy={formState.isSubmitting}>
            Test
          </Button>
        </div>
      </form>
      <div role="status">{outcomes && <Outcomes outcomes={outcomes} />}</div>
    </section>
  );
}

function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  if (outcomes.length === 0) return <Empty title="No rules or drafts on file" />;
  return (
    <ShortTable
      label="Results"
      rows={outcomes}
      rowId={({ rule }) => rule.id}
      muted={({ on }) => !on}
      columns={[
        {
          header: 'Deadline',
          cell: ({ rule: { kind, condition, status } }) => (
            <>
              {getDeskName(kind)}
              {condition && `, ${conditionNames[condition]}`} {status === 'DRAFT' && <Chip>Draft</Chip>}
            </>
          ),
        },
        { header: 'Time limit', cell: ({ rule }) => `${formatPeriod(rule)} from ${basisNames[rule.basis]}` },
        { header: 'Date', cell: ({ on }) => (on ? formatDate(on) : 'None') },
        { header: 'Calculation', cell: ({ rule, basis }) => basis && describeBasis(rule, basis) },
        { header: 'Citation', cell: ({ rule: { citation } }) => citation },
      ]}
    />
  );
}
