import { useEffect, useState } from 'react';
import { type Control, type FieldPath, useWatch } from 'react-hook-form';
import { cx } from '@/ui/cx';
import { PasswordField } from '@/ui/form/fields';
import { CheckCircleIcon, WarningIcon } from '@/ui/icons';
import { loadBreached } from './breached';
import styles from './NewPasswordFields.module.css';
import { checkRules, type RefusedPassword, type Rule } from './passwordRules';

interface Props<Values extends { newPassword: string; confirmPassword: string }, Out> {
  // biome-ignore lint/suspicious/noExplicitAny: react-hook-form's own default for the context
  control: Control<Values, any, Out>;
  confirmLabel: string;
  /** The password that the server rejected. Its rule stays marked until the password changes. */
  refused?: RefusedPassword | null;
}

/** A new password with its live rules, and the confirmation. */
export function NewPasswordFields<Values extends { newPassword: string; confirmPassword: string }, Out>({
  control,
  confirmLabel,
  refused,
}: Props<Values, Out>) {
  const name = 'newPassword' as FieldPath<Values>;
  const typed: string = useWatch({ control, name });
  useBreachedList(typed !== '');
  const rules = checkRules(typed, refused);
  // No maxLength. It would cut a password manager's paste without a message.
  return (
    <>
      <PasswordField
        control={control}
        name={name}
        label="New Password"
        autoComplete="new-password"
        required
      />
      <Rules rules={rules} />
      <PasswordField
        control={control}
        name={'confirmPassword' as FieldPath<Values>}
        label={confirmLabel}
        autoComplete="new-password"
        required
      />
    </>
  );
}

/**
 * Loads the list of breached passwords when the user starts typing, and checks the password
 * again when it arrives.
 */
function useBreachedList(isTyping: boolean): void {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    if (!isTyping) return;
    let left = false;
    loadBreached().then(
      () => !left && setLoaded(true),
      () => undefined, // the server has the list too
    );
    return () => {
      left = true;
    };
  }, [isTyping]);
}

const stateNames = { met: 'met', failed: 'not met', open: 'not checked yet' };

function Rules({ rules }: { rules: Rule[] }) {
  const met = rules.filter(({ state }) => state === 'met').length;
  return (
    <div className={styles.rules}>
      <p className={styles.title}>Password requirements</p>
      <ul>
        {rules.map(({ text, state }) => (
          <li key={text} className={cx(styles.rule, styles[state])}>
            <Mark state={state} />
            <span>
              {text}
              <span className="visually-hidden">: {stateNames[state]}</span>
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className="visually-hidden">
        {met > 0 && `${met} of ${rules.length} requirements met`}
      </p>
    </div>
  );
}

function Mark({ state }: { state: Rule['state'] }) {
  if (state === 'open') return <span className={styles.dot} />;
  return state === 'met' ? <CheckCircleIcon /> : <WarningIcon />;
}
