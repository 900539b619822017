import type { ReactNode } from 'react';
import styles from './FormGroup.module.css';

interface Props {
  title: string;
  children: ReactNode;
}

/** What of a form belongs together; its head stands beside it where there is room. */
export function FormGroup({ title, children }: Props) {
  return (
    <section className={styles.group}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A group of fields side by side. */
export const FieldGroup = ({ title, children }: Props) => (
  <FormGroup title={title}>
    <div className="field-grid">{children}</div>
  </FormGroup>
);

/** What is told above the groups of a form; no room is left where that is nothing. */
export const FormMessages = ({ children }: { children: ReactNode }) => (
  <div className={styles.messages}>{children}</div>
);
