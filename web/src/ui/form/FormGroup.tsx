import type { ReactNode } from 'react';
import styles from './FormGroup.module.css';

interface Props {
  title: string;
  children: ReactNode;
}

/** A section of a form. Its heading is at the side where there is room. */
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

/** Messages above a form's groups. It takes no space when empty. */
export const FormMessages = ({ children }: { children: ReactNode }) => (
  <div className={styles.messages}>{children}</div>
);
