import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { errorMessage } from '@/shared/errorMessage';
import * as paths from '@/shared/paths';
import { useDraft } from '@/shared/useDraft';
import { Button } from '@/ui/Button';
import { today } from '@/ui/dates';
import { SelectInput, TextAreaInput, TextInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { AlreadySent, getSentNumber } from './AlreadySent';
import { ComplaintFields, checkComplaint, noComplaint } from './ComplaintFields';
import { checkText, maxText } from './cases';
import styles from './cases.module.css';
import { useRecordComplaint } from './queries';
import { useErrorFocus } from './useErrorFocus';

/** A complaint that came by phone or mail, recorded by network staff. */
export default function RecordComplaintPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <Breadcrumbs name="Record complaint" list={{ name: 'Questions', to: paths.deskCases }} />
      <header>
        <h1>Record complaint</h1>
        <p className="page-lead">
          For a complaint by phone or mail. The portal makes the acknowledgment letter.
        </p>
      </header>
      {can('cases.work') ? <RecordForm /> : <NotPermitted />}
    </div>
  );
}

const empty = {
  requestKey: '',
  origin: '',
  receivedOn: '',
  userName: '',
  complainant: '',
  ftin: '',
  bills: '',
  body: '',
  complaint: noComplaint,
};
type TextField = Exclude<keyof typeof empty, 'requestKey' | 'complaint'>;
type Errors = Partial<Record<TextField | 'categories' | 'lawState', string>>;

/** Splits bill numbers, which can contain spaces. */
const splitNumbers = (typed: string) =>
  typed
    .split(/[,;\r\n]/)
    .map((number) => number.trim())
    .filter(Boolean);

function RecordForm() {
  const [initial] = useState(() => ({ ...empty, receivedOn: today() }));
  const { values, set, clear, guard } = useDraft('complaint', initial);
  const { complaint } = values;
  const [errors, setErrors] = useState<Errors>({});
  const [sentAs, setSentAs] = useState('');
  const { mutate, isPending } = useRecordComplaint();
  const { form, focus } = useErrorFocus();
  const navigate = useNavigate();
  const bind = (field: TextField) => ({
    value: values[field],
    error: errors[field],
    onChange: ({ target }: { target: { value: string } }) => {
      if (isPending) return; // it isn't sent anymore
      const isEmptied = field === 'body' && target.value === '';
      set({ [field]: target.value, ...(isEmptied && { requestKey: '' }) });
      setErrors({ ...errors, [field]: undefined });
    },
  });
  function save(previousKey = values.requestKey) {
    const trimmed = { ...values, userName: values.userName.trim(), complainant: values.complainant.trim() };
    const wrong: Errors = {
      origin: values.origin ? undefined : 'Error: Select how it came',
      receivedOn: values.receivedOn ? undefined : 'Error: Enter the day it was received',
      userName:
        Boolean(trimmed.userName) === Boolean(trimmed.complainant)
          ? 'Error: Enter a username, or the name of someone without an account'
          : undefined,
      body: checkText(values.body.trim(), 'Enter the complaint'),
      ...checkComplaint(complaint),
    };
    setErrors(wrong);
    if (Object.values(wrong).some(Boolean)) return focus();
    setSentAs('');
    // After a lost response and a reload, it's sent with the same key.
    const requestKey = previousKey || crypto.randomUUID();
    set({ requestKey });
    mutate(
      {
        ...complaint,
        requestKey,
        origin: values.origin as 'PHONE' | 'MAIL',
        receivedOn: values.receivedOn,
        userName: trimmed.userName,
        complainant: trimmed.complainant,
        ftin: values.ftin.replaceAll('-', '').trim(),
        bills: splitNumbers(values.bills),
        body: values.body,
      },
      {
        onSuccess: ({ number }) => {
          toast.success(`Complaint recorded: ${number}`);
          clear();
          void navigate({ ...paths.toDeskCase(number), replace: true });
        },
        onError: (error) => {
          setSentAs(getSentNumber(error));
          const fields = toProblem(error).fields ?? [];
          setErrors(Object.fromEntries(fields.map(({ path, message }) => [path, `Error: ${message}`])));
          focus();
          toast.error(errorMessage(error, "Error: Couldn't record the complaint. Try again."));
        },
      },
    );
  }
  return (
    <form
      ref={form}
      noValidate
      className={`card ${styles.card} ${styles.write}`}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {guard}
      {sentAs && (
        <AlreadySent
          as={paths.toDeskCase(sentAs)}
          number={sentAs}
          label="Record as a new complaint"
          onNew={() => save('')}
        />
      )}
      <div className="field-grid">
        <SelectInput
          label="Channel"
          required
          placeholder="Select a channel"
          options={[
            { value: 'PHONE', label: 'Phone' },
            { value: 'MAIL', label: 'Mail' },
          ]}
          {...bind('origin')}
        />
        <TextInput type="date" label="Received on" required max={today()} {...bind('receivedOn')} />
        <TextInput
          label="Username"
          hint="Of the office's user who complained"
          autoComplete="off"
          {...bind('userName')}
        />
        <TextInput
          label="Name without an account"
          hint="Only staff see this complaint."
          autoComplete="off"
          {...bind('complainant')}
        />
        <TextInput label="Tax ID" hint="Of the user. 9 digits" autoComplete="off" {...bind('ftin')} />
        <TextInput
          label="Bill numbers"
          hint="Of this Tax ID, up to 50, separated by commas"
          autoComplete="off"
          {...bind('bills')}
        />
      </div>
      <ComplaintFields
        values={complaint}
        errors={errors}
        hasBills={splitNumbers(values.bills).length > 0}
        onChange={(changed) => {
          if (isPending) return;
          set({ complaint: changed });
          setErrors({ ...errors, categories: undefined, lawState: undefined });
        }}
      />
      <TextAreaInput
        label="Complaint"
        required
        rows={6}
        hint={`Up to ${formatCount(maxText)} characters`}
        readOnly={isPending}
        {...bind('body')}
      />
      <div className="button-row">
        <Button type="submit" variant="primary" busy={isPending}>
          Record complaint
        </Button>
      </div>
    </form>
  );
}
